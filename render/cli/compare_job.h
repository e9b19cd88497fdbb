#pragma once
// The work of firn-render compare: matches the frames of sequences by number, applies limits, writes metrics.json.

#include <filesystem>
#include <optional>
#include <string>

#include "common/compare/comparison.h"
#include "common/error.h"

namespace firn {

/// Limits of the difference of a frame. Without any limit, every compared layer must be the same. A pixel that is
/// finite in only one of the images is always beyond the limits.
struct Thresholds {
    std::optional<double> flip;         // greatest mean
    std::optional<double> rms;          // greatest
    std::optional<double> psnr_db;      // least
    std::optional<double> significant;  // greatest share of pixels with a significant difference

    bool isAny() const { return flip || rms || psnr_db || significant; }
};

struct CompareJob {
    std::filesystem::path a, b;    // a file, a folder with one sequence, or a pattern such as shot.####.exr; a is the
                                   // reference
    std::filesystem::path out;     // folder for metrics.json, FLIP maps and report.html; empty: none
    std::filesystem::path report;  // file of the report, or its folder; empty: in `out`
    int report_width = 0;          // greatest width of pictures in the report; 0: such that it stays small
    std::string frames;            // empty: all
    std::string region;            // "x,y,width,height", empty: all
    CompareSettings settings;
    Thresholds thresholds;
};

/// Prints one line per frame on stdout, and problems on stderr. Returns Differs when a frame is beyond the limits, and
/// File when frames are missing, damaged or of different sizes; the other frames are compared first. Throws
/// Error(Usage) for wrong options, and Error(File) when there is nothing to compare or the results cannot be written.
ExitCode compare(const CompareJob& job);

}  // namespace firn
