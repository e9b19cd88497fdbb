#include "common/io/own_file.h"

#include <catch2/catch.hpp>
#include <fstream>

#include "common/error.h"
#include "common/image/png.h"
#include "common/page/page.h"
#include "tests/temporary_folder.h"

using namespace firn;

TEST_CASE("An output replaces nothing, or a file with Firn's mark near its beginning or end")
{
    TemporaryFolder folder;
    CHECK_NOTHROW(requireReplaceable(folder / "none", "sheet"));
    const std::string mark(makerMark), filler(100000, 'x');
    for (const auto& [text, isOurs] : std::vector<std::pair<std::string, bool>>{{"", false},
                                                                                {"a plate", false},
                                                                                {mark, true},
                                                                                {mark + filler, true},
                                                                                {filler + filler + mark, true},
                                                                                {filler + mark + filler, false}}) {
        std::ofstream(folder / "file") << text;
        CHECK(isMarked(folder / "file") == isOurs);
        if (isOurs) {
            CHECK_NOTHROW(requireReplaceable(folder / "file", "sheet"));
        } else {
            CHECK_THROWS_AS(requireReplaceable(folder / "file", "sheet"), Error);
        }
    }
    CHECK_FALSE(isMarked(folder.path));
}

TEST_CASE("A page and a PNG with the mark in its comment replace themselves; another page is refused")
{
    TemporaryFolder folder;
    writeFileChecked(folder / "page.html", makePage({"firn-sim report", "title", "", "", "", "{}", ""}));
    CHECK_NOTHROW(requireReplaceablePage(folder / "page.html", "firn-sim report"));
    CHECK_THROWS_AS(requireReplaceablePage(folder / "page.html", "firn-render compare"), Error);
    CHECK(isMarked(folder / "page.html"));
    std::ofstream(folder / "other.html") << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<title>notes</title>";
    CHECK_THROWS_AS(requireReplaceablePage(folder / "other.html", "firn-sim report"), Error);

    const Rgb8Image image{2, 1, {1, 2, 3, 4, 5, 6}};
    writeFileChecked(folder / "sheet.png", withComment(encodePng(image), markOf("sheet")));
    CHECK_NOTHROW(requireReplaceable(folder / "sheet.png", "sheet"));
    CHECK_THROWS_WITH(
        requireReplaceable(folder / "sheet.png", "movie"),
        Catch::EndsWith(
            "exists, and nothing shows that Firn wrote it as a movie: move it away, or choose another place"));
    CHECK(decodePng(readFile(folder / "sheet.png"), "sheet").pixels == image.pixels);
    writePng(folder / "preview.png", image);
    CHECK_THROWS_AS(requireReplaceable(folder / "preview.png", "sheet"), Error);
}
