#include "render/export/usd_text.h"

#include <algorithm>
#include <cctype>
#include <cstdio>

namespace firn {
namespace {

/// Letters, digits and underscores, without a digit at the start.
std::string identifier(const std::string& name)
{
    std::string result = name.empty() || std::isdigit(static_cast<unsigned char>(name.front())) ? "_" + name : name;
    std::ranges::replace_if(
        result, [](unsigned char c) { return c >= 128 || (!std::isalnum(c) && c != '_'); }, '_');
    return result;
}

}  // namespace

void UsdText::line(const std::string& text) { m_out << std::string(4 * (m_names.size() - 1), ' ') << text << '\n'; }

std::string UsdText::open(const std::string& type, const std::string& name, const std::string& metadata)
{
    const std::string base = identifier(name);
    std::string unique = base;
    for (int number = 2; !m_names.back().insert(unique).second; ++number) unique = base + "_" + std::to_string(number);
    line("def " + type + " \"" + unique + "\"" + (metadata.empty() ? "" : " (" + metadata + ")"));
    line("{");
    m_names.emplace_back();
    return unique;
}

void UsdText::close()
{
    m_names.pop_back();
    line("}");
}

void UsdText::attribute(const std::string& type, const std::string& name, const std::map<int, std::string>& values)
{
    if (values.empty()) return;
    const std::string& first = values.begin()->second;
    if (std::ranges::all_of(values, [&](const auto& sample) { return sample.second == first; }))
        return line(type + " " + name + " = " + first);
    line(type + " " + name + ".timeSamples = {");
    const std::string* before = nullptr;
    for (auto sample = values.begin(); sample != values.end(); ++sample) {
        const auto next = std::next(sample);
        const bool isWithin =
            before != nullptr && *before == sample->second && next != values.end() && next->second == sample->second;
        if (!isWithin) line("    " + std::to_string(sample->first) + ": " + sample->second + ",");
        before = &sample->second;
    }
    line("}");
}

std::string UsdText::number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.7g", value == 0 ? 0.0 : value);
    return text;
}

std::string UsdText::tuple(const Vec3d& value)
{
    return "(" + number(value.x()) + ", " + number(value.y()) + ", " + number(value.z()) + ")";
}

std::string UsdText::matrix(const Vec3d& x, const Vec3d& y, const Vec3d& z, const Vec3d& origin)
{
    const auto row = [](const Vec3d& v, int last) {
        return "(" + number(v.x()) + ", " + number(v.y()) + ", " + number(v.z()) + ", " + std::to_string(last) + ")";
    };
    return "( " + row(x, 0) + ", " + row(y, 0) + ", " + row(z, 0) + ", " + row(origin, 1) + " )";
}

}  // namespace firn
