// The page of a run as text, and its previews; report_page_test.py opens it in a browser.
#include <catch2/catch.hpp>
#include <fstream>
#include <sstream>

#include "common/io/command_text.h"
#include "sim/cli/density_preview.h"
#include "tests/sim/cli/program.h"
#include "tests/sim/cli/shot.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

ParticleFrame particlesAt(const std::vector<Vec3d>& places)
{
    ParticleFrame frame;
    frame.dx_m = 0.02;
    for (const Vec3d& x : places) {
        frame.position_m.push_back(x);
        frame.velocity_m_s.push_back(Vec3f::Zero());
        frame.mass_kg.push_back(0.001f);
    }
    return frame;
}

/// Red of a preview at shares of its width and height from the top left.
int brightness(const Rgb8Image& image, double u, double v)
{
    const auto x = static_cast<std::size_t>(u * image.width), y = static_cast<std::size_t>(v * image.height);
    return image.pixels[3 * (y * static_cast<std::size_t>(image.width) + x)];
}

PreviewWindow windowOf(const ParticleFrame& frame)
{
    SnowBounds bounds;
    bounds.extend(frame);
    PreviewWindow window = previewWindow(bounds);
    window.reference = middleColumnMass(frame, window);
    return window;
}

}  // namespace

TEST_CASE("A preview looks from the side that shows most, y up, and shows more mass brighter")
{
    // A wall in x and y, 2 cm thick in z; its right upper quarter twice as heavy.
    std::vector<Vec3d> places;
    for (int column = 0; column < 100; ++column) {
        for (int row = 0; row < 50; ++row) {
            const int count = column >= 50 && row > 25 ? 2 : 1;
            for (int i = 0; i < count; ++i) places.emplace_back(0.01 * column - 0.5, 0.01 * row, 0.02 * i);
        }
    }
    const ParticleFrame frame = particlesAt(places);
    const PreviewWindow window = windowOf(frame);
    CHECK(window.across == 0);
    CHECK(window.up == 1);
    CHECK(window.width == Approx(2 * window.height).epsilon(0.15));
    const Rgb8Image image = densityPreview(frame, window);
    CHECK(brightness(image, 0.7, 0.3) > brightness(image, 0.7, 0.7));
    CHECK(brightness(image, 0.3, 0.3) == brightness(image, 0.3, 0.7));
    CHECK(brightness(image, 0.0, 0.0) < 40);
    CHECK(brightness(image, 0.3, 0.7) > 100);
}

TEST_CASE("Snow that lies flat is seen from above")
{
    std::vector<Vec3d> places;
    for (int row = 0; row < 25; ++row) {
        for (int column = 0; column < 40; ++column) places.emplace_back(0.02 * column, 0, 0.02 * row);
    }
    const PreviewWindow window = windowOf(particlesAt(places));
    CHECK(window.across == 0);
    CHECK(window.up == 2);
}

TEST_CASE("Nothing to see makes a picture all the same")
{
    CHECK(densityPreview(ParticleFrame(), windowOf(ParticleFrame())).pixels.size() == 3);
    const ParticleFrame one = particlesAt({Vec3d(1, 2, 3)});
    CHECK(densityPreview(one, windowOf(one)).width >= 1);
}

TEST_CASE("The page of a run holds its frames, and names in it are text")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml");
    const std::string out = (folder / "</script><b>\"&").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2"}).code == 0);
    const std::string page = (folder / "page.html").string();
    const Outcome outcome = firnSim({"report", out, "--out", page});
    INFO(outcome.error);
    REQUIRE(outcome.code == 0);
    CHECK(outcome.output == page + "\n");
    std::stringstream text;
    text << std::ifstream(page).rdbuf();
    CHECK(text.str().find("<b>\"") == std::string::npos);
    CHECK(text.str().find("\\u003c/b") == std::string::npos);
    CHECK(text.str().find("\\u003c/script\\u003e\\u003cb\\u003e") != std::string::npos);
    CHECK(text.str().find("\"substeps\"") != std::string::npos);
    CHECK(text.str().find("://") == text.str().find("http://www.w3.org/2000/svg") + 4);
    CHECK(text.str().find("://") == text.str().rfind("://"));
    CHECK(text.str().find("{{") == std::string::npos);
    CHECK(text.str().find("\"damaged\":[]") != std::string::npos);

    const std::string advice = "'firn-sim info " + shellPath(out) + "' says ";
    const std::string statistics = (fs::path(out) / "stats.jsonl").string(), all = textOf(statistics);
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-3", "--resume"}).code == 0);
    const std::string more = textOf(statistics), third = more.substr(all.size());
    std::ofstream(statistics) << all.substr(0, all.find('\n') + 1) << third;
    const std::string inNewFolder = (folder / "new" / "page.html").string();
    const Outcome gap = firnSim({"report", out, "--out", inNewFolder});
    CHECK(gap.code == 3);
    CHECK(gap.says("stats.jsonl has no line of frame 2; " + advice + "what to do"));
    CHECK(textOf(inNewFolder).find("\"damaged\":[\"stats.jsonl has no line of frame 2\"") != std::string::npos);
    std::ofstream(statistics) << all;

    fs::remove(fs::path(out) / "snow.0002.vdb");
    const Outcome damaged = firnSim({"report", out, "--out", page});
    CHECK(damaged.code == 3);  // the page is written all the same
    CHECK(damaged.says("no preview"));
    CHECK(damaged.says(": damaged or missing: snow.0002.vdb; " + advice + "how to restore them"));
    CHECK(textOf(page).find("\"damaged\":[\"snow.0002.vdb: ") != std::string::npos);

    const Outcome unreadable =
        firnSim({"report", out, "--out", page}, {{"LD_PRELOAD", FIRN_FAIL_IO}, {"FIRN_UNREADABLE", "snow.0001.vdb"}});
    CHECK(unreadable.code == 3);
    CHECK(unreadable.says(": cannot be read: snow.0001.vdb"));
    CHECK(unreadable.says(": damaged or missing: snow.0002.vdb; " + advice + "how to restore them"));
}

