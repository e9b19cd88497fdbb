#include "render/cli/compare_job.h"

#include <tbb/parallel_invoke.h>

#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "common/cli/program.h"
#include "common/compare/comparison_json.h"
#include "common/compare/comparison_page.h"
#include "common/compare/heat_map.h"
#include "common/io/checked_file.h"
#include "common/io/frame_range.h"
#include "common/io/json.h"
#include "common/io/own_file.h"
#include "common/page/page.h"
#include "render/cli/compare_frames.h"
#include "render/cli/picture_traits.h"

namespace firn {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string number(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text;
}

/// A sentence for each metric beyond its limit.
class Verdict {
public:
    void atMost(const char* metric, const std::optional<double>& value, const std::optional<double>& limit)
    {
        if (!limit) return;
        require(metric, value.has_value());
        if (!(*value <= *limit)) add(metric, *value, " is above ", *limit);
    }
    void atLeast(const char* metric, double value, const std::optional<double>& limit)
    {
        if (limit && !(value >= *limit)) add(metric, value, " is below ", *limit);
    }
    void add(const std::string& failure) { m_failures.push_back(failure); }
    const std::vector<std::string>& failures() const { return m_failures; }

private:
    static void require(const char* metric, bool isThere)
    {
        if (isThere) return;
        throw Error(ExitCode::File, std::string(metric) + " cannot be tested: " +
                                        (metric == std::string("FLIP")
                                             ? "the layer has no R, G and B"
                                             : "it needs the layers stderr.R, stderr.G and stderr.B in both images"));
    }
    void add(const char* metric, double value, const char* relation, double limit)
    {
        m_failures.push_back(metric + (" " + number(value)) + relation + number(limit));
    }

