#include <cmath>
#include <memory>

#include "common/cli/shared_options.h"
#include "common/io/threads.h"
#include "render/cli/compare_job.h"
#include "render/cli/program.h"

namespace firn {

namespace {

constexpr const char* description =
    R"(Measure how much pictures differ, and print a line per frame
A is the reference. Frames are matched by number.
FLIP tells how visible the differences are when A and B alternate on a screen: 0 not at all, 1 the most. RMS is the root
of the mean squared difference. PSNR (dB) and SSIM (structural similarity, at most 1) grow with the similarity.
Exit code 0: the pictures are the same, or within the limits given by --fail-...; 5: a limit is exceeded; or no limit was
given and the pictures differ; 3: frames are missing or damaged, or their sizes differ.

Examples:
  firn-render compare before.exr after.exr
  firn-render compare baseline/exr out/exr --fail-flip 0.02 --out out/compare
  firn-render compare baseline/exr out/exr --fail-significant 0
  firn-render compare 'a/shot.####.exr' 'b/shot.####.exr' --frames 1-24 --layer direct --roi 100,50,64,64)";

struct Options {
    CompareJob job;
    std::vector<double> exposure;
    int threads = 0;
};

/// One number: stops of LDR-FLIP; two or three: range and count of HDR-FLIP.
void applyExposure(const std::vector<double>& exposure, CompareSettings& settings)
{
    if (exposure.empty()) return;
    if (exposure.size() == 1) {
        settings.is_low_range = true;
        settings.exposure = exposure[0];
        return;
    }
    const double start = exposure[0], stop = exposure[1];
    if (exposure.size() > 3 || stop < start) {
        throw Error(ExitCode::Usage,
                    "--exposure: expected one value, or FIRST,LAST with FIRST below LAST, or FIRST,LAST,COUNT");
    }
    settings.exposures = Exposures{start, stop, std::max(2, static_cast<int>(std::ceil(stop - start)))};
    if (exposure.size() == 2) return;
    const double count = exposure[2];
    if (count != std::floor(count) || count < 1 || count > 64) {
        throw Error(ExitCode::Usage, "--exposure: the count must be a whole number from 1 to 64");
    }
    settings.exposures->count = static_cast<int>(count);
}

std::vector<Option> thresholdOptions(Thresholds& thresholds)
{
    return {
        {.name = "--fail-flip",
         .target = &thresholds.flip,
         .help = "Fail if the mean FLIP is above this",
         .least = 0,
         .greatest = 1},
        {.name = "--fail-rms",
         .target = &thresholds.rms,
         .help = "Fail if the RMS is above this",
         .least = 0,
         .greatest = 1e30},
        {.name = "--fail-psnr",
         .target = &thresholds.psnr_db,
         .help = "Fail if PSNR is below this, dB",
         .least = -1e3,
         .greatest = 1e3},
        {.name = "--fail-significant",
         .target = &thresholds.significant,
         .help = "Fail if a greater share (0 to 1) of the pixels differs by more than noise explains. Needs the stderr "
                 "layers, and finds little at few paths per pixel",
         .least = 0,
         .greatest = 1}};
}

std::vector<Option> measureOptions(Options& options)
{
    CompareSettings& settings = options.job.settings;
    return {
        {.name = "--roi",
         .target = &options.job.region,
         .help = "Average over this part of the pictures only",
         .value = "X,Y,WIDTH,HEIGHT"},
        {.name = "--layer",
         .target = &settings.layer,
         .help = "Layer to compare: rgb, direct, depth, ...; default: rgb, and the plain metrics of all layers",
         .value = "NAME"},
        {.name = "--exposure",
         .target = &options.exposure,
         .help = "Exposures of FLIP in stops: one (low dynamic range), or FIRST,LAST or FIRST,LAST,COUNT (high dynamic "
                 "range); default: chosen from A",
         .least = -64,
         .greatest = 64},
        {.name = "--ppd",
         .target = &settings.pixels_per_degree,
         .help = "Pixels per degree of the viewer's field of view, for FLIP: it depends on screen and distance",
         .least = 1,
         .greatest = 1000},
        {.name = "--peak",
         .target = &settings.peak,
         .help = "Value that counts as white in PSNR and SSIM",
         .least = 1e-6,
         .greatest = 1e30},
        {.name = "--level",
         .target = &settings.level,
         .help = "Significance level of --fail-significant: the greatest share of false alarms among the pixels found",
         .least = 1e-9,
         .greatest = 0.5}};
}

ExitCode runCompare(Options& options)
{
    applyExposure(options.exposure, options.job.settings);
    ExitCode code = ExitCode::Done;
    runWithThreads(chooseThreads(options.threads).count, [&] { code = compare(options.job); });
    return code;
}

}  // namespace

Command compareCommand()
{
    const auto options = std::make_shared<Options>();
    CompareJob& job = options->job;
    Command command{
        "compare",
        description,
        {{.name = "A",
          .target = &job.a,
          .help = "The reference: an EXR or PNG, a folder of EXR frames, or a pattern",
          .is_required = true},
         {.name = "B", .target = &job.b, .help = "The pictures that are compared with it", .is_required = true},
         {.name = "--out",
          .target = &job.out,
          .help = "Folder for metrics.json, the FLIP maps and report.html",
          .value = "DIR"},
         {.name = "--report",
          .target = &job.report,
          .help = "File or folder for the report, a page on which A and B are compared in any browser",
          .value = "PATH"},
         {.name = "--report-width",
          .target = &job.report_width,
          .help = "Greatest width of the pictures in the report; default: chosen so that the page stays below about 30 "
                  "MB",
          .least = 1,
          .greatest = 32768},
         {.name = "--frames", .target = &job.frames, .help = "Frames such as 1-48; default: all", .value = "RANGE"}},
        [options] { return runCompare(*options); }};
    append(command.options, thresholdOptions(job.thresholds));
    append(command.options, measureOptions(*options));
    append(command.options, {threadsOption(options->threads)});
    return command;
}

}  // namespace firn
