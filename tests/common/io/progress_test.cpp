#include "common/io/progress.h"

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

#include "common/error.h"

using namespace firn;

TEST_CASE("Without a terminal progress is one plain line per frame")
{
    std::ostringstream out;
    Progress progress(ProgressMode::Auto, out, false);
    progress.live(0.1, "substep 3");
    progress.frame(1, "frame 1", "{}");
    CHECK(out.str() == "frame 1\n");
}

TEST_CASE("On a terminal the live line is replaced in place and gone when a frame is done")
{
    setenv("TERM", "xterm", 1);
    setenv("NO_COLOR", "1", 1);
    std::ostringstream out;
    {
        Progress progress(ProgressMode::Auto, out, true);
        progress.start(0.42);  // so that the time left is unknown
        progress.live(0.42, "substep 3");
        progress.live(0.43, "substep 4");  // within a tenth of a second: not shown
    }
    unsetenv("NO_COLOR");
    CHECK(out.str() == "\r\033[K42%  substep 3" + std::string("\r\033[K"));
}

TEST_CASE("Farms read ALF_PROGRESS and scripts read JSON, a line each")
{
    std::ostringstream alf, json, none;
    Progress(ProgressMode::Alf, alf, true).frame(0.421, "frame 1", "{\"frame\":1}");
    Progress(ProgressMode::Json, json, true).frame(0.421, "frame 1", "{\"frame\":1}");
    Progress(ProgressMode::None, none, true).frame(0.421, "frame 1", "{\"frame\":1}");
    CHECK(alf.str() == "ALF_PROGRESS 42%\n");
    CHECK(json.str() == "{\"frame\":1}\n");
    CHECK(none.str().empty());
}

TEST_CASE("Time left is judged by the work of this run alone")
{
    std::ostringstream out;
    Progress progress(ProgressMode::Plain, out, false);
    progress.start(0.5);
    CHECK(progress.secondsLeft(0.5) < 0);  // unknown
    // From 0.5 to 0.75 took t > 0, so the quarter left takes t as well; two calls differ by their own duration only.
    const double half = progress.secondsLeft(0.75), most = progress.secondsLeft(0.9);
    CHECK(half >= 0);
    CHECK(most >= 0);
    CHECK(progress.secondsLeft(1) == 0);
}

TEST_CASE("Time left is judged by the last five frames")
{
    std::ostringstream out;
    Progress progress(ProgressMode::Plain, out, false);
    std::this_thread::sleep_for(std::chrono::milliseconds(500));  // the first frame is slow
    progress.frame(0.25, "frame 1", "{}");
    for (int frame = 2; frame <= 4; ++frame) progress.frame(0.05 * frame + 0.2, "", "{}");
    CHECK(progress.secondsLeft(0.45) > 0.5);  // of the fifth; 0.5 * 0.55 / 0.45
    progress.frame(0.45, "", "{}");
    CHECK(progress.secondsLeft(0.5) < 0.3);  // of the sixth: the slow one no longer counts
}

TEST_CASE("Skipped frames have no time left, and do not count as work")
{
    std::ostringstream out, alf, json;
    Progress progress(ProgressMode::Plain, out, false);
    progress.skip(0, 0.5, "frame 1  exists, skipped");
    CHECK(progress.secondsLeft(0.5) < 0);
    CHECK(out.str() == "frame 1  exists, skipped\n");
    Progress(ProgressMode::Alf, alf, false).skip(0, 0.5, "frame 1");
    Progress(ProgressMode::Json, json, false).skip(0, 0.5, "frame 1");
    CHECK(alf.str() == "ALF_PROGRESS 50%\n");
    CHECK(json.str().empty());
}

TEST_CASE("Warnings and how they end are printed in every mode, the same warning once")
{
    std::ostringstream out;
    Progress progress(ProgressMode::None, out, false);
    progress.message("frames 1-2");
    progress.warning("frame 1 is missing");
    progress.warning("frame 1 is missing");
    progress.notice("frame 1 is restored");
    CHECK(out.str() == "warning: frame 1 is missing\nframe 1 is restored\n");
}

TEST_CASE("A log that cannot be written does not stop the work")
{
    std::ofstream full("/dev/full");
    Progress progress(ProgressMode::Plain, full, false);
    CHECK_NOTHROW(progress.frame(0.5, "frame 1", "{}"));
    CHECK_NOTHROW(progress.message("text"));
}

TEST_CASE("Progress modes are known by name")
{
    CHECK(parseProgressMode("alf") == ProgressMode::Alf);
    CHECK(parseProgressMode("none") == ProgressMode::None);
    CHECK_THROWS_AS(parseProgressMode("loud"), Error);
}

TEST_CASE("Durations and sizes read as people write them")
{
    CHECK(formatDuration(0) == "0:00");
    CHECK(formatDuration(61) == "1:01");
    CHECK(formatDuration(3723) == "1:02:03");
    CHECK(formatBytes(999) == "999 B");
    CHECK(formatBytes(1400) == "1.4 kB");
    CHECK(formatBytes(3.12e8) == "312 MB");
    CHECK(formatBytes(9.99e8) == "999 MB");
    CHECK(formatBytes(9.999e8) == "1.0 GB");
}
