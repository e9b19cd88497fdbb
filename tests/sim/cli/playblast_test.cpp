// firn-sim run --playblast: pictures of the frames while the run goes on.
#include <catch2/catch.hpp>
#include <cstdlib>

#include "tests/sim/cli/reference_run.h"

namespace fs = std::filesystem;
using namespace firn;

TEST_CASE("A run draws its frames as they come, and its bits stay the same")
{
    const ReferenceRun reference;
    const fs::path pictures = reference.folder / "pictures";
    const Outcome outcome = firnSim(reference.resume({"--playblast", pictures.string()}));
    INFO(outcome.error);
    REQUIRE(outcome.code == 0);
    for (int frame = 1; frame <= lastFrame; ++frame)
        CHECK(fs::exists(pictures / ("ball.000" + std::to_string(frame) + ".png")));
    CHECK(textOf((pictures / "playblast.html").string()).find("\"growing\":false") != std::string::npos);
    CHECK(reference.isSame());
    CHECK(firnSim(reference.resume({"--playblast", pictures.string()})).code == 0);  // nothing is left to simulate
}

TEST_CASE("A playblast that fails does not stop the run")
{
    const ReferenceRun reference;
    const fs::path pictures = reference.folder / "pictures";
    fs::create_directory(pictures);
    std::ofstream(pictures / "playblast.html") << "mine";
    const Outcome outcome = firnSim(reference.resume({"--playblast", pictures.string()}));
    CHECK(outcome.code == 0);
    CHECK(outcome.says("the playblast in " + pictures.string() +
                       " is not complete: firn-render ended with exit code 3. The cache is not affected"));
    CHECK(textOf((pictures / "playblast.html").string()) == "mine");
    CHECK(reference.isSame());
}

TEST_CASE("Without firn-render there is no playblast, and the run does not begin")
{
    const ReferenceRun reference;
    const fs::path alone = reference.folder / "firn-sim";
    fs::copy_file(FIRN_SIM, alone);
    const std::string command = "PATH= " + alone.string() + " run " + reference.shot + " --out " + reference.out +
                                " --playblast " + (reference.folder / "pictures").string() + " 2> " +
                                (reference.folder / "errors").string();
    CHECK(std::system(command.c_str()) == 2 << 8);
    CHECK(textOf((reference.folder / "errors").string()).find("--playblast needs the program firn-render") !=
          std::string::npos);
    CHECK(!fs::exists(reference.out));
}
