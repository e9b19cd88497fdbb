#pragma once
// The curve between radiance and what the network sees: a fit of the PU encoding of Aydin, Mantiuk and Seidel 2008,
// "Extending Quality Metrics to Full Luminance Range Images", with the constants of Open Image Denoise, with which its
// network was trained. Divided by its value at the largest half, so it ends at 1.

#include <cmath>

namespace firn {

class PerceptualCurve {
public:
    static float encode(float radiance) { return curve(radiance) / top(); }

    static float decode(float code)
    {
        const float x = code * top();
        if (x <= codeLinear) return x / slope;
        if (x <= codePower) return std::pow((x - offset) / factor, 1 / exponent);
        return std::exp((x - logOffset) / logFactor) - logShift;
    }

private:
    static constexpr float slope = 1.41283765e+03f;
    static constexpr float factor = 1.64593172f, exponent = 4.31384981e-01f, offset = -2.94139609e-03f;
    static constexpr float logFactor = 1.92653254e-01f, logShift = 6.26026094e-03f, logOffset = 9.98620152e-01f;
    static constexpr float endLinear = 1.57945760e-06f, endPower = 3.22087631e-02f;    // radiance
    static constexpr float codeLinear = 2.23151711e-03f, codePower = 3.70974749e-01f;  // the curve there

    static float curve(float y)
    {
        if (y <= endLinear) return slope * y;
        if (y <= endPower) return factor * std::pow(y, exponent) + offset;
        return logFactor * std::log(y + logShift) + logOffset;
    }
    static float top()
    {
        static const float value = curve(65504);
        return value;
    }
};

}  // namespace firn