    std::vector<std::string> m_failures;
};

/// Refuses --fail-significant for a picture whose noise is unknown. Throws Error(File) that names it.
void requireKnownNoise(const PicturePair& pair, const Comparison& comparison)
{
    const auto require = [](const fs::path& picture, bool isUnknown) {
        if (!isUnknown) return;
        throw Error(ExitCode::File,
                    "--fail-significant: " + picture.string() + " has one path per pixel, so its noise is unknown");
    };
    require(pair.a, comparison.is_noise_unknown_a);
    require(pair.b, comparison.is_noise_unknown_b);
}

/// " in rgb, denoised": the layers of both images that differ. "": none, but one image has more layers.
std::string differingLayersText(const Comparison& comparison)
{
    std::string text;
    for (const LayerMetrics& layer : comparison.layers) {
        if (!layer.isSame()) text += (text.empty() ? " in " : ", ") + clampText(layer.layer, 60);
    }
    return text;
}

std::vector<std::string> failuresOf(const Comparison& comparison, const Thresholds& thresholds)
{
    Verdict verdict;
    const LayerMetrics& main = comparison.main();
    if (!thresholds.isAny() && !comparison.isSame()) verdict.add("differs" + differingLayersText(comparison));
    if (main.not_finite_in_one) {
        verdict.add(std::to_string(main.not_finite_in_one) + " pixels are finite in only one of the images");
    }
    const auto& significance = comparison.significance;
    if (thresholds.significant && main.layer != "rgb") {
        throw Error(ExitCode::File, "the share of significant pixels of the layer " + clampText(main.layer, 60) +
                                        " cannot be tested, only that of rgb: omit --layer, or --fail-significant");
    }
    verdict.atMost("FLIP", comparison.flip_mean, thresholds.flip);
    verdict.atMost("RMS", main.rms, thresholds.rms);
    verdict.atLeast("PSNR", main.psnr_db, thresholds.psnr_db);
    verdict.atMost("share of significant pixels",
                   significance ? std::optional(significance->share_significant) : std::nullopt,
                   thresholds.significant);
    return verdict.failures();
}

void printSummary(const std::string& name, const Comparison& comparison, bool isWithin)
{
    const LayerMetrics& main = comparison.main();
    std::string line = name + ":";
    if (comparison.flip_mean) line += " flip " + number(*comparison.flip_mean);
    line += " rms " + number(main.rms) + " psnr " + number(main.psnr_db);
    if (comparison.ssim) line += " ssim " + number(*comparison.ssim);
    if (!main.largest.channel.empty()) {
        line += " largest difference " + number(main.largest.value) + " (channel " +
                clampText(main.largest.channel, 60) + ") at pixel " + std::to_string(main.largest.x) + "," +
                std::to_string(main.largest.y);
    }
    if (comparison.significance) {
        line += " significant " + number(100 * comparison.significance->share_significant) + "%";
    }
    line += comparison.isSame() ? " same" : isWithin ? " within the limits" : " DIFFERS";
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

void warnOf(const std::string& name, const std::string& text) { warn(name + ": " + text); }

void warnOfPixels(const std::string& name, const char* image, std::size_t count, const char* what)
{
    if (count) warnOf(name, std::string("warning: ") + image + " has " + std::to_string(count) + " pixels " + what);
}

void printWarnings(const std::string& name, const Comparison& comparison)
{
    for (const LayerMetrics& layer : comparison.layers) {
        const std::string what = "that are not finite in layer " + clampText(layer.layer, 60);
        warnOfPixels(name, "A", layer.not_finite_a, what.c_str());
        warnOfPixels(name, "B", layer.not_finite_b, what.c_str());
    }
    warnOfPixels(name, "A", comparison.alpha_errors_a, "with alpha outside 0 and 1");
    warnOfPixels(name, "B", comparison.alpha_errors_b, "with alpha outside 0 and 1");
    const auto warnOfLayers = [&](const char* picture, const std::vector<std::string>& layers) {
        for (const std::string& layer : layers)
            warnOf(name,
                   std::string("note: only the ") + picture + " picture has the layer '" + clampText(layer, 60) + "'");
    };
    warnOfLayers("first", comparison.only_a);
    warnOfLayers("second", comparison.only_b);
}

/// Whether the file is a metrics.json of firn-render compare.
bool isMetrics(const fs::path& path)
{
    std::ifstream in(path);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    const nlohmann::json json = tryParseJson(text);
    return json.is_object() && json.contains("thresholds") && json.contains("frames");
}

class ComparisonRun {
public:
    explicit ComparisonRun(const CompareJob& job) : m_job(job), m_settings(job.settings)
    {
        if (!job.region.empty()) m_settings.region = parseRegion(job.region);
    }

    ExitCode run()
    {
        const PicturePairs pictures = matchPictures(m_job.a, m_job.b, m_job.frames);
        requireOwnOutputs(pictures);
        if (!m_job.out.empty()) {
            prepareFolder(m_job.out);
            removeOldMaps(pictures);
        }
        if (const fs::path report = reportPath(); !report.empty()) {
            prepareFolder(fs::absolute(report).parent_path());
            m_page.emplace(pictures.pairs.size(), m_job.report_width);
        }
        reportMissing(pictures.sequence_a, pictures.missing_a);
        reportMissing(pictures.sequence_b, pictures.missing_b);
        for (const PicturePair& pair : pictures.pairs) m_frames.push_back(frame(pair));
        const ExitCode code = m_isIncomplete ? ExitCode::File : m_isBeyond ? ExitCode::Differs : ExitCode::Done;
        const Json metrics = metricsJson(pictures, code);
        if (!m_job.out.empty()) {
            const std::string text = jsonText(metrics, 1);
            writeFileChecked(m_job.out / "metrics.json", text + "\n");
        }
        if (m_page) writeFileChecked(reportPath(), m_page->html(metrics));
        return code;
    }

private:
    fs::path reportPath() const
    {
        const fs::path& path = m_job.report;
        if (path.empty()) return m_job.out.empty() ? fs::path() : m_job.out / "report.html";
        return fs::is_directory(path) ? path / "report.html" : path;
    }

    fs::path mapName(const PicturePair& pair) const
    {
        return pair.frame ? framePath("flip.####.png", *pair.frame) : fs::path("flip.png");
    }

    /// Results replace only results of firn-render compare.
    void requireOwnOutputs(const PicturePairs& pictures) const
    {
        if (const fs::path report = reportPath(); !report.empty())
            requireReplaceablePage(report, "firn-render compare");
        if (m_job.out.empty()) return;
        if (!isMetrics(m_job.out / "metrics.json")) requireReplaceable(m_job.out / "metrics.json", "comparison");
        for (const PicturePair& pair : pictures.pairs) requireReplaceable(m_job.out / mapName(pair), "difference map");
        for (const PicturePair& pair : pictures.pairs) requireFolderOfItsOwn(pair);
    }

    /// Difference maps of frames are a sequence, and other commands refuse a folder with two sequences.
    void requireFolderOfItsOwn(const PicturePair& pair) const
    {
        std::error_code ignored;
        for (const fs::path& picture : {pair.a, pair.b}) {
            if (!pair.frame || !fs::equivalent(fs::absolute(picture).parent_path(), m_job.out, ignored)) continue;
            throw Error(ExitCode::Usage, "--out " + m_job.out.string() +
                                             " is the folder of the compared pictures: choose another for the results");
        }
    }

    void reportMissing(const fs::path& sequence, const std::vector<int>& frames)
    {
        if (frames.empty()) return;
        m_isIncomplete = true;
        warnOf(sequence.string(), "missing frames: " + formatFrames(frames));
    }

    /// Compares one pair. Reports a damaged or unsuitable file; the other pairs are compared anyway.
    Json frame(const PicturePair& pair)
    {
        Json json = {{"name", pair.name()}, {"a", pair.a.string()}, {"b", pair.b.string()}};
        if (pair.frame) json["frame"] = *pair.frame;
        try {
            compareInto(json, pair);
        } catch (const Error& error) {
            if (error.code() != ExitCode::File) throw;
            m_isIncomplete = true;
            if (pair.frame) {
                warnOf(pair.name(), error.what());
            } else {
                warn(error.what());  // names the picture
            }
            json["error"] = error.what();
        }
        return json;
    }

    void compareInto(Json& json, const PicturePair& pair)
    {
        Image a, b;
        tbb::parallel_invoke([&] { a = readPicture(pair.a); }, [&] { b = readPicture(pair.b); });
        if (pair.frame) {
            warnOfOtherFrame(pair.a, a.metadata, *pair.frame);
            warnOfOtherFrame(pair.b, b.metadata, *pair.frame);
        }
        const Comparison comparison = compareImages(a, b, settingsFor(pair));
        if (m_job.thresholds.significant) requireKnownNoise(pair, comparison);
        const std::vector<std::string> failures = failuresOf(comparison, m_job.thresholds);
        printSummary(pair.name(), comparison, failures.empty());
        printWarnings(pair.name(), comparison);
        for (const std::string& failure : failures) warnOf(pair.name(), failure);
        m_isBeyond = m_isBeyond || !failures.empty();
        json.update(comparisonJson(comparison));
        json["failures"] = failures;
        if (!m_job.out.empty() && comparison.flip_mean) writeMap(json, pair, comparison.flip);
        if (m_page) m_page->add(m_frames.size(), a, b, comparison);
    }

    /// Pictures with 8 bits per channel have no high dynamic range.
    CompareSettings settingsFor(const PicturePair& pair) const
    {
        CompareSettings settings = m_settings;
        if (pair.a.extension() == ".png" && !settings.exposures) settings.is_low_range = true;
        return settings;
    }

    void writeMap(Json& json, const PicturePair& pair, const PixelPlane& flip) const
    {
        const fs::path name = mapName(pair);
        writeFileChecked(m_job.out / name, withComment(encodePng(heatMap(flip)), markOf("difference map")));
        json["flip_map"] = name.string();
    }

    /// Maps of an earlier comparison would look as if they were of this one.
    void removeOldMaps(const PicturePairs& pictures) const
    {
        std::set<fs::path> current;
        for (const PicturePair& pair : pictures.pairs) current.insert(mapName(pair));
        for (const int frame : existingFrames(m_job.out / "flip.####.png")) {
            const fs::path name = framePath("flip.####.png", frame);
            if (!current.contains(name) && isMarked(m_job.out / name, markOf("difference map")))
                fs::remove(m_job.out / name);
        }
    }

    Json metricsJson(const PicturePairs& pictures, ExitCode code) const
    {
        const Thresholds& limits = m_job.thresholds;
        Json json = {{"a", m_job.a.string()}, {"b", m_job.b.string()}, {"exit_code", static_cast<int>(code)}};
        json["layer"] = m_settings.layer;
        json["region"] = m_job.region;
        json["pixels_per_degree"] = m_settings.pixels_per_degree;
        json["peak"] = m_settings.peak;
        json["thresholds"] = Json::object();
        if (limits.flip) json["thresholds"]["flip"] = *limits.flip;
        if (limits.rms) json["thresholds"]["rms"] = *limits.rms;
        if (limits.psnr_db) json["thresholds"]["psnr_db"] = *limits.psnr_db;
        if (limits.significant) json["thresholds"]["significant"] = *limits.significant;
        json["missing_a"] = pictures.missing_a;
        json["missing_b"] = pictures.missing_b;
        json["frames"] = m_frames;
        return json;
    }

    const CompareJob& m_job;
    CompareSettings m_settings;
    Json m_frames = Json::array();
    std::optional<ComparisonPage> m_page;
    bool m_isIncomplete = false, m_isBeyond = false;
};

}  // namespace

ExitCode compare(const CompareJob& job) { return ComparisonRun(job).run(); }

}  // namespace firn
