#include "common/io/frame_range.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "common/error.h"
#include "tests/temporary_folder.h"

using namespace firn;
using Frames = std::vector<int>;

TEST_CASE("Frame ranges are read as film tools write them")
{
    CHECK(parseFrames("7") == Frames{7});
    CHECK(parseFrames("1-5") == Frames{1, 2, 3, 4, 5});
    CHECK(parseFrames("1-10x4") == Frames{1, 5, 9});
    CHECK(parseFrames("1,5,9-12") == Frames{1, 5, 9, 10, 11, 12});
    CHECK(parseFrames("-3--1") == Frames{-3, -2, -1});
    CHECK(parseFrames("-1-1") == Frames{-1, 0, 1});
    CHECK(parseFrames("-5") == Frames{-5});
    CHECK(parseFrames("10,1-3,2") == Frames{10, 1, 2, 3});
    CHECK(parseFrames(" 1 , 3-4 ") == Frames{1, 3, 4});
}

TEST_CASE("A wrong frame range is a usage error that shows the wrong part")
{
    for (const char* text : {"", ",", "1,", "1-", "a", "1-5x0", "1-5x", "1-5y2", "5-1", "1--", "1.5", "1e3",
                             "99999999999", "1-999999999", "0x10"}) {
        INFO(text);
        try {
            parseFrames(text);
            FAIL_CHECK("accepted");
        } catch (const Error& error) {
            CHECK(error.code() == ExitCode::Usage);
            CHECK(std::string(error.what()).find("frame range '") == 0);
        }
    }
}

TEST_CASE("Formatting frames is the inverse of parsing them")
{
    for (const char* text : {"1", "1-3", "-3--1,4,9-12", "-5,0"}) CHECK(formatFrames(parseFrames(text)) == text);
    CHECK(formatFrames({}).empty());
}

TEST_CASE("A frame number goes where the name says, padded to its width")
{
    CHECK(framePath("a/snow.####.vdb", 7) == "a/snow.0007.vdb");
    CHECK(framePath("snow.#.vdb", 1001) == "snow.1001.vdb");
    CHECK(framePath("snow.%04d.exr", 12) == "snow.0012.exr");
    CHECK(framePath("snow.%d.exr", 12) == "snow.12.exr");
    CHECK(framePath("snow.$F4.exr", 12) == "snow.0012.exr");
    CHECK(framePath("snow.$F.exr", 12) == "snow.12.exr");
    CHECK(framePath("snow.####.vdb", 123456) == "snow.123456.vdb");
    // As printf("%04d", -5): the sign counts.
    CHECK(framePath("snow.####.vdb", -5) == "snow.-005.vdb");
    CHECK(framePath("take##/snow.####.vdb", 7) == "take##/snow.0007.vdb");
}

TEST_CASE("A name without exactly one place for the frame is refused")
{
    CHECK_THROWS_AS(framePath("snow.vdb", 1), Error);
    CHECK_THROWS_AS(framePath("snow.##.##.vdb", 1), Error);
    CHECK_THROWS_AS(framePath("folder.####/snow.vdb", 1), Error);
}

TEST_CASE("Frames on disk are found by their names, padding included")
{
    TemporaryFolder folder;
    for (const char* name : {"snow.0010.vdb", "snow.-002.vdb", "snow.0002.vdb", "snow.3.vdb", "snow.00x1.vdb",
                             "snow.0004.vdb.bak", "snow.12345.vdb", "snow..vdb"}) {
        std::ofstream(folder / name) << ".";
    }
    CHECK(existingFrames(folder / "snow.####.vdb") == Frames{-2, 2, 10, 12345});
    CHECK(existingFrames(folder / "none/snow.####.vdb").empty());
}
