// Lock, stats and USD layer: what stands beside the frames.
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "common/cache/layout.h"
#include "common/cache/lock.h"
#include "common/cache/stats.h"
#include "common/cache/usda.h"
#include "common/error.h"
#include "tests/temporary_folder.h"

using namespace firn;

namespace {

StatsLine line(int frame)
{
    return parseStatsLine(R"({"frame":)" + std::to_string(frame) +
                              R"(,"files":[{"name":"snow.vdb","bytes":12,"checksum":"ab"}],"seconds":1.5})",
                          "test");
}

std::string errorOf(const std::function<void()>& action)
{
    try {
        action();
    } catch (const Error& error) {
        CHECK(error.code() == ExitCode::File);
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("Stats come back as they were written, in order, and later frames can be dropped")
{
    TemporaryFolder folder;
    {
        StatsFile stats(folder / "stats.jsonl");
        CHECK(stats.lines().empty());
        for (const int frame : {-1, 0, 1, 2}) stats.add(line(frame));
    }
    StatsFile stats(folder / "stats.jsonl");
    REQUIRE(stats.lines().size() == 4);
    CHECK(stats.find(1)->text == line(1).text);
    CHECK(stats.find(1)->files.at(0).bytes == 12);
    CHECK(stats.find(1)->files.at(0).checksum == "ab");
    CHECK(stats.find(3) == nullptr);
    stats.keepUntil(0);
    CHECK(StatsFile(folder / "stats.jsonl").lines().size() == 2);
}

TEST_CASE("Damaged stats are refused with their line")
{
    TemporaryFolder folder;
    const std::string good = line(1).text + "\n";
    for (const std::string& bad :
         {std::string("{\"frame\":2"), std::string("[]"), std::string("{\"frame\":\"2\",\"files\":[]}"), line(1).text,
          std::string(R"({"frame":2,"files":[{"name":"../x","bytes":1,"checksum":""}]})")}) {
        std::ofstream(folder / "stats.jsonl") << good << bad << "\n";
        CHECK(errorOf([&] { StatsFile stats(folder / "stats.jsonl"); }).find("stats.jsonl:2: ") != std::string::npos);
    }
}

TEST_CASE("A USD layer is known as a run's own only when nothing in it was changed")
{
    using Files = std::vector<std::pair<int, std::string>>;
    for (const double fps : {24.0, 23.976, 30000.0 / 1001, 1e-9}) {
        for (const Files& files :
             {Files{}, Files{{-1, "snow.-001.vdb"}}, Files{{1, "snow.0001.vdb"}, {12345, "snow.12345.vdb"}}}) {
            const std::string text = usdaText(files, fps);
            CHECK(framesOfUsdaText(text)->size() == files.size());
            CHECK_FALSE(framesOfUsdaText(text + "\n"));
            CHECK_FALSE(framesOfUsdaText(text.substr(1)));
            CHECK_FALSE(framesOfUsdaText(text.substr(0, text.size() / 2)));
        }
    }
    CHECK_FALSE(framesOfUsdaText(""));
    CHECK_FALSE(framesOfUsdaText(usdaText({{1, "snow.0001.vdb"}, {2, "snow.0001.vdb"}}, 24)));  // edited
}

TEST_CASE("A folder in use is refused at once, naming the process, and free again when that one ends")
{
    TemporaryFolder folder;
    int ready[2], done[2];
    REQUIRE(pipe(ready) == 0);
    REQUIRE(pipe(done) == 0);
    const pid_t child = fork();
    if (child == 0) {
        const FolderLock lock(folder.path);
        char byte = 'x';
        if (write(ready[1], &byte, 1) != 1 || read(done[0], &byte, 1) != 1) _exit(1);
        _exit(0);  // without destructors, as when killed
    }
    char byte = 0;
    REQUIRE(read(ready[0], &byte, 1) == 1);
    const std::string error = errorOf([&] { FolderLock second(folder.path); });
    CHECK(error.find(folder.path.string() + " is in use by process " + std::to_string(child) + ":") == 0);
    REQUIRE(write(done[1], &byte, 1) == 1);
    waitpid(child, nullptr, 0);
    CHECK_NOTHROW(FolderLock(folder.path));
    for (const int fd : {ready[0], ready[1], done[0], done[1]}) close(fd);
}

TEST_CASE("A lock whose folder was moved or whose file was removed is not held any more")
{
    const TemporaryFolder folder;
    const std::filesystem::path cache = folder / "cache";
    std::filesystem::create_directory(cache);
    const FolderLock lock(cache);
    CHECK_NOTHROW(lock.requireHeld());
    SECTION("moved") { std::filesystem::rename(cache, folder / "moved"); }
    SECTION("moved and made again")
    {
        std::filesystem::rename(cache, folder / "moved");
        std::filesystem::create_directory(cache);
        const FolderLock other(cache);
        CHECK_NOTHROW(other.requireHeld());
    }
    SECTION("removed") { std::filesystem::remove(CacheLayout{cache}.lockPath()); }
    CHECK_THAT(errorOf([&] { lock.requireHeld(); }), Catch::StartsWith(cache.string() + " was moved, or its "));
}

TEST_CASE("The USD layer names a file per frame and its units")
{
    const std::string text = usdaText({{1, "snow.0001.vdb"}, {2, "snow.0002.vdb"}}, 24);
    CHECK(text.find("#usda 1.0") == 0);
    for (const char* part :
         {"metersPerUnit = 1\n", "upAxis = \"Y\"", "timeCodesPerSecond = 24\n", "startTimeCode = 1\n",
          "endTimeCode = 2\n", "1: @./snow.0001.vdb@", "2: @./snow.0002.vdb@"}) {
        CHECK(text.find(part) != std::string::npos);
    }
}
