#include "common/error.h"

#include <catch2/catch.hpp>

using namespace firn;

TEST_CASE("Text in messages is one line of UTF-8 without control characters")
{
    CHECK(clampText("a\nb\x1b[31m") == "a b [31m");
    CHECK(clampText("wa\x89"
                    "e") == "wa?e");  // no UTF-8
    CHECK(clampText("Gr\xc3\xbc\xc3\x9f"
                    "e") ==
          "Gr\xc3\xbc\xc3\x9f"
          "e");
    CHECK(clampText("\xe2\x82") == "??");  // cut
    CHECK(clampText("\xc0\xaf\xed") == "???");
    CHECK(clampText("\xc2\x9b"
                    "5m") == "??5m");  // a control character of two bytes
    CHECK(clampText("abc", 2) == "ab...");
    CHECK(clampText("a\xc3\xbc"
                    "b",
                    2) == "a\xc3\xbc...");  // not within a character
}
