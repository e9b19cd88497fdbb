#include <catch2/catch.hpp>
#include <functional>
#include <random>

#include "common/scene/hash.h"
#include "tests/common/scene/scene_text.h"

using namespace firn;

namespace {

const std::vector<std::string> pieces{"[",
                                      "]",
                                      "[[",
                                      "]]",
                                      "\"",
                                      "'",
                                      "=",
                                      "\n",
                                      "#",
                                      ".",
                                      "-",
                                      "{",
                                      "}",
                                      "0x",
                                      "nan",
                                      "inf",
                                      "1e999",
                                      "true",
                                      "-0.0",
                                      "../",
                                      "9223372036854775807",
                                      "\"\"\"",
                                      "\\u0000",
                                      "\xff",
                                      std::string(1, '\0'),
                                      "[[snow]]\n",
                                      "[snow.material]\n",
                                      "include = \"shot.toml\"\n",
                                      "1-84x2",
                                      "1979-05-27"};

class Mutation {
public:
    explicit Mutation(unsigned seed) : m_random(seed) {}

    std::string operator()(std::string text)
    {
        for (std::size_t edits = below(3) == 0 ? 1 + below(4) : 1; edits > 0; --edits) edit(text);
        return text;
    }

private:
    std::size_t below(std::size_t limit) { return m_random() % std::max<std::size_t>(limit, 1); }

    void edit(std::string& text)
    {
        const std::size_t at = below(text.size());
        const std::size_t length = std::min(below(12), text.size() - at);
        const std::size_t digit = text.find_first_of("0123456789", at);
        const std::size_t kind = below(7);
        if (kind == 0) text.erase(at, length);
        if (kind == 1) text.insert(at, pieces[below(pieces.size())]);
        if (kind == 2) text.replace(at, length, pieces[below(pieces.size())]);
        if (kind == 3) text.insert(below(text.size()), text.substr(at, length * 8));
        if (kind == 4) text.replace(at, 1, 1, static_cast<char>(below(256)));
        if (kind > 4 && digit != std::string::npos) text[digit] = static_cast<char>('0' + below(10));
    }

    std::mt19937 m_random;
};

}  // namespace

TEST_CASE("20000 damaged scenes load or are refused with the place of the error; none crashes", "[scene]")
{
    const SceneFolder folder;
    loadLarge(folder);
    const std::filesystem::path file = folder.path() / "shot.toml";
    Mutation mutated(20240);
    int accepted = 0;
    int refused = 0;
    for (int i = 0; i < 20000; ++i) {
        const std::string text = mutated(largeScene);
        try {
            const LoadedScene loaded = loadSceneText(text, file);
            if (i % 16 == 0) loadSceneText(loaded.dump(), file);
            ++accepted;
        } catch (const Error& error) {
            ++refused;
            const std::string message = error.what();
            if (!message.starts_with(file.string())) FAIL("no place in: " << message);
            if (message.size() > 2100) FAIL("too long: " << message);
        }
    }
    CHECK(accepted > 1000);
    CHECK(refused > 1000);
}

TEST_CASE("2000 damaged overrides are applied or refused with their name; none crashes", "[scene]")
{
    const SceneFolder folder;
    loadLarge(folder);
    const std::vector<std::string> settings{"solver.dx=0.02",          "snow.bed.material.hardening=5",
                                            "camera.position=[1,2,3]", "body.walker.radii.LeftFoot=0.04",
                                            "frames=\"1-9\"",          "body.blade.key.1.rotation_deg=[0, 0, 9]"};
    Mutation mutated(31);
    int refused = 0;
    for (int i = 0; i < 2000; ++i) {
        const std::string setting = mutated(settings[static_cast<std::size_t>(i) % settings.size()]);
        try {
            loadSceneText(largeScene, folder.path() / "shot.toml", {.set = {setting}});
        } catch (const Error& error) {
            ++refused;
            if (!std::string(error.what()).starts_with("--set ") &&
                !std::string(error.what()).starts_with(folder.path().string()))
                FAIL("no place in: " << error.what());
        }
    }
    CHECK(refused > 1000);
    CHECK(refused < 2000);
}

TEST_CASE("Scenes that are nested too deeply are refused", "[scene]")
{
    std::string dotted = "a";
    std::string spaced = "\"!\"";
    for (int i = 0; i < 100000; ++i) {
        dotted += ".a";
        spaced += " . \"!\"";
    }
    CHECK(refusal(dotted + " = 1").message == "shot.toml:1:1: more than 16 dots in one key");
    CHECK(refusal("\n[" + spaced + "]").message == "shot.toml:2:1: more than 16 dots in one key");
    // Strings whose ends are easily mistaken do not hide what follows.
    for (const std::string text : {R"("""\"""x""")", R"("""x"""")", R"('\')", R"('''x\''')", R"("\"")"}) {
        INFO(text);
        CHECK_THAT(refusal("a = [" + text + ", {" + dotted + " = 1}]").message, Catch::Contains("dots in one key"));
    }
    CHECK_THAT(refusal("a = " + std::string(100000, '[')).message, Catch::StartsWith("shot.toml:1:"));
    CHECK_THAT(refusal("a = \"" + std::string(1 << 20, 'x')).message, Catch::Contains("1048576 bytes"));
}

TEST_CASE("Scenes of the largest size are read or refused without quadratic work, whatever they contain", "[scene]")
{
    const std::size_t longest = (1 << 20) - 40;
    const auto repeated = [&](const std::function<std::string(int)>& part) {
        std::string text = smallScene;
        for (int i = 0; text.size() < longest; ++i) text += part(i);
        return text;
    };
    const auto number = [](int i) { return std::to_string(i); };
    CHECK_THAT(refusal(repeated([](int) { return "[[snow]]\n"; })).message, Catch::Contains("expected at most 500"));
    CHECK(refusal(repeated([&](int i) { return "[[a" + number(i % 30000) + "]]\n"; })).code == ExitCode::Usage);
    CHECK(refusal(repeated([&](int i) { return "a" + number(i % 30000) + "." + number(i) + "=1\n"; })).code ==
          ExitCode::Usage);
    CHECK(refusal(repeated([&](int i) { return "[a" + number(i) + ".b]\n"; })).code == ExitCode::Usage);
    CHECK(refusal(repeated([&](int i) { return "[[camera.key]]\ntime_s = " + number(i) + "\n"; })).message ==
          "accepted");
    CHECK(refusal(repeated([](int) { return "\n"; }) + "[=").code == ExitCode::Usage);
}
