#include "common/cli/option_values.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <sstream>

namespace firn {

namespace {

std::string plainNumber(double value)
{
    std::ostringstream text;
    text.precision(12);
    text << value;
    return text.str();
}

/// "from 1 to 4096", "of at least 0"; "" without limits.
std::string limitsText(const Option& option)
{
    if (option.least == std::numeric_limits<double>::lowest()) return "";
    constexpr double unlimited = 1e18;
    return option.greatest >= unlimited ? "of at least " + plainNumber(option.least)
                                        : "from " + plainNumber(option.least) + " to " + plainNumber(option.greatest);
}

enum class NumberKind { None, Whole, Unsigned, Real };

struct KindOf {
    NumberKind operator()(const int*) const { return NumberKind::Whole; }
    NumberKind operator()(const std::optional<int>*) const { return NumberKind::Whole; }
    NumberKind operator()(const std::optional<std::uint64_t>*) const { return NumberKind::Unsigned; }
    NumberKind operator()(const double*) const { return NumberKind::Real; }
    NumberKind operator()(const std::optional<double>*) const { return NumberKind::Real; }
    NumberKind operator()(const std::vector<double>*) const { return NumberKind::Real; }
    template <class Other>
    NumberKind operator()(const Other*) const
    {
        return NumberKind::None;
    }
};

template <class Number>
bool isNumber(const std::string& text, double least, double greatest)
{
    Number number{};
    const char* const end = text.data() + text.size();
    const char* const begin = text.data() + (text.starts_with('+') ? 1 : 0);
    const auto result = std::from_chars(begin, end, number);
    if (result.ec != std::errc() || result.ptr != end) return false;
    const double value = static_cast<double>(number);
    return std::isfinite(value) && value >= least && value <= greatest;
}

/// Refuses a value that is not a number within the limits. Throws Error(Usage).
void requireNumber(const Option& option, NumberKind kind, const std::string& text)
{
    const bool isWhole = kind != NumberKind::Real;
    const bool fits = kind == NumberKind::Whole      ? isNumber<int>(text, option.least, option.greatest)
                      : kind == NumberKind::Unsigned ? isNumber<std::uint64_t>(text, option.least, option.greatest)
                                                     : isNumber<double>(text, option.least, option.greatest);
    if (fits) return;
    const std::string limits = kind == NumberKind::Unsigned ? "of at least 0" : limitsText(option);
    throw Error(ExitCode::Usage, option.name + " is '" + clampText(text, 60) + "', expected a " +
                                     (isWhole ? "whole number" : "number") + (limits.empty() ? "" : " " + limits) +
                                     (option.limits_hint.empty() ? "" : ": " + option.limits_hint));
}

/// A script with an empty variable gives an empty value, or the next option as the value. Throws Error(Usage).
void requireValue(const Option& option, const std::string& text)
{
    if (text.empty()) throw Error(ExitCode::Usage, option.name + ": the value is empty");
    if (!text.starts_with("--")) return;
    throw Error(ExitCode::Usage, option.name + ": the value is missing, '" + clampText(text, 60) +
                                     "' looks like an option; if it is a file, write ./" + clampText(text, 60));
}

void requireChoice(const Option& option, const std::string& text)
{
    if (std::ranges::find(option.choices, text) != option.choices.end()) return;
    throw Error(ExitCode::Usage,
                option.name + " is '" + clampText(text, 60) + "', expected " + listText(option.choices, "or"));
}

}  // namespace

std::string listText(const std::vector<std::string>& words, const std::string& last)
{
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == words.size() ? " " + last + " " : ", ") + words[i];
    }
    return text;
}

std::string valueName(const Option& option)
{
    const NumberKind kind = std::visit(KindOf(), option.target);
    if (!option.value.empty()) return option.value;
    if (!option.choices.empty()) {
        std::string text;
        for (const std::string& choice : option.choices) text += (text.empty() ? "{" : ",") + choice;
        return text + "}";
    }
    if (kind == NumberKind::None) return "";
    const std::string limits = limitsText(option);
    return (kind == NumberKind::Real ? "NUMBER" : "INTEGER") + (limits.empty() ? "" : " (" + limits + ")");
}

void checkValue(const Option& option, const std::string& text)
{
    if (!std::holds_alternative<bool*>(option.target)) requireValue(option, text);
    if (!option.choices.empty()) requireChoice(option, text);
    const NumberKind kind = std::visit(KindOf(), option.target);
    if (kind != NumberKind::None) requireNumber(option, kind, text);
}

}  // namespace firn
