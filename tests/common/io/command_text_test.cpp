#include "common/io/command_text.h"

#include <catch2/catch.hpp>
#include <cstdio>

using namespace firn;

namespace {

/// What a shell makes of a word.
std::string inShell(const std::string& word)
{
    const std::string command = "printf %s " + word;
    FILE* const pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::string text;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
    CHECK(pclose(pipe) == 0);
    return text;
}

}  // namespace

TEST_CASE("A path in a command is one word for the shell, and stays as it is where that is possible")
{
    for (const char* path :
         {"my cache", "a\"b", "it's", "$HOME/x", "a`b`", "back\\slash", "a;b", "x*", "#1", "~/x", ""})
        CHECK(inShell(shellPath(path)) == path);
    for (const char* path : {"out/take", "/tmp/a-b_c.1+2", "..", "\xc3\xa9t\xc3\xa9"}) CHECK(shellPath(path) == path);
    CHECK(shellPath("my cache") == "\"my cache\"");
}
