#pragma once
// Text of USD layers (.usda).

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "common/math.h"

namespace firn {

class UsdText {
public:
    /// One line, indented.
    void line(const std::string& text);
    /// "TYPE "NAME"" and a brace; `metadata` stands between them in parentheses. Names are made valid and unique among
    /// those of the same parent. Returns the name.
    std::string open(const std::string& type, const std::string& name, const std::string& metadata = "");
    void close();

    /// An attribute with one value, or with a value at each time code. Equal values are written once.
    void attribute(const std::string& type, const std::string& name, const std::map<int, std::string>& values);

    std::string text() const { return m_out.str(); }

    static std::string number(double value);
    static std::string tuple(const Vec3d& value);
    /// Rows of a transform whose rows are the axes and the origin.
    static std::string matrix(const Vec3d& x, const Vec3d& y, const Vec3d& z, const Vec3d& origin);
    template <class Values, class Text>
    static std::string list(const Values& values, const Text& textOf)
    {
        std::string text = "[";
        for (const auto& value : values) text += (text.size() > 1 ? ", " : "") + textOf(value);
        return text + "]";
    }

private:
    std::ostringstream m_out;
    std::vector<std::set<std::string>> m_names{1};  // used, of each level
};

}  // namespace firn
