# Writes commit.cpp. usage: cmake -D SOURCE=... -D INPUT=... -D OUTPUT=... -P write_commit.cmake
execute_process(COMMAND git -C ${SOURCE} rev-parse --short HEAD
  OUTPUT_VARIABLE FIRN_COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed)
  set(FIRN_COMMIT "")
endif()
configure_file(${INPUT} ${OUTPUT} @ONLY)
file(TOUCH ${OUTPUT})
