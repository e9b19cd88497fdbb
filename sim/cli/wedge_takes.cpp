#include "sim/cli/wedge_takes.h"

#include <algorithm>
#include <cctype>
#include <set>

#include "common/error.h"

namespace firn {

namespace {

constexpr std::size_t mostTakes = 10000;
constexpr std::size_t longestName = 90;

struct Variation {
    std::string key, short_key;
    std::vector<std::string> values;
};

[[noreturn]] void refuse(const std::string& variation, const std::string& reason)
{
    throw Error(ExitCode::Usage, "--vary " + clampText(variation) + ": " + reason);
}

std::string trimmed(const std::string& text)
{
    const auto begin = text.find_first_not_of(" \t");
    return begin == std::string::npos ? "" : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

/// The parts between commas that are outside of brackets and quotes.
std::vector<std::string> splitValues(const std::string& text)
{
    std::vector<std::string> values{""};
    int depth = 0;
    char quote = 0;
    for (const char c : text) {
        if (quote) {
            if (c == quote) quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '[' || c == '{') {
            ++depth;
        } else if (c == ']' || c == '}') {
            --depth;
        } else if (c == ',' && depth == 0) {
            values.emplace_back();
            continue;
        }
        values.back() += c;
    }
    for (std::string& value : values) value = trimmed(value);
    return values;
}

Variation parsed(const std::string& text)
{
    const std::size_t equals = text.find('=');
    Variation variation{trimmed(text.substr(0, equals)), "", {}};
    if (equals == std::string::npos || variation.key.empty()) {
        refuse(text, "expected key=value,value,... such as solver.dx=0.02,0.01");
    }
    variation.values = splitValues(text.substr(equals + 1));
    const bool hasGap = std::ranges::any_of(variation.values, [](const std::string& v) { return v.empty(); });
    if (hasGap) refuse(text, "a value is missing");
    variation.short_key = variation.key.substr(variation.key.rfind('.') + 1);
    return variation;
}

/// Letters, digits and other characters that a folder's name may have. Each sequence of other characters becomes one
/// '-', except at the ends.
std::string nameText(const std::string& text)
{
    std::string name;
    for (const char c : text) {
        const bool isPlain =
            std::isalnum(static_cast<unsigned char>(c)) || c == '.' || c == '_' || c == '+' || c == '-';
        if (isPlain) {
            name += c;
        } else if (!name.empty() && name.back() != '-') {
            name += '-';
        }
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name;
}

/// If two keys end in the same word, names use the whole keys.
void lengthenShared(std::vector<Variation>& variations)
{
    std::multiset<std::string> words;
    for (const Variation& variation : variations) words.insert(variation.short_key);
    for (Variation& variation : variations) {
        if (words.count(variation.short_key) > 1) variation.short_key = variation.key;
    }
}

/// `name`, with a number if another take has this name.
std::string distinct(std::string name, std::set<std::string>& taken)
{
    name = name.substr(0, longestName);
    std::string result = name;
    for (int number = 2; !taken.insert(result).second; ++number) result = name + "_" + std::to_string(number);
    return result;
}

}  // namespace

std::vector<Take> combinations(const std::vector<std::string>& texts)
{
    std::vector<Variation> variations;
    std::size_t count = 1;
    for (const std::string& text : texts) {
        variations.push_back(parsed(text));
        const std::string& key = variations.back().key;
        if (std::ranges::count(variations, key, &Variation::key) > 1) refuse(text, "'" + key + "' is varied twice");
        count *= variations.back().values.size();
        if (count > mostTakes) refuse(text, "more than " + std::to_string(mostTakes) + " takes");
    }
    lengthenShared(variations);
    std::vector<Take> takes;
    std::set<std::string> names;
    for (std::size_t i = 0; i < count; ++i) {
        Take take;
        std::size_t period = count;
        for (const Variation& variation : variations) {
            period /= variation.values.size();
            const std::string& value = variation.values[i / period % variation.values.size()];
            take.set.push_back(variation.key + "=" + value);
            take.name += (take.name.empty() ? "" : "_") + nameText(variation.short_key + "-" + nameText(value));
        }
        take.name = distinct(take.name, names);
        takes.push_back(std::move(take));
    }
    return takes;
}

}  // namespace firn
