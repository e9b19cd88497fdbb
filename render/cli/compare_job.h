#pragma once
// Comparison of pictures and sequences: frames matched by number, thresholds, metrics.json.

#include <filesystem>
#include <optional>
#include <string>

#include "common/compare/comparison.h"
#include "common/error.h"

namespace firn {

/// What a frame may differ by. Without any, it must be the same in every compared layer. A pixel that is finite in one
/// image and not in the other is always too much.
struct Thresholds {
    std::optional<double> flip;         // greatest mean FLIP
    std::optional<double> rms;          // greatest
    std::optional<double> psnr_db;      // least
    std::optional<double> significant;  // greatest share of pixels beyond chance

    bool isAny() const { return flip || rms || psnr_db || significant; }
};

struct CompareJob {
    std::filesystem::path a, b;    // a file, a folder with one sequence, or a pattern such as shot.####.exr; a is the
                                   // reference
    std::filesystem::path out;     // folder for metrics.json, FLIP maps and report.html; empty: none
    std::filesystem::path report;  // the report's file alone, or elsewhere
    int report_width = 0;          // greatest width of pictures in the report; 0: chosen so that it stays small
    std::string frames;            // empty: all
    std::string region;            // "x,y,width,height", empty: all
    CompareSettings settings;
    Thresholds thresholds;
};

/// One line per frame on stdout, what is wrong on stderr. Returns Differs when a frame is beyond the thresholds; File
/// when frames are missing, damaged or of different sizes, after the other frames. Throws Error(Usage) for what is
/// asked wrongly and Error(File) when there is nothing to compare or the results cannot be written.
ExitCode compare(const CompareJob& job);

}  // namespace firn
