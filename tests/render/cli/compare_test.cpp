#include <catch2/catch.hpp>

#include <fstream>
#include <nlohmann/json.hpp>

#include "common/image/exr.h"
#include "common/image/png.h"
#include "render/cli/compare_job.h"
#include "render/cli/program.h"
#include "tests/common/body/scratch_folder.h"
#include "tests/render/cli/captured_errors.h"

using namespace firn;
namespace fs = std::filesystem;

namespace {

/// Two folders of three frames each; frame 1002 of B is 0.1 brighter.
struct Folders {
    ScratchFolder scratch{"compare"};
    fs::path a = scratch.path("a"), b = scratch.path("b"), out = scratch.path("out");

    Folders()
    {
        fs::create_directories(a);
        fs::create_directories(b);
        for (const int frame : {1001, 1002, 1003}) {
            write(fileOfA(frame), 0.5f);
            write(fileOfB(frame), frame == 1002 ? 0.6f : 0.5f);
        }
    }

    fs::path fileOfA(int frame) const { return a / ("shot." + std::to_string(frame) + ".exr"); }
    fs::path fileOfB(int frame) const { return b / ("take2." + std::to_string(frame) + ".exr"); }

    static Image grey(float value, int width = 16)
    {
        Image image(width, 16);
        for (const char* name : {"R", "G", "B"}) image.add(name, true).pixels.assign(image.pixelCount(), value);
        image.metadata["firn.seed"] = std::string("1");
        return image;
    }
    static void write(const fs::path& path, float value, int width = 16) { writeExr(path, grey(value, width)); }

    /// Runs the program as from a shell.
    int run(std::vector<std::string> more) const { return run(a, b, std::move(more)); }
    static int run(const fs::path& first, const fs::path& second, std::vector<std::string> more)
    {
        std::vector<std::string> arguments = {"firn-render", "compare", first.string(), second.string()};
        arguments.insert(arguments.end(), more.begin(), more.end());
        std::vector<const char*> argv;
        argv.reserve(arguments.size());
        for (const std::string& argument : arguments) argv.push_back(argument.c_str());
        return runProgram(renderProgram(), static_cast<int>(argv.size()), argv.data());
    }

    nlohmann::json metrics() const { return nlohmann::json::parse(std::ifstream(out / "metrics.json")); }

    /// The text of the error that compare throws, with its code in front.
    std::string refusal(const fs::path& first, const fs::path& second, const std::string& frames = "") const
    {
        CompareJob job;
        job.a = first;
        job.b = second;
        job.frames = frames;
        try {
            compare(job);
        } catch (const Error& error) {
            return std::to_string(static_cast<int>(error.code())) + " " + error.what();
        }
        return "";
    }
};

}  // namespace

TEST_CASE("Frames are matched by number, and one that differs gives exit code 5")
{
    const Folders folders;
    CHECK(folders.run({"--out", folders.out.string()}) == 5);
    const nlohmann::json metrics = folders.metrics();
    CHECK(metrics["exit_code"] == 5);
    REQUIRE(metrics["frames"].size() == 3);
    CHECK(metrics["frames"][0]["same"] == true);
    CHECK(metrics["frames"][0]["failures"].empty());
    CHECK(metrics["frames"][0]["layers"][0]["psnr_db"].is_null());
    const nlohmann::json& second = metrics["frames"][1];
    CHECK(second["frame"] == 1002);
    CHECK(second["same"] == false);
    CHECK(second["failures"].size() == 1);
    CHECK(second["layers"][0]["rms"].get<double>() == Approx(0.1));
    CHECK(second["layers"][0]["psnr_db"].get<double>() == Approx(20));
    CHECK(second["layers"][0]["largest"]["x"] == 0);
    CHECK(decodePng(readFile(folders.out / second["flip_map"].get<std::string>()), "map").width == 16);
    CHECK(folders.run({"--frames", "1001,1003"}) == 0);
    // Maps of an earlier comparison do not stay beside the new ones.
    CHECK(fs::exists(folders.out / "flip.1002.png"));
    std::ofstream(folders.out / "flip.1009.png") << "mine";
    CHECK(folders.run({"--frames", "1001", "--out", folders.out.string()}) == 0);
    CHECK(fs::exists(folders.out / "flip.1001.png"));
    CHECK_FALSE(fs::exists(folders.out / "flip.1002.png"));
    CHECK(fs::exists(folders.out / "flip.1009.png"));
    CHECK(Folders::run(folders.a, folders.a, {}) == 0);
}

