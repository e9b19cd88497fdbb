// Writes one TOML value into one member, after checks of type and range.

#include <charconv>
#include <cmath>
#include <optional>

#include "common/io/suggest.h"
#include "common/scene/builder.h"

namespace firn {

namespace {

/// The value that was found, for an error message: "the text 'abc'", "the number 3", "a table".
std::string foundText(const toml::node& value)
{
    if (value.is_table()) return "a table";
    if (const auto* list = value.as_array()) return "an array of " + std::to_string(list->size());
    if (const auto* text = value.as_string()) return "the text '" + clampText(text->get(), 60) + "'";
    if (const auto* integer = value.as_integer()) return "the integer " + std::to_string(integer->get());
    if (const auto* number = value.as_floating_point()) return "the number " + numberText(number->get());
    if (const auto* truth = value.as_boolean()) return truth->get() ? "true" : "false";
    return "a date or time";
}

/// "a number", "an integer"; text and booleans get no article.
std::string withArticle(const std::string& type)
{
    if (type.starts_with("integer") || type.starts_with("array")) return "an " + type;
    return type.starts_with("text") || type.starts_with("true") ? type : "a " + type;
}

struct ValueReader {
    const Address& address;
    const toml::node& value;
    const Source& source;

    const Key& key() const { return *address.key; }
    std::string shown() const { return "'" + namedPath(*address.scene, address.path) + "'"; }

    [[noreturn]] void failExpected(const toml::node& at, const std::string& why = "") const
    {
        const std::string range = rangeText(key());
        std::string expected = key().choices.empty() ? withArticle(typeText(key(), address.object)) : "";
        if (!range.empty()) expected += (expected.empty() ? "" : ", ") + range;
        expected += unitText(key());
        fail(source.at(at.source()),
             shown() + " is " + foundText(at) + ", expected " + expected + (why.empty() ? "" : "; " + why));
    }

    [[noreturn]] void failRange(const std::string& why = "") const
    {
        fail(source.at(value.source()), shown() + " is " + foundText(value) + ", expected a text such as \"1-12\"" +
                                            (why.empty() ? "" : "; " + why));
    }

    double number(const toml::node& node) const
    {
        if (!node.is_number()) failExpected(node);
        const double result = *node.value<double>();
        if (!std::isfinite(result) || !key().range.contains(result)) failExpected(node);
        return result;
    }

    /// A number in an array, whose place is counted from 1.
    double component(const toml::node& node, const std::string& place) const
    {
        const auto found = node.value<double>();
        if (node.is_number() && found && std::isfinite(*found) && key().range.contains(*found)) return *found;
        const std::string range = rangeText(key());
        fail(source.at(node.source()), "number " + place + " of " + shown() + " is " + foundText(node) +
                                           ", expected a number" + (range.empty() ? "" : ", " + range) +
                                           unitText(key()));
    }

    std::int64_t integer(const toml::node& node) const
    {
        const auto* result = node.as_integer();
        if (!result || !key().range.contains(static_cast<double>(result->get()))) failExpected(node);
        return result->get();
    }

    const std::string& text(const toml::node& node) const
    {
        const auto* result = node.as_string();
        if (!result) failExpected(node);
        return result->get();
    }

    std::size_t choice() const
    {
        const std::string& found = text(value);
        for (std::size_t i = 0; i < key().choices.size(); ++i)
            if (key().choices[i] == found) return i;
        fail(source.at(value.source()),
             shown() + " is " + foundText(value) + ", which is unknown" + didYouMean(found, key().choices));
    }

    void operator()(double* member) const { *member = number(value); }

    void operator()(int* member) const
    {
        const std::int64_t result = integer(value);
        if (result != static_cast<int>(result)) failExpected(value, "it must fit into 32 bits");
        *member = static_cast<int>(result);
    }

    void operator()(std::uint64_t* member) const { *member = static_cast<std::uint64_t>(integer(value)); }

    void operator()(bool* member) const
    {
        const auto* result = value.as_boolean();
        if (!result) failExpected(value);
        *member = result->get();
    }

    void operator()(std::string* member) const
    {
        if (!key().choices.empty()) {
            *member = key().choices[choice()];
            return;
        }
        const std::string& name = text(value);
        const bool fits = name.size() <= 64 && name.find_first_not_of("0123456789") != std::string::npos &&
                          name.find_first_of(".\"\\/\t\r\n") == std::string::npos;
        if (!fits && !name.empty())  // empty: as if the key were not given
            failExpected(value, "a name has 1 to 64 characters, not only digits, and none of . / \\ \"");
        *member = name;
    }

    void operator()(FreeText* member) const
    {
        const std::string& found = text(value);
        if (found.find('\0') != std::string::npos) failExpected(value);
        static_cast<std::string&>(*member) = found;
    }

    void operator()(std::filesystem::path* member) const
    {
        const std::string& path = text(value);
        if (path.empty() || path.find('\0') != std::string::npos) failExpected(value);
        *member = path;
    }

    void operator()(Vec3d* member) const
    {
        const auto* list = value.as_array();
        if (!list || list->size() != 3) failExpected(value);
        for (std::size_t axis = 0; axis < 3; ++axis)
            (*member)[static_cast<int>(axis)] = component((*list)[axis], std::to_string(axis + 1));
    }

    void operator()(std::map<std::string, double>* member) const
    {
        if (!address.entry.empty()) {
            (*member)[address.entry] = number(value);
            return;
        }
        const auto* table = value.as_table();
        if (!table) failExpected(value);
        for (const auto& [name, node] : *table) (*member)[std::string(name.str())] = number(node);
    }

    void operator()(const ChoiceField& member) const { member.set(member.member, static_cast<int>(choice())); }

    void operator()(const FramesField& member) const
    {
        if (!value.is_string()) failRange();
        const std::string& range = text(value);
        const char* const end = range.data() + range.size();
        int first = 0;
        int last = 0;
        const auto dash = std::from_chars(range.data(), end, first);
        if (dash.ec != std::errc() || dash.ptr == end || *dash.ptr != '-') failRange();
        const auto rest = std::from_chars(dash.ptr + 1, end, last);
        if (rest.ec == std::errc() && rest.ptr != end && *rest.ptr == 'x')
            failRange("a step is not possible here: every frame is simulated");
        if (rest.ec != std::errc() || rest.ptr != end) failRange();
        if (last < first) failRange("the last frame comes before the first");
        if (!key().range.contains(first) || !key().range.contains(last)) failExpected(value);
        *member.first = first;
        *member.last = last;
    }
};

}  // namespace

void writeValue(const Address& address, const toml::node& value, const Source& source)
{
    std::visit(ValueReader{address, value, source}, address.key->field(address.object));
}

}  // namespace firn
