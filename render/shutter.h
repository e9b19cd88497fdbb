#pragma once
// The interval of scene time that a picture gathers light from. Each ray carries its position in the interval, so
// all that moves is evaluated at the time of the ray.

namespace firn {

struct Shutter {
    double open_s = 0;
    double close_s = 0;

    static Shutter instant(double time_s) { return {time_s, time_s}; }

    bool isInstant() const { return !(close_s > open_s); }

    /// Scene time of a ray's position, from 0 where the shutter opens to 1 where it closes.
    double time_s(float position) const { return open_s + static_cast<double>(position) * (close_s - open_s); }
    double middle_s() const { return time_s(0.5f); }

    /// One of `count` equal parts.
    Shutter slice(int index, int count) const
    {
        return {time_s(static_cast<float>(index) / static_cast<float>(count)),
                time_s(static_cast<float>(index + 1) / static_cast<float>(count))};
    }
};

}  // namespace firn
