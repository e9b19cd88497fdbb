#include "common/body/played_times.h"

#include <cstdio>

#include "common/body/text_input.h"

namespace firn {

namespace {

std::string numberText(double value, const char* unit)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.3g%s", value, unit);
    return text;
}

/// With so many digits that a sequence does not get between two frames.
std::string exactText(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.7g", value);
    return text;
}

}  // namespace

std::string secondsText(double seconds) { return numberText(seconds, " s"); }

std::string lengthText(double length_m) { return numberText(length_m, " m"); }

std::string timesRemark(const Scene& scene, const BodySpec& spec, double first_s, double last_s, bool asSequence)
{
    const double start_s = scene.timeOfFrame(scene.start_frame), end_s = scene.timeOfFrame(scene.end_frame);
    const double tolerance_s = 0.5 / scene.fps;
    if (spec.loop || (first_s <= start_s + tolerance_s && last_s >= end_s - tolerance_s)) return "";
    std::string text = bodySource(spec) + ": it plays from " + secondsText(first_s) + " to " + secondsText(last_s) +
                       " of scene time, and the shot lasts from " + secondsText(start_s) + " to " + secondsText(end_s) +
                       ". Before and after, the body rests";
    const bool isBeside = last_s < start_s || first_s > end_s;
    if (asSequence && isBeside) {
        const double offset_s = spec.time_offset_s + (first_s - start_s) * spec.time_scale;
        return text + "; time_offset_s = " + exactText(offset_s) + " plays its first file at the first frame";
    }
    return text + (spec.shape == BodyShape::Vdb ? "" : "; loop = true repeats it");
}

}  // namespace firn