TEST_CASE("Where a run cannot make frames anew, report leaves the advice to info")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2"}).code == 0);
    const std::string advice = "; 'firn-sim info " + out + "' says how to restore them";
    SECTION("a frame under another name")
    {
        fs::copy_file(out + "/snow.0001.vdb", out + "/snow.0002.vdb", fs::copy_options::overwrite_existing);
    }
    SECTION("two scenes")
    {
        REQUIRE(
            firnSim({"run", shot, "--out", out, "--frames", "1-3", "--resume", "--force", "--set", "solver.cfl=0.2"})
                .code == 0);
        fs::remove(out + "/snow.0002.vdb");
    }
    const Outcome outcome = firnSim({"report", out, "--out", (folder / "page.html").string()});
    CHECK(outcome.code == 3);
    CHECK(outcome.says("damaged or missing: snow.0002.vdb" + advice));
}

TEST_CASE("A report names frames whose lines at the end have been lost")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-5"}).code == 0);
    const std::string lines = textOf(out + "/stats.jsonl");
    std::ofstream(out + "/stats.jsonl") << lines.substr(0, lines.find('\n') + 1);
    const Outcome outcome = firnSim({"report", out});
    CHECK(outcome.code == 3);
    CHECK(outcome.says("stats.jsonl has no line of frames 2-5"));
}

TEST_CASE("A report does not show a scene that is not of the frames")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2"}).code == 0);
    std::ofstream(out + "/resolved.scene", std::ios::app) << "# edited\n";
    const std::string page = (folder / "page.html").string();
    const Outcome outcome = firnSim({"report", out, "--out", page});
    CHECK(outcome.code == 0);
    CHECK(outcome.says("warning: " + out + ": resolved.scene "));
    CHECK(textOf(page).find("\"scene\":\"\"") != std::string::npos);
    CHECK(textOf(page).find("\"scene_fault\":\"resolved.scene was changed after the run wrote it") !=
          std::string::npos);
    fs::resize_file(out + "/stats.jsonl", 0);
    const Outcome empty = firnSim({"report", out});
    CHECK(empty.code == 3);
    CHECK(empty.says("stats.jsonl has no lines; 'firn-sim info " + out + "' says what to do"));
}

TEST_CASE("A report names what a cache lacks beside its frames")
{
    TemporaryFolder folder;
    const std::string shot = writeShot(folder / "ball.toml"), out = (folder / "out").string();
    REQUIRE(firnSim({"run", shot, "--out", out, "--frames", "1-2"}).code == 0);
    fs::resize_file(out + "/checkpoint.0002.firn", 3000);
    for (const char* name : {"/snow.usda", "/resolved.scene"}) fs::remove(out + name);
    const std::string page = (folder / "page.html").string();
    const Outcome outcome = firnSim({"report", out, "--out", page});
    CHECK(outcome.code == 3);
    for (const char* name : {"checkpoint.0002.firn", "snow.usda", "resolved.scene"}) {
        CHECK(outcome.says(name));
        CHECK(textOf(page).find(std::string("\"") + name + ": ") != std::string::npos);
    }
}

TEST_CASE("A folder without a cache, or three of them, have no page")
{
    TemporaryFolder folder;
    const std::string empty = folder.path.string();
    CHECK(firnSim({"report", empty}).code == 3);
    CHECK(firnSim({"report", (folder / "none").string()}).code == 3);
    CHECK(firnSim({"report", empty, empty, empty}).code == 2);
    std::ofstream(folder / "stats.jsonl") << "{\"frame\": 1\n";
    CHECK(firnSim({"report", empty}).says("stats.jsonl:1"));
    CHECK_FALSE(fs::exists(folder / "report.html"));
}
