#include "common/io/log.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "common/error.h"
#include "tests/temporary_folder.h"
#include "tests/text_of.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

bool holds(const fs::path& path, const std::string& text) { return textOf(path).find(text) != std::string::npos; }

}  // namespace

TEST_CASE("A log holds the events of its level and above, also of an earlier run")
{
    TemporaryFolder folder;
    for (const std::string run : {"first", "second"}) {
        openLog(folder / "firn.log", LogLevel::Info);
        CHECK(isLogged(LogLevel::Warning));
        CHECK_FALSE(isLogged(LogLevel::Debug));
        log(LogLevel::Debug, run + " detail");
        log(LogLevel::Info, run + " {} 100 %s");
        log(LogLevel::Error, run + " fault");
        closeLog();
        CHECK_FALSE(isLogged(LogLevel::Error));
        log(LogLevel::Error, "after the end");
    }
    for (const char* text : {"info     first {} 100 %s", "error    first fault", "second fault"}) {
        CHECK(holds(folder / "firn.log", text));
    }
    CHECK_FALSE(holds(folder / "firn.log", "detail"));
    CHECK_FALSE(holds(folder / "firn.log", "after the end"));
    openLog(folder / "off.log", LogLevel::Off);
    log(LogLevel::Error, "nothing");
    CHECK_FALSE(fs::exists(folder / "off.log"));
    CHECK(parseLogLevel("warning") == LogLevel::Warning);
    CHECK_THROWS_AS(parseLogLevel("loud"), Error);
}

TEST_CASE("A log does not grow beyond its limit, and the file before it is kept")
{
    TemporaryFolder folder;
    openLog(folder / "firn.log", LogLevel::Info);
    // Four times the limit: the two newest parts remain.
    const std::string text(1000, 'x');
    for (std::size_t i = 0; i < 4 * logBytes / text.size(); ++i) log(LogLevel::Info, text);
    log(LogLevel::Info, "the end");
    closeLog();
    CHECK(holds(folder / "firn.log", "the end"));
    CHECK(fs::file_size(folder / "firn.log") < logBytes + 100);  // and the first line
    CHECK(fs::file_size(folder / "firn.1.log") < logBytes + 100);
    CHECK(folder.entries() == 2);
}

TEST_CASE("A log that cannot be written stops nothing and changes no file of others")
{
    TemporaryFolder folder;
    std::ofstream(folder / "notes.log") << "shopping list\n";
    std::ofstream(folder / "run.1.log") << "another program's\n";
    for (const fs::path& path : {fs::path("/dev/full"), fs::path("/proc/firn/firn.log"), folder / "notes.log",
                                 folder / "run.log", folder.path}) {
        openLog(path, LogLevel::Info);
        for (int i = 0; i < 3; ++i) log(LogLevel::Error, "lost");
        CHECK_FALSE(isLogged(LogLevel::Error));
        closeLog();
    }
    CHECK(textOf(folder / "notes.log") == "shopping list\n");
    CHECK(textOf(folder / "run.1.log") == "another program's\n");
    CHECK(fs::exists("/dev/full"));
    CHECK(folder.entries() == 2);
}
