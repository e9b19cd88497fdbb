#include "render/cli/denoise_job.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <set>
#include <utility>

#include "common/cli/program.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/io/folder_turn.h"
#include "common/io/own_file.h"
#include "common/io/stop.h"
#include "common/io/stopwatch.h"
#include "common/io/threads.h"
#include "render/cli/layer_view.h"
#include "render/cli/picture_layout.h"
#include "render/cli/picture_traits.h"
#include "render/cli/replaced_pictures.h"
#include "render/cli/value_difference.h"
#include "render/denoise/denoised_layers.h"
#include "render/denoise/neighbours.h"

namespace firn {

namespace {

namespace fs = std::filesystem;

fs::path pngPath(fs::path exr) { return exr.replace_extension(".png"); }

fs::path outputOf(const DenoiseJob& job, const fs::path& picture) { return job.out / picture.filename(); }

/// The number before the extension, as in shot.0024.exr.
std::optional<int> frameOf(const fs::path& picture)
{
    const std::string number = picture.stem().extension().string();
    int frame = 0;
    const char* const end = number.data() + number.size();
    if (number.size() < 2 || std::from_chars(number.data() + 1, end, frame).ptr != end) return std::nullopt;
    return frame;
}

/// Those pictures of the same sequence that lie at most `count` frames before or after.
std::vector<fs::path> neighboursOf(const fs::path& picture, const std::vector<fs::path>& all, int count)
{
    std::vector<fs::path> found;
    const auto frame = frameOf(picture);
    for (const fs::path& other : all) {
        const auto number = frameOf(other);
        if (!frame || !number || other == picture || std::abs(*number - *frame) > count) continue;
        const bool isSameSequence =
            other.parent_path() == picture.parent_path() && other.stem().stem() == picture.stem().stem();
        if (isSameSequence) found.push_back(other);
    }
    return found;
}

/// Throws Error(File) for files that Firn did not write, and Error(Usage) for what ReplacedPictures::add refuses.
void requireOutput(const DenoiseJob& job, const fs::path& picture, const std::string& denoiser,
                   ReplacedPictures& replaced)
{
    const fs::path out = outputOf(job, picture);
    requireNoDeadLink(out);
    if (fs::exists(out) && !isFirnPicture(out)) requireReplaceable(out, "picture");
    if (!isMarked(pngPath(out), previewMark)) requireReplaceable(pngPath(out), "preview");
    if (!fs::exists(out) || !isUncutExr(picture)) return;  // damaged pictures are reported when they are read
    if (!job.force && ListedPictures(job.out).has(out))
        throw Error(ExitCode::Usage, out.string() +
                                         " is a picture that frames or merge wrote, with an estimate of its error. "
                                         "Choose another --out, or replace it with --force");
    PictureTraits now = traitsOf(readExrHeader(picture));
    now.denoiser = denoiser + (job.neighbours > 0 ? withNeighbourFrames : "");
    now.neighbours = static_cast<int>(neighboursOf(picture, job.pictures, job.neighbours).size());
    replaced.add(out, now);
}

/// All outputs are checked before the first picture is denoised.
void requireOutputs(const DenoiseJob& job, const std::string& denoiser)
{
    ReplacedPictures replaced(nullptr, job.force);
    std::set<fs::path> names;
    for (const fs::path& picture : job.pictures) {
        const fs::path out = outputOf(job, picture);
        if (picture.extension() != ".exr")
            throw Error(ExitCode::Usage, clampText(picture.string()) + ": expected an EXR file");
        if (!names.insert(picture.filename()).second)
            throw Error(ExitCode::Usage, "two pictures have the name " + clampText(picture.filename().string()) +
                                             "; expected pictures of different names");
        if (fs::exists(out) && fs::exists(picture) && fs::equivalent(out, picture))
            throw Error(ExitCode::Usage, clampText(picture.string()) + ": lies in --out; expected another folder");
        requireOutput(job, picture, denoiser, replaced);
    }
    if (const std::string text = replaced.text(); !text.empty()) warn("warning: " + text);
}

/// The picture as traced, without layers of an earlier denoiser.
Image tracedPart(Image image)
{
    std::erase_if(image.channels, [](const Channel& channel) { return channel.name.starts_with("denoised."); });
    image.metadata.erase("firn.denoiser");
    return image;
}

/// What makes the light of a neighbour another one than that of the picture; "" if nothing does.
std::string differenceOf(const PictureTraits& picture, const PictureTraits& neighbour)
{
    if (picture.simulation != neighbour.simulation) return "it is of another simulation";
    Values before = valuesOf(picture), now = valuesOf(neighbour);
    for (Values* values : {&before, &now})
        for (const char* key : {"render.seed", "first sample", "format"}) values->erase(key);
    const std::string differs = difference(before, now, nullptr, "in the picture", "in the neighbour");
    return differs.empty() && picture.window != neighbour.window ? "it is another crop" : differs;
}

bool haveSameSeed(const Image& a, const Image& b)
{
    const auto* const seedA = metadataAt<std::string>(a.metadata, "firn.seed");
    const auto* const seedB = metadataAt<std::string>(b.metadata, "firn.seed");
    return seedA != nullptr && seedB != nullptr && *seedA == *seedB;
}

class DenoiseRun {
public:
    explicit DenoiseRun(const DenoiseJob& job) : m_job(job), m_denoiser(denoiserByName(job.denoiser), job.weights)
    {
        for (const fs::path& picture : job.pictures) m_before.remember(outputOf(job, picture));
    }

