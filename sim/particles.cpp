#include "sim/particles.h"

namespace firn {

void Particles::resize(std::size_t count)
{
    forEachColumn(*this, [&](const std::string&, auto& column) { column.resize(count); });
}

void Particles::keepColumnsOf(const Particles& other)
{
    varied_strength = other.varied_strength;
    has_powder = other.has_powder;
    affine = other.affine;
    has_travel = other.has_travel;
    can_sleep = other.can_sleep;
}

void appendRows(const Particles& from, std::span<const std::uint32_t> rows, Particles& to)
{
    if (to.size() == 0) to.keepColumnsOf(from);
    Particles::zipColumns(
        [&](const std::string&, const auto& source, auto& column) {
            const std::size_t first = column.size();
            column.resize(first + rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) column[first + i] = source[rows[i]];
        },
        from, to);
}

void appendAll(const Particles& from, Particles& to)
{
    if (to.size() == 0) to.keepColumnsOf(from);
    Particles::zipColumns([](const std::string&, const auto& source,
                             auto& column) { column.insert(column.end(), source.begin(), source.end()); },
                          from, to);
}

}  // namespace firn
