#include "common/io/suggest.h"

#include <algorithm>

namespace firn {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

/// The distance of a name to a known one, which may lack its end from a '_' on: in 'rotation' for 'rotation_deg' the
/// unit is missing.
int distanceToKnown(std::string_view name, std::string_view known)
{
    int least = editDistance(name, known);
    for (std::size_t end = known.find('_'); end != std::string_view::npos; end = known.find('_', end + 1))
        least = std::min(least, editDistance(name, known.substr(0, end)) + 1);
    return least;
}

/// A joint's name in lower case, with 'r' and 'l' for 'right' and 'left', without a prefix such as 'mixamorig:' and
/// without '_', '.' and blanks: packages write 'RightHand', 'hand_r', 'mixamorig:RightHand' and 'rHand'.
std::string plainJoint(std::string_view name)
{
    name = name.substr(name.rfind(':') + 1);
    std::string plain;
    for (const char c : name)
        if (c != '_' && c != '.' && c != ' ' && c != '-') plain += lower(c);
    for (const auto& [side, letter] : {std::pair{std::string("right"), "r"}, {"left", "l"}}) {
        const std::size_t at = plain.find(side);
        if (at == std::string::npos) continue;
        plain.erase(at, side.size());
        plain = letter + plain;
    }
    const bool endsWithSide = name.size() > 2 && (name[name.size() - 2] == '_' || name[name.size() - 2] == '.') &&
                              (plain.back() == 'r' || plain.back() == 'l');
    return endsWithSide ? plain.back() + plain.substr(0, plain.size() - 1) : plain;
}

}  // namespace

int editDistance(std::string_view a, std::string_view b)
{
    // Rows of the dynamic programming table for the prefixes of `a` of length i-2, i-1 and i.
    std::vector<int> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = static_cast<int>(j);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
                row[j] = std::min(row[j], before[j - 2] + 1);
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return last[b.size()];
}

std::string didYouMean(std::string_view found, const std::vector<std::string_view>& known)
{
    constexpr std::size_t longest = 100;  // limits the work on malicious names
    constexpr std::size_t listed = 30;
    const std::string_view name = found.substr(0, longest);
    const int near = std::max(2, static_cast<int>(name.size()) / 3);
    const auto distance = [&](std::string_view k) { return distanceToKnown(name, k); };
    const auto nearest = std::ranges::min_element(known, {}, distance);
    if (nearest == known.end()) return "";
    const int nearestDistance = distance(*nearest);
    if (nearestDistance <= near && nearestDistance < static_cast<int>(nearest->size()))
        return "; did you mean '" + std::string(*nearest) + "'?";
    const auto same = std::ranges::find(known, plainJoint(name), plainJoint);
    if (same != known.end()) return "; did you mean '" + std::string(*same) + "'?";
    std::string text;
    for (std::size_t i = 0; i < std::min(known.size(), listed); ++i)
        text += (i > 0 ? ", '" : "'") + std::string(known[i]) + "'";
    return "; known names are " + text + (known.size() > listed ? ", …" : "");
}

}  // namespace firn
