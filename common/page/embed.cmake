# Writes OUT: a source file with the text of FILES (separated by |) as the std::string_view NAME.
string(REPLACE "|" ";" FILES "${FILES}")
set(text "")
foreach(file IN LISTS FILES)
  file(READ ${file} part)
  string(APPEND text "${part}")
endforeach()
file(WRITE ${OUT} "#include <string_view>
namespace firn {
extern const std::string_view ${NAME} = R\"embedded(${text})embedded\";
}
")