TEST_CASE("The report goes where it is asked to, with its pictures as wide as asked for")
{
    const Folders folders;
    const auto textOf = [](const fs::path& path) {
        std::ifstream in(path);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    fs::create_directories(folders.out);
    CHECK(folders.run({"--report", folders.out.string()}) == 5);
    const std::string page = textOf(folders.out / "report.html");
    for (const char* part : {"id=\"pixels-0-a\"", "id=\"pixels-2-flip\"", "\"width\":16", "\"factor\":1", "</html>"}) {
        CHECK_THAT(page, Catch::Contains(part));
    }
    CHECK(page.find("{{") == std::string::npos);
    CHECK_FALSE(fs::exists(folders.out / "metrics.json"));
    const fs::path small = folders.scratch.path("new/small.html");
    CHECK(folders.run({"--report", small.string(), "--report-width", "7"}) == 5);
    CHECK_THAT(textOf(small), Catch::Contains("\"width\":6") && Catch::Contains("\"factor\":3"));
}

TEST_CASE("The report says what the test of significance does not know")
{
    const Folders folders;
    const fs::path a = folders.scratch.path("a.exr"), b = folders.scratch.path("b.exr");
    const auto report = [&](int spp, const std::string& transport) {
        Image image = Folders::grey(0.5f);
        for (const char* name : {"stderr.R", "stderr.G", "stderr.B"})
            image.add(name, true).pixels.assign(image.pixelCount(), 0.01f);
        writeExr(a, image);
        image.metadata["firn.spp"] = spp;
        image.metadata["firn.transport"] = transport;
        writeExr(b, image);
        const fs::path page = folders.scratch.path("page.html");
        CHECK(Folders::run(a, b, {"--report", page.string()}) == 0);
        std::ifstream in(page);
        return std::string(std::istreambuf_iterator<char>(in), {});
    };
    CHECK_THAT(report(9, "paths"), Catch::Contains("\"few_paths\":false,\"light_cache\":false"));
    CHECK_THAT(report(8, "cached"), Catch::Contains("\"few_paths\":true,\"light_cache\":true"));
}

TEST_CASE("Messages about one picture name it once, and say where pictures differ")
{
    const Folders folders;
    const fs::path a = folders.scratch.path("a.exr"), b = folders.scratch.path("b.exr");
    Image image = Folders::grey(0.5f);
    writeExr(a, image);
    image.add("glow.A", true);
    writeExr(b, image);
    const auto told = [&](const std::vector<std::string>& more) {
        const CapturedErrors errors;
        Folders::run(a, b, more);
        return errors.text();
    };
    CHECK_THAT(told({"--layer", "glow"}), Catch::Contains("the first picture has no such layer"));
    CHECK_THAT(told({}), Catch::Contains(": note: only the second picture has the layer 'glow'"));
    writeExr(a, image);
    image.channels.back().pixels[0] += 1;
    writeExr(b, image);
    CHECK_THAT(told({}), Catch::EndsWith(": differs in glow\n"));
    CHECK_THAT(told({"--layer", "glow", "--fail-significant", "0"}), Catch::Contains("omit --layer"));
    std::fstream(b, std::ios::in | std::ios::out | std::ios::binary)
        .seekp(-60, std::ios::end)
        .write(std::string(60, 'x').data(), 60);
    const std::string damage = told({});
    CHECK_THAT(damage, Catch::StartsWith("firn-render: " + b.string() + ": not a readable EXR image"));
    CHECK(damage.find("b.exr") == damage.rfind("b.exr"));
}

TEST_CASE("Thresholds decide, each on its own side")
{
    // Frame 1002: RMS 0.1, PSNR 20 dB.
    const Folders folders;
    CHECK(folders.run({"--fail-rms", "0.11"}) == 0);
    CHECK(folders.run({"--fail-rms", "0.09"}) == 5);
    CHECK(folders.run({"--fail-psnr", "19.9"}) == 0);
    CHECK(folders.run({"--fail-psnr", "20.1"}) == 5);
    CHECK(folders.run({"--fail-psnr", "20.1", "--peak", "1.1"}) == 0);
    CHECK(folders.run({"--fail-rms", "0.11", "--fail-psnr", "20.1"}) == 5);
    // LDR-FLIP of grey 0.5 and 0.6 is 0.1963.
    CHECK(folders.run({"--exposure", "0", "--fail-flip", "0.1967"}) == 0);
    CHECK(folders.run({"--exposure", "0", "--fail-flip", "0.1959", "--out", folders.out.string()}) == 5);
    CHECK_THAT(folders.metrics()["frames"][1]["failures"][0].get<std::string>(),
               Catch::Contains("FLIP 0.196") && Catch::Contains("above 0.1959"));
}

TEST_CASE("Exposures of FLIP come from the reference or the command line")
{
    const Folders folders;
    const auto flipOf = [&](std::vector<std::string> more) {
        more.insert(more.end(), {"--out", folders.out.string()});
        folders.run(more);
        return folders.metrics()["frames"][1]["flip"];
    };
    CHECK(flipOf({})["exposure_start"] == flipOf({})["exposure_stop"]);
    const nlohmann::json wide = flipOf({"--exposure=-3,2"});
    CHECK(wide["exposure_start"] == -3);
    CHECK(wide["exposures"] == 5);
    CHECK(flipOf({"--exposure=-3,2,9"})["exposures"] == 9);
    CHECK(flipOf({"--ppd", "30"})["mean"] != flipOf({})["mean"]);
}

TEST_CASE("Significance as a threshold needs the standard errors of both images")
{
    const Folders folders;
    CHECK(folders.run({"--fail-significant", "0"}) == 3);
    const auto withError = [](float value, float error) {
        Image image = Folders::grey(value);
        for (const char* name : {"stderr.R", "stderr.G", "stderr.B"}) {
            image.add(name, true).pixels.assign(image.pixelCount(), error);
        }
        return image;
    };
    const fs::path a = folders.scratch.path("a.exr"), b = folders.scratch.path("b.exr");
    writeExr(a, withError(0.5f, 0.01f));
    writeExr(b, withError(0.52f, 0.01f));  // 1.4 standard errors
    CHECK(Folders::run(a, b, {"--fail-significant", "0"}) == 0);
    writeExr(b, withError(0.6f, 0.01f));  // 7.1
    CHECK(Folders::run(a, b, {"--fail-significant", "0"}) == 5);
    CHECK(Folders::run(a, b, {"--fail-significant", "1"}) == 0);
    // With one path per pixel, the noise is unknown.
    Image single = withError(0.6f, 0);
    single.add("samples", true).pixels.assign(single.pixelCount(), 1);
    writeExr(b, single);
    {
        const CapturedErrors errors;
        CHECK(Folders::run(a, b, {"--fail-significant", "0"}) == 3);
        CHECK_THAT(errors.text(), Catch::Contains("b.exr has one path per pixel, so its noise is unknown"));
    }
    CHECK(Folders::run(b, b, {"--fail-significant", "0"}) == 3);
    CHECK(Folders::run(a, b, {"--fail-rms", "1", "--out", folders.out.string()}) == 0);
    CHECK_FALSE(folders.metrics()["frames"][0].contains("significance"));
    single.find("samples")->pixels.assign(single.pixelCount(), 2);
    writeExr(b, single);
    CHECK(Folders::run(a, b, {"--fail-rms", "1", "--out", folders.out.string()}) == 0);
    CHECK(folders.metrics()["frames"][0].contains("significance"));
}

TEST_CASE("Missing, damaged and unfit frames are told, the others compared, and the exit code is 3")
{
    const Folders folders;
    const std::vector<std::string> lenient = {"--fail-rms", "1", "--out", folders.out.string()};
    REQUIRE(folders.run(lenient) == 0);
    Folders::write(folders.fileOfA(1005), 0.5f);
    Folders::write(folders.fileOfB(1006), 0.5f);
    CHECK(folders.run(lenient) == 3);
    CHECK(folders.metrics()["missing_a"] == std::vector<int>{1006});
    CHECK(folders.metrics()["missing_b"] == std::vector<int>{1005});
    CHECK(folders.metrics()["frames"].size() == 3);
    CHECK(folders.run({"--fail-rms", "1", "--frames", "1001-1003"}) == 0);
    CHECK(folders.run({"--fail-rms", "1", "--frames", "1001-1004"}) == 3);

    Folders::write(folders.fileOfB(1001), 0.5f, 20);
    fs::resize_file(folders.fileOfB(1003), fs::file_size(folders.fileOfB(1003)) / 2);
    CHECK(folders.run({"--fail-rms", "1", "--frames", "1001-1003", "--out", folders.out.string()}) == 3);
    const nlohmann::json frames = folders.metrics()["frames"];
    CHECK_THAT(frames[0]["error"].get<std::string>(), Catch::Contains("16 x 16") && Catch::Contains("20 x 16"));
    CHECK(frames[1]["layers"][0]["rms"].get<double>() == Approx(0.1));
    CHECK_THAT(frames[2]["error"].get<std::string>(), Catch::Contains("take2.1003.exr"));
}

TEST_CASE("What cannot be matched is refused in words")
{
    const Folders folders;
    const fs::path& a = folders.a;
    const fs::path empty = folders.scratch.path("empty");
    fs::create_directories(empty);
    CHECK_THAT(folders.refusal(a, empty), Catch::StartsWith("3 ") && Catch::Contains("empty: holds no"));
    CHECK_THAT(folders.refusal(a, folders.fileOfB(1001)),
               Catch::StartsWith("2 ") && Catch::Contains("two pictures or two sequences"));
    CHECK_THAT(folders.refusal(a, folders.b, "7"), Catch::StartsWith("3 ") && Catch::Contains("1001-1003"));
    CHECK_THAT(folders.refusal(a, folders.b / "nothing.####.exr"), Catch::StartsWith("3 "));
    CHECK_THAT(folders.refusal(folders.fileOfA(1001), folders.fileOfB(1001), "7"), Catch::StartsWith("2 "));
    Folders::write(a / "other.1001.exr", 0);
    CHECK_THAT(folders.refusal(a, folders.b), Catch::StartsWith("2 ") && Catch::Contains("other.####.exr"));
    CHECK(Folders::run(a / "shot.####.exr", folders.b, {"--frames", "1001"}) == 0);
    CHECK(Folders::run(a / "shot.1001.exr", a / "none.exr", {}) == 3);
}

TEST_CASE("PNG pictures are compared as a display shows them")
{
    const Folders folders;
    const fs::path a = folders.scratch.path("a.png"), b = folders.scratch.path("b.png");
    writePng(a, {16, 12, std::vector<std::uint8_t>(16 * 12 * 3, 188)});
    writePng(b, {16, 12, std::vector<std::uint8_t>(16 * 12 * 3, 203)});
    CHECK(Folders::run(a, a, {}) == 0);
    // sRGB 188 is 0.5029, 203 is 0.5972: FLIP near that of 0.5 and 0.6.
    CHECK(Folders::run(a, b, {"--fail-flip", "0.2"}) == 0);
    CHECK(Folders::run(a, b, {"--fail-flip", "0.17"}) == 5);
    CHECK(Folders::run(a, b, {"--fail-rms", "0.0944"}) == 0);
    CHECK(Folders::run(a, b, {"--fail-rms", "0.0942"}) == 5);
}

TEST_CASE("What the command line of compare gets wrong ends with exit code 2")
{
    const Folders folders;
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{{"--roi", "1,2,3"},
                                                                                       {"--roi", "1,2,3,4,5"},
                                                                                       {"--roi", "0,0,17,1"},
                                                                                       {"--roi", "0,0,0,4"},
                                                                                       {"--roi", "a,0,1,1"},
                                                                                       {"--roi", "-1,0,2,2"},
                                                                                       {"--fail-flip", "2"},
                                                                                       {"--fail-rms", "-1"},
                                                                                       {"--fail-psnr", "loud"},
                                                                                       {"--fail-significant", "1.5"},
                                                                                       {"--exposure", "2,1"},
                                                                                       {"--exposure", "0,1,2,3"},
                                                                                       {"--exposure", "0,1,0"},
                                                                                       {"--exposure", "0,1,1.5"},
                                                                                       {"--ppd", "0"},
                                                                                       {"--peak", "0"},
                                                                                       {"--level", "0"},
                                                                                       {"--frames", "1-"},
                                                                                       {"--threads", "0"}}) {
        INFO(wrong[0] << " " << wrong[1]);
        CHECK(folders.run(wrong) == 2);
    }
    CHECK(folders.run({"--layer", "depth"}) == 2);  // no picture has it
    CHECK(folders.run({"--help"}) == 0);
    std::ofstream(folders.scratch.path("file")) << "in the way";
    CHECK(folders.run({"--out", folders.scratch.path("file").string()}) == 3);
}
