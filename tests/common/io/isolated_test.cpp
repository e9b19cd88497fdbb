// Work in a process of its own.

#include "common/io/isolated.h"

#include <catch2/catch.hpp>
#include <csignal>

#include "common/error.h"

using namespace firn;

TEST_CASE("what isolated work returns arrives whole", "[io]")
{
    std::string bytes;
    for (int i = 0; i < 3'000'000; ++i) bytes += static_cast<char>(i * 7);
    CHECK(runIsolated("file", [&] { return bytes; }) == bytes);
    CHECK(runIsolated("file", [] { return std::string(); }).empty());
}

TEST_CASE("errors of isolated work keep their code and message", "[io]")
{
    try {
        runIsolated("file", []() -> std::string { throw Error(ExitCode::Usage, "file: found 3, expected 4"); });
        FAIL("no error");
    } catch (const Error& e) {
        CHECK(e.code() == ExitCode::Usage);
        CHECK(std::string(e.what()) == "file: found 3, expected 4");
    }
}

TEST_CASE("a crash of isolated work is an error of the file and nothing else", "[io]")
{
    for (const int number : {SIGSEGV, SIGABRT, SIGKILL}) {
        try {
            runIsolated("scan.fbx", [&]() -> std::string {
                signal(number, SIG_DFL);
                raise(number);
                return "unreached";
            });
            FAIL("no error");
        } catch (const Error& e) {
            CHECK(e.code() == ExitCode::File);
            CHECK_THAT(e.what(), Catch::StartsWith("scan.fbx: "));
        }
    }
}