    std::string denoiser() const { return m_denoiser.name(); }

    ExitCode run()
    {
        if (const std::string text = m_denoiser.remark(); !text.empty()) warn("warning: " + text);
        std::size_t done = 0;
        for (const fs::path& picture : m_job.pictures) {
            if (stopRequested()) return stopped(done);
            denoise(picture, outputOf(m_job, picture));
            ++done;
        }
        if (m_withoutCount > 0) warnOfMissingNeighbours();
        return m_damaged.empty() ? ExitCode::Done : ExitCode::File;
    }

private:
    ExitCode stopped(std::size_t done) const
    {
        warn(std::string("stopped by ") + stopSignalName() + " after " + std::to_string(done) + " of " +
             std::to_string(m_job.pictures.size()) + " pictures; repeat the command to denoise the others too");
        return ExitCode::Stopped;
    }

    void denoise(const fs::path& picture, const fs::path& out)
    {
        const Stopwatch watch;
        std::optional<Image> traced = readTraced(picture);
        if (!traced) {
            if (fs::exists(out)) warn("warning: " + out.string() + " stays as it was");
            return;
        }
        Image& image = *traced;
        warnOfName(image, picture);
        addLayers(image, picture);
        const bool isHalf = !image.at("R").full_precision;
        const Tones tones = tonesOf(image);
        const Rgb8Image preview = displayImage(denoisedPicture(image), tones.view, tones.exposure);
        const FolderTurn turn(m_job.out);
        ReplacedPictures replaced(nullptr, m_job.force);
        requireOutput(m_job, picture, m_denoiser.name(), replaced);  // somebody may have put a file there since
        if (!m_job.force) requireNoOtherWriter(m_before, out);
        writeExr(out, image, {isHalf});
        writePng(pngPath(out), preview, previewMark);
        std::printf("%s  %d x %d  %.1f s  %s\n", out.c_str(), image.width, image.height, watch.seconds(),
                    metadataAt<std::string>(image.metadata, "firn.denoiser")->c_str());
    }

    /// None if the picture is damaged, which is told once.
    std::optional<Image> readTraced(const fs::path& picture)
    {
        if (m_damaged.contains(picture)) return std::nullopt;
        std::optional<Image> image = readUndamaged(picture);
        if (!image) {
            m_damaged.insert(picture);
            return std::nullopt;
        }
        return tracedPart(std::move(*image));
    }

