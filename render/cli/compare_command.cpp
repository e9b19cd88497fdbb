#include "render/cli/compare_command.h"

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>

#include "common/io/threads.h"
#include "render/cli/compare_job.h"

namespace firn {

namespace {

constexpr const char* description =
    R"(Says how much pictures differ: A is the reference, B what is looked at. One line per frame on stdout.
Frames are matched by number. Exit code 0: the same, or within the thresholds; 5: beyond one of them, or, without
any, not the same; 3: frames missing, damaged or of other sizes.

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
                    "--exposure: expected stops, or start,stop with start below stop, or start,stop,count");
    }
    settings.exposures = Exposures{start, stop, std::max(2, static_cast<int>(std::ceil(stop - start)))};
    if (exposure.size() == 2) return;
    const double count = exposure[2];
    if (count != std::floor(count) || count < 1 || count > 64) {
        throw Error(ExitCode::Usage, "--exposure: the count must be a whole number from 1 to 64");
    }
    settings.exposures->count = static_cast<int>(count);
}

void addThresholds(CLI::App& app, Thresholds& thresholds)
{
    app.add_option("--fail-flip", thresholds.flip, "greatest mean FLIP")->check(CLI::Range(0.0, 1.0));
    app.add_option("--fail-rms", thresholds.rms, "greatest root of the mean squared difference")
        ->check(CLI::Range(0.0, 1e30));
    app.add_option("--fail-psnr", thresholds.psnr_db, "least PSNR, dB")->check(CLI::Range(-1e3, 1e3));
    app.add_option("--fail-significant", thresholds.significant,
                   "greatest share, 0 to 1, of pixels that differ beyond chance; needs stderr layers")
        ->check(CLI::Range(0.0, 1.0));
}

int run(Options& options)
{
    applyExposure(options.exposure, options.job.settings);
    ExitCode code = ExitCode::Done;
    runWithThreads(chooseThreads(options.threads).count, [&] { code = compare(options.job); });
    return static_cast<int>(code);
}

}  // namespace

Command compareCommand(CLI::App& program)
{
    const auto options = std::make_shared<Options>();
    CompareJob& job = options->job;
    CLI::App* app = program.add_subcommand("compare", description);
    app->add_option("A", job.a, "the reference: EXR or PNG, folder of EXR frames, or pattern")->required();
    app->add_option("B", job.b, "what is compared with it")->required();
    app->add_option("--out", job.out, "folder for metrics.json, the FLIP maps and report.html");
    app->add_option("--report", job.report,
                    "file or folder for the report: a page to look at A and B with, in any browser");
    app->add_option("--report-width", job.report_width,
                    "greatest width of pictures in the report; else chosen so that it stays below about 30 MB")
        ->check(CLI::Range(1, 32768));
    app->add_option("--frames", job.frames, "such as 1-48; else all");
    addThresholds(*app, job.thresholds);
    app->add_option("--roi", job.region, "average over this part only: x,y,width,height");
    app->add_option("--layer", job.settings.layer, "rgb, direct, depth, ...; else rgb, and the plain metrics of all");
    app->add_option("--exposure", options->exposure,
                    "of FLIP: stops (low range), or start,stop or start,stop,count (high); else from A")
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(CLI::Range(-64.0, 64.0));
    app->add_option("--ppd", job.settings.pixels_per_degree, "pixels per degree of sight, for FLIP [67.0206]")
        ->check(CLI::Range(1.0, 1000.0));
    app->add_option("--peak", job.settings.peak, "value that counts as white in PSNR and SSIM [1]")
        ->check(CLI::Range(1e-6, 1e30));
    app->add_option("--level", job.settings.level, "significance level of --fail-significant [0.001]")
        ->check(CLI::Range(1e-9, 0.5));
    app->add_option("--threads", options->threads, "else all that the machine grants")->check(CLI::Range(1, 4096));
    return {app, [options] { return run(*options); }};
}

}  // namespace firn
