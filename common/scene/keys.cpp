#include "common/scene/keys.h"

#include <array>
#include <charconv>
#include <cmath>

namespace firn {

namespace {

template <class... Ts>
struct Overloaded : Ts... {
    using Ts::operator()...;
};
template <class... Ts>
Overloaded(Ts...) -> Overloaded<Ts...>;  // clang 14 cannot deduce template arguments of aggregates

std::string vectorText(const Vec3d& v)
{
    return "[" + numberText(v.x()) + ", " + numberText(v.y()) + ", " + numberText(v.z()) + "]";
}

std::string namedNumbersText(const std::map<std::string, double>& numbers)
{
    std::string text = "{";
    for (const auto& [name, value] : numbers)
        text += (text.size() > 1 ? ", " : " ") + quotedText(name) + " = " + numberText(value);
    return text + " }";
}

std::string plain(double value)
{
    std::string text = numberText(value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text;
}

}  // namespace

const Key* Table::key(std::string_view name) const
{
    for (const Key& k : keys)
        if (k.name == name) return &k;
    return nullptr;
}

const Child* Table::child(std::string_view name) const
{
    for (const Child& c : children)
        if (c.name == name) return &c;
    return nullptr;
}

std::string numberText(double value)
{
    std::array<char, 32> buffer{};
    const bool isReadable = std::abs(value) >= 1e-4 && std::abs(value) < 1e9;
    const auto format = isReadable ? std::chars_format::fixed : std::chars_format::general;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format).ptr;
    std::string text(buffer.data(), end);
    if (text.find_first_of(".en") == std::string::npos) text += ".0";
    return text;
}

std::string quotedText(std::string_view text)
{
    static constexpr std::string_view hex = "0123456789abcdef";
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (byte < 0x20 || byte == 0x7f) {
            result += "\\u00";
            result += hex[byte >> 4];
            result += hex[byte & 15];
        } else {
            result += c;
        }
    }
    return result + '"';
}

std::string valueText(const Key& key, void* object, const std::filesystem::path& folder)
{
    return std::visit(
        Overloaded{
            [](const double* v) { return numberText(*v); },
            [](const int* v) { return std::to_string(*v); },
            [](const std::uint64_t* v) { return std::to_string(*v); },
            [](const bool* v) { return std::string(*v ? "true" : "false"); },
            [](const std::string* v) { return quotedText(*v); },
            [&](const std::filesystem::path* v) {
                return quotedText(v->empty() ? "" : v->lexically_proximate(folder).generic_string());
            },
            [](const Vec3d* v) { return vectorText(*v); },
            [](const std::map<std::string, double>* v) { return namedNumbersText(*v); },
            [&](const ChoiceField& v) { return quotedText(key.choices.at(static_cast<std::size_t>(v.get(v.member)))); },
            [](const FramesField& v) { return quotedText(std::to_string(*v.first) + "-" + std::to_string(*v.last)); },
        },
        key.field(object));
}

std::string typeText(const Key& key, void* object)
{
    return std::visit(Overloaded{
                          [](const double*) { return "number"; },
                          [](const int*) { return "integer"; },
                          [](const std::uint64_t*) { return "integer"; },
                          [](const bool*) { return "true or false"; },
                          [](const std::string*) { return "text"; },
                          [](const std::filesystem::path*) { return "path of a file"; },
                          [](const Vec3d*) { return "array of 3 numbers"; },
                          [](const std::map<std::string, double>*) { return "table of numbers"; },
                          [](const ChoiceField&) { return "text"; },
                          [](const FramesField&) { return "text \"first-last\""; },
                      },
                      key.field(object));
}

std::string rangeText(const Key& key)
{
    if (!key.choices.empty()) {
        std::string text;
        for (std::size_t i = 0; i < key.choices.size(); ++i) {
            if (i > 0) text += i + 1 == key.choices.size() ? " or " : ", ";
            text += "'" + std::string(key.choices[i]) + "'";
        }
        return text;
    }
    const Range& r = key.range;
    const bool hasLow = std::isfinite(r.low);
    const bool hasHigh = std::isfinite(r.high);
    if (hasLow && r.low == r.high) return plain(r.low);
    if (hasLow && hasHigh)
        return r.low_excluded ? "above " + plain(r.low) + ", at most " + plain(r.high)
                              : plain(r.low) + " to " + plain(r.high);
    if (hasLow) return (r.low_excluded ? "above " : "at least ") + plain(r.low);
    if (hasHigh) return "at most " + plain(r.high);
    return "";
}

std::string unitText(const Key& key) { return key.unit.empty() ? "" : " (" + std::string(key.unit) + ")"; }

void copyValue(const Field& from, const Field& to)
{
    std::visit(Overloaded{
                   [](const ChoiceField& a, const ChoiceField& b) { b.set(b.member, a.get(a.member)); },
                   [](const FramesField& a, const FramesField& b) {
                       *b.first = *a.first;
                       *b.last = *a.last;
                   },
                   []<class T>(T* a, T* b) { *b = *a; },
                   [](const auto&, const auto&) {},
               },
               from, to);
}

bool applies(const Table& table, const Key& key, void* object)
{
    if (key.only.empty()) return true;
    const Key& selector = *table.key(table.selector);
    const std::string chosen = valueText(selector, object, {});
    const std::string list = " " + std::string(key.only) + " ";
    return list.find(" " + chosen.substr(1, chosen.size() - 2) + " ") != std::string::npos;
}

std::string onlyList(const Key& key)
{
    std::string text;
    for (const char c : key.only) text += c == ' ' ? std::string(", ") : std::string(1, c);
    return text;
}

}  // namespace firn
