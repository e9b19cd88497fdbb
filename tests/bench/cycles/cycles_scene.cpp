// Firn's side of the comparison with Blender Cycles; compare.py runs it. All output is JSON.
//
//     cycles_scene scene FOLDER                 writes density.vdb and scene.json: all that Cycles needs
//     cycles_scene render PICTURE.exr OPTIONS   renders the same, on one thread
//     cycles_scene compare REFERENCE PICTURES   errors of pictures of several seeds
//
// All samples lie at the centre of their pixel, so that the filters of the two renderers do not matter.

#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "ball_scene.h"
#include "common/image/exr.h"
#include "common/io/json.h"
#include "common/io/threads.h"
#include "picture_errors.h"
#include "render/frame.h"
#include "render/light_cache.h"

using namespace firn;
using namespace firn::bench;

namespace {

struct RenderOptions {
    std::filesystem::path picture;
    std::vector<float> albedo = {0.9f, 0.95f, 0.99f};
    bool is_cached = false;
    int spp = 16;
    double photons_per_pixel = 0;
    int max_bounces = 0;
    std::uint64_t seed = 1;
};

double userSeconds()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_utime.tv_sec) + 1e-6 * static_cast<double>(usage.ru_utime.tv_usec);
}

/// CPU seconds since the last call, or since the start of the program.
double lap()
{
    static double last = 0;
    const double now = userSeconds(), seconds = now - last;
    last = now;
    return seconds;
}

bool goOn(double) { return true; }

void writeScene(const std::filesystem::path& folder)
{
    const BallScene scene;
    std::filesystem::create_directories(folder);
    openvdb::io::File((folder / "density.vdb").string()).write({vdbOf(densityOf(scene))});
    std::ofstream(folder / "scene.json") << jsonText(describe(scene), 1) << "\n";
}

/// As many photons per pixel as a quarter of the paths, from 16 to 64: the choice of firn-render.
LightCacheSettings cacheSettings(const RenderOptions& options, const FrameSettings& frame)
{
    const double perPixel =
        options.photons_per_pixel > 0 ? options.photons_per_pixel : std::clamp(0.25 * options.spp, 16., 64.);
    LightCacheSettings settings;
    settings.photons = static_cast<std::uint64_t>(perPixel * frame.width * frame.height);
    settings.seed = options.seed;
    return settings;
}

/// R, G, B and A alone, so that any program reads the file.
Image pictureOf(const Film& film)
{
    Image image = film.image();
    std::erase_if(image.channels, [](const Channel& channel) { return channel.name.size() > 1; });
    return image;
}

nlohmann::json render(const RenderOptions& options)
{
    const BallScene ball;
    const DensityGrid density = densityOf(ball);
    FrameSettings settings;
    settings.width = settings.height = ball.picture_px;
    settings.spp = options.spp;
    settings.filter_radius_px = 0;
    settings.seed = options.seed;
    const PlacedCamera camera(cameraOf(ball), 0, settings.width, settings.height);

    lap();
    const Volume volume = volumeFromDensity(density, 1);
    RenderScene scene;
    scene.volume = &volume;
    scene.lights = lightsOf(ball);
    scene.medium = {Vec3f(options.albedo.data()), ball.g};
    scene.max_bounces = options.max_bounces;
    const std::vector<ShadowRoulette> roulettes = makeShadowRoulettes(volume, scene.lights);
    scene.shadow_roulettes = roulettes;
    const double preparation = lap();

    std::unique_ptr<const LightCache> cache;
    if (options.is_cached) {
        cache = std::make_unique<const LightCache>(scene, camera, windowOf(settings), cacheSettings(options, settings),
                                                   goOn);
    }
    const double filling = lap();
    scene.light_cache = cache.get();

    FrameState state(settings);
    renderFrame({scene, camera}, settings, state, {.go_on = goOn});
    const double rendering = lap();
    writeExr(options.picture, pictureOf(state.film), {.half = false});
    const PathCounts& counts = state.film.counts;
    return {{"preparation", preparation},
            {"cache", filling},
            {"render", rendering},
            {"scatterings_per_path", static_cast<double>(counts.collisions) / static_cast<double>(counts.paths)}};
}

int run(int argc, char** argv)
{
    CLI::App program("Firn's side of the comparison with Blender Cycles.");
    program.require_subcommand(1);

    std::filesystem::path folder;
    CLI::App* writing = program.add_subcommand("scene", "Writes the scene for Cycles.");
    writing->add_option("folder", folder)->required();

    RenderOptions options;
    CLI::App* rendering = program.add_subcommand("render", "Renders the scene on one thread.");
    rendering->add_option("picture", options.picture)->required();
    rendering->add_option("--albedo", options.albedo, "of red, green and blue")->expected(3);
    rendering->add_flag("--cached", options.is_cached, "end paths on the light cache");
    rendering->add_option("--spp", options.spp, "paths per pixel");
    rendering->add_option("--photons", options.photons_per_pixel, "of the light cache, per pixel; 0 = from --spp");
    rendering->add_option("--max-bounces", options.max_bounces, "0 = unlimited");
    rendering->add_option("--seed", options.seed);

    std::filesystem::path reference;
    std::vector<std::filesystem::path> pictures;
    CLI::App* comparing = program.add_subcommand("compare", "Errors of pictures of different seeds.");
    comparing->add_option("reference", reference)->required();
    comparing->add_option("pictures", pictures)->required();

    CLI11_PARSE(program, argc, argv);
    if (*writing) writeScene(folder);
    if (*rendering) runWithThreads(1, [&] { std::cout << jsonText(render(options)) << "\n"; });
    if (*comparing) std::cout << jsonText(compare(reference, pictures)) << "\n";
    return 0;
}

}  // namespace

int main(int argc, char** argv)
{
    try {
        openvdb::initialize();
        return run(argc, argv);
    } catch (const std::exception& error) {
        std::cerr << "error: " << error.what() << "\n";
        return 1;
    }
}
