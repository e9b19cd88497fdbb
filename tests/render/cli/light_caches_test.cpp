// Light caches that are kept in a folder, and pictures that use them.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "common/io/checked_file.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

namespace {

/// The farm with a folder of light caches.
struct CachedFarm : Farm {
    fs::path folder = root / "light";

    /// Renders frame 1 and returns what was told, also in the log.
    std::string told(const std::vector<std::string>& more, int code = 0) const
    {
        std::vector<std::string> arguments = {
            "--frames", "1", "--set", "render.transport=\"cached\"", "--set", "render.cache_photons=20000"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const fs::path log = job.out / "firn-render.log";
        fs::remove(log);
        const CapturedErrors errors;
        CHECK(frames(arguments) == code);
        std::ostringstream text;
        text << errors.text() << std::ifstream(log).rdbuf();
        return text.str();
    }
    std::string toldWithFolder(std::vector<std::string> more = {}, int code = 0) const
    {
        more.insert(more.end(), {"--light-caches", folder.string()});
        return told(more, code);
    }
    std::vector<std::byte> picture() const { return readFile(image(1, ".exr")); }
    std::vector<fs::path> kept() const
    {
        std::vector<fs::path> files;
        for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
        return files;
    }
};

const auto isUsed = Catch::Contains("frame 1: uses the light cache of an earlier run");

}  // namespace

TEST_CASE("A kept light cache gives the picture the bytes that it has without")
{
    const CachedFarm farm;
    farm.told({});
    const std::vector<std::byte> picture = farm.picture();
    CHECK_THAT(farm.toldWithFolder(), !isUsed);
    CHECK(farm.picture() == picture);
    REQUIRE(farm.kept().size() == 1);
    CHECK_THAT(farm.toldWithFolder(), isUsed);
    CHECK(farm.picture() == picture);
    CHECK_THAT(farm.toldWithFolder({"--spp", "3", "--exposure", "1", "--force"}), isUsed);
    CHECK(farm.kept().size() == 1);
}

TEST_CASE("Whatever changes the light makes another light cache")
{
    const CachedFarm farm;
    farm.toldWithFolder();
    std::size_t count = 1;
    for (const std::vector<std::string>& change :
         std::vector<std::vector<std::string>>{{"--seed", "7"},
                                               {"--res", "30x20", "--force"},
                                               {"--crop", "2,2,10,8", "--force"},
                                               {"--set", "camera.position=[0.5, 0.3, 0.5]", "--force"},
                                               {"--set", "render.cache_photons=30000"},
                                               {"--set", "snow.0.material.density_kg_m3=300", "--force"}}) {
        INFO(change[0] << " " << change[1]);
        CHECK_THAT(farm.toldWithFolder(change), !isUsed);
        CHECK(farm.kept().size() == ++count);
    }
}

TEST_CASE("A damaged light cache is named and made again; a file that is none is refused and stays")
{
    const CachedFarm farm;
    farm.toldWithFolder();
    const fs::path path = farm.kept().at(0);
    const std::vector<std::byte> whole = readFile(path), picture = farm.picture();
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(-100, std::ios::end).put('x').put('y');
    CHECK_THAT(farm.toldWithFolder(), Catch::Contains(path.filename().string() + " is damaged") &&
                                          Catch::Contains("the light cache is made again") && !isUsed);
    CHECK(readFile(path) == whole);
    CHECK(farm.picture() == picture);
    std::ofstream(path) << "a poem";
    CHECK_THAT(farm.toldWithFolder({}, 3),
               Catch::Contains("exists, and nothing shows that Firn wrote it: move it away"));
    CHECK(fs::file_size(path) == 6);
}

TEST_CASE("Without render.transport = cached there is nothing to keep, and a warning says so")
{
    const CachedFarm farm;
    CHECK_THAT(farm.toldWithFolder({"--set", "render.transport=\"paths\""}),
               Catch::Contains("--light-caches has no effect"));
    CHECK_FALSE(fs::exists(farm.folder));
}