    /// Of a picture that was copied or renamed.
    static void warnOfName(const Image& image, const fs::path& picture)
    {
        if (const auto named = frameOf(picture)) warnOfOtherFrame(picture, image.metadata, *named);
    }

    /// Adds denoised.*.
    void addLayers(Image& image, const fs::path& picture)
    {
        const auto warnOf = [&](const std::string& text) { warn(picture.string() + ": " + text); };
        try {
            const std::vector<Image> neighbours = readNeighbours(image, picture);
            if (neighbours.empty()) {
                if (m_job.neighbours > 0 && m_withoutCount++ == 0) m_firstWithout = picture;
                m_denoiser.addLayers(image, nullptr, warnOf);
                return;
            }
            Image input = withNeighbours(image, neighbours);
            m_denoiser.addLayers(input, nullptr, warnOf);
            for (Channel& channel : input.channels) {
                if (channel.name.starts_with("denoised.")) image.add(channel.name).pixels = std::move(channel.pixels);
            }
            const std::string count = std::to_string(neighbours.size());
            image.metadata["firn.denoiser"] = *metadataAt<std::string>(input.metadata, "firn.denoiser") + ", " + count +
                                              (count == "1" ? " neighbour" : " neighbours");
        } catch (const Error& error) {
            throw Error(error.code(), picture.string() + ": " + error.what());
        }
    }

    std::vector<Image> readNeighbours(const Image& image, const fs::path& picture)
    {
        std::vector<Image> neighbours;
        for (const fs::path& path : neighboursOf(picture, m_job.pictures, m_job.neighbours)) {
            std::optional<Image> other = readTraced(path);
            if (!other) continue;
            const PictureTraits about = traitsOf(*other);
            const bool wasRenamed = about.frame && about.frame != frameOf(path);  // warnOfName() tells
            if (wasRenamed) continue;
            const std::string differs = differenceOf(traitsOf(image), about);
            if (!differs.empty()) {
                warn("warning: " + path.string() + " is not used for " + picture.string() + ": " + differs);
            } else if (!showSamePlaces(image, *other)) {
                m_doesCameraMove = true;
            } else if (haveSameSeed(image, *other)) {
                warnOfSeed(picture, path);
            } else {
                neighbours.push_back(std::move(*other));
            }
        }
        return neighbours;
    }

    void warnOfMissingNeighbours() const
    {
        const bool isOne = m_withoutCount == 1;
        const std::string pictures =
            isOne ? m_firstWithout.string() + " was"
                  : std::to_string(m_withoutCount) + " pictures, such as " + m_firstWithout.string() + ", were";
        const std::string reach = std::to_string(m_job.neighbours) + (m_job.neighbours == 1 ? " frame" : " frames");
        warn("warning: " + pictures + " denoised without neighbours: " +
             (m_doesCameraMove ? "the camera moves"
                               : "no other of the given pictures within " + reach + " can be used"));
    }

    /// Once. Such neighbours have the same noise where nothing moves.
    void warnOfSeed(const fs::path& a, const fs::path& b)
    {
        if (std::exchange(m_isSeedWarned, true)) return;
        warn("warning: " + a.string() + " and " + b.string() +
             " have the same seed, so their noise is the same where nothing moves: they are not used for each other. "
             "Render the frames with --set render.vary_seed=true");
    }

    const DenoiseJob& m_job;
    LayerDenoiser m_denoiser;
    FileTimes m_before;  // pictures in --out, as the command began
    std::set<fs::path> m_damaged;
    bool m_isSeedWarned = false, m_doesCameraMove = false;
    std::size_t m_withoutCount = 0;  // of pictures for which neighbours were asked for, and not used
    fs::path m_firstWithout;
};

}  // namespace

ExitCode denoisePictures(const DenoiseJob& job)
{
    DenoiseRun run(job);
    requireOutputs(job, run.denoiser());
    prepareFolder(job.out);
    openLogIn(job.out);
    ExitCode code = ExitCode::Done;
    runWithThreads(chooseThreads(job.threads).count, [&] { code = run.run(); });
    return code;
}

}  // namespace firn
