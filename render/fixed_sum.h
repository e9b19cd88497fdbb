#pragma once
// Sums that do not depend on their order: integers of 128 bits that count a small unit. So parts of a picture that
// different machines rendered add up to the bits of one run.

#include <cmath>
#include <cstdint>
#include <limits>

namespace firn {

/// Sums numbers, each rounded to a multiple of 2^-fractionBits. A number that is not finite, or of 2^(106 -
/// fractionBits) and more, makes the sum not a number. 2^20 numbers cannot overflow it.
template <int fractionBits>
class FixedSum {
public:
    void add(double value)
    {
        constexpr double units = Integer{1} << fractionBits, fast = 0x1p62, greatest = 0x1p106;
        const double scaled = value * units;
        if (std::abs(scaled) < fast) {
            if (isNumber()) m_units += std::llrint(scaled);
        } else if (std::abs(scaled) < greatest) {
            if (isNumber()) m_units += static_cast<Integer>(scaled);
        } else {
            m_units = notANumber;
        }
    }

    void add(const FixedSum& other) { m_units = isNumber() && other.isNumber() ? m_units + other.m_units : notANumber; }

    double value() const
    {
        constexpr double unit = 1.0 / static_cast<double>(Integer{1} << fractionBits);
        if (!isNumber()) return std::numeric_limits<double>::quiet_NaN();
        const auto low = static_cast<std::int64_t>(m_units);  // converts ten times as fast as 128 bits
        return (low == m_units ? static_cast<double>(low) : static_cast<double>(m_units)) * unit;
    }

private:
    __extension__ using Integer = __int128;
    static constexpr Integer notANumber = Integer{1} << 126;

    bool isNumber() const { return m_units != notANumber; }

    Integer m_units = 0;
};

}  // namespace firn
