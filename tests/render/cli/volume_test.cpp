// firn-render volume: which files it writes, keeps and refuses to replace.
#include <catch2/catch.hpp>
#include <numeric>

#include "render/cli/volume_job.h"
#include "render/export/vdb_volume.h"
#include "tests/render/cli/captured_errors.h"
#include "tests/render/cli/farm.h"

using namespace firn;
using namespace firn::test;

namespace {

int volumes(const Farm& farm, const std::vector<std::string>& more)
{
    return farm.run(farm.argumentsOf("volume", more));
}

std::string contentOf(const fs::path& path)
{
    const std::vector<std::byte> bytes = readFile(path);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("Volumes of the cache's frames are written, with the mass of the snow")
{
    const Farm farm;
    listFrames(farm.job.cache);
    const CapturedErrors errors;
    REQUIRE(farm.run({"volume", farm.job.shot.string(), "--cache", farm.job.cache.string(), "--out",
                      farm.job.out.string(), "--progress", "json", "--set", "render.detail=\"off\"", "--float"}) == 0);
    std::istringstream lines(errors.text());
    std::string line;
    REQUIRE(std::getline(lines, line));
    const auto frame = nlohmann::json::parse(line);
    CHECK(frame.at("file") == "tiny.0001.vdb");
    CHECK(frame.at("voxel_m") == Approx(0.025));
    CHECK(frame.at("mass_kg").get<double>() == Approx(256 * 400 * 1.5625e-5).epsilon(1e-4));
    CHECK(fs::exists(farm.image(2, ".vdb")));
}

TEST_CASE("Finished volumes are kept, others are not replaced unasked")
{
    const Farm farm;
    listFrames(farm.job.cache);
    REQUIRE(volumes(farm, {"--frames", "1"}) == 0);
    const fs::path file = farm.image(1, ".vdb");
    const std::string first = contentOf(file);
    const CapturedErrors errors;
    CHECK(volumes(farm, {}) == 2);
    CHECK_THAT(errors.text(), Catch::Contains("tiny.0001.vdb exists: add --resume"));
    CHECK(volumes(farm, {"--resume", "--voxel", "0.03"}) == 2);
    CHECK_THAT(errors.text(), Catch::Contains("is of other snow, another scene or other options"));
    CHECK(contentOf(file) == first);
    const auto time = fs::last_write_time(file);
    CHECK(volumes(farm, {"--resume"}) == 0);
    CHECK(fs::last_write_time(file) == time);
    CHECK(fs::exists(farm.image(2, ".vdb")));
    CHECK(volumes(farm, {"--force", "--frames", "1", "--voxel", "0.03"}) == 0);
    CHECK(contentOf(file) != first);
}

TEST_CASE("Files that are no volumes of Firn's, and caches, stay")
{
    const Farm farm;
    listFrames(farm.job.cache);
    fs::create_directory(farm.job.out);
    fs::copy_file(farm.cacheFile(1), farm.image(1, ".vdb"));
    const CapturedErrors errors;
    for (const char* option : {"--resume", "--force"}) {
        CHECK(volumes(farm, {option}) == 3);
        CHECK_THAT(errors.text(), Catch::Contains("tiny.0001.vdb was not written by firn-render volume"));
    }
    CHECK(farm.run({"volume", farm.job.shot.string(), "--cache", farm.job.cache.string(), "--out",
                    farm.job.cache.string()}) == 2);
    CHECK_THAT(errors.text(), Catch::Contains("holds a cache: choose another --out"));
    CHECK(volumes(farm, {"--up", "x"}) == 2);
    CHECK_THAT(errors.text(), Catch::Contains("--up is 'x', expected y or z"));
    CHECK(volumes(farm, {"--voxel", "0"}) == 2);
    CHECK_THAT(errors.text(), Catch::Contains("--voxel is '0', expected a number from 1e-05 to 100"));
}

TEST_CASE("A USD layer refers to the volumes, and to no others")
{
    const Farm farm;
    listFrames(farm.job.cache);
    REQUIRE(volumes(farm, {}) == 0);
    const fs::path layer = farm.root / "shots/tiny.usda";
    const std::vector<std::string> arguments{"usd",   farm.job.shot.string(), "--volumes", farm.job.out.string(),
                                             "--out", layer.string()};
    const auto with = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all = arguments;
        all.insert(all.end(), more.begin(), more.end());
        return farm.run(all);
    };
    const CapturedErrors errors;
    REQUIRE(with({}) == 0);
    CHECK_THAT(contentOf(layer), Catch::Contains("2: @../out/tiny.0002.vdb@,") && Catch::Contains("def Mesh"));
    CHECK(with({"--frames", "1-3"}) == 3);
    CHECK_THAT(errors.text(), Catch::Contains("tiny.0003.vdb: no such file"));
    CHECK(with({"--frames", "9"}) == 2);
    CHECK(with({"--set", "solver.dx=0.06"}) == 3);
    CHECK_THAT(errors.text(), Catch::Contains("tiny.0001.vdb is of another scene"));
    REQUIRE(volumes(farm, {"--force", "--up", "z"}) == 0);
    CHECK(with({}) == 3);
    CHECK_THAT(errors.text(), Catch::Contains("was written with --up z"));
    fs::remove(farm.image(1, ".vdb"));
    fs::copy_file(farm.cacheFile(1), farm.image(1, ".vdb"));
    CHECK(with({}) == 3);
    CHECK_THAT(errors.text(), Catch::Contains("tiny.0001.vdb was not written by firn-render volume"));
    std::ofstream(layer) << "#usda 1.0\n";
    CHECK(farm.run({"usd", farm.job.shot.string(), "--out", layer.string()}) == 3);
    CHECK(contentOf(layer) == "#usda 1.0\n");
    CHECK(farm.run({"usd", farm.job.shot.string(), "--out", (farm.root / "tiny.usd").string()}) == 2);
    CHECK(farm.run({"usd", farm.job.shot.string(), "--out", (farm.root / "other.usda").string()}) == 0);
    CHECK_THAT(contentOf(farm.root / "other.usda"), !Catch::Contains("OpenVDBAsset"));
}
