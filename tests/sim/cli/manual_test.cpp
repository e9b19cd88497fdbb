// What others read about the command line: the manual page and the completion of bash.
#include <catch2/catch.hpp>
#include <fstream>
#include <regex>

#include "tests/sim/cli/program.h"
#include "tests/sim/cli/reference_run.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

/// What bash offers after these words, by the script in `folder`. The last word is the one that is completed.
std::string offered(const fs::path& folder, const std::vector<std::string>& words)
{
    std::ofstream script(folder / "try.sh");
    script << "source " << (folder / "completion").string() << "\nCOMP_WORDS=(firn-sim";
    for (const std::string& word : words) script << " '" << word << "'";
    script << ")\nCOMP_CWORD=" << words.size() << "\n_firn_sim\necho \"${COMPREPLY[*]}\" > "
           << (folder / "offered").string() << "\n";
    script.close();
    REQUIRE(std::system(("bash -eu " + (folder / "try.sh").string()).c_str()) == 0);
    std::string text = textOf((folder / "offered").string());
    text.pop_back();
    return text;
}

}  // namespace

TEST_CASE("The manual page has each command and option of the help")
{
    const Outcome page = firnSim({"--man"});
    REQUIRE(page.code == 0);
    CHECK(page.output.starts_with(".TH FIRN-SIM 1 "));
    const std::regex option("(?:^|\n)  (--[a-z-]+)");
    for (const std::string command : {"run", "wedge", "check", "info", "report"}) {
        CHECK(page.output.find("\\fBfirn\\-sim " + command + " [OPTION ...]") != std::string::npos);
        const std::string help = firnSim({command, "--help"}).output;
        int options = 0;
        for (std::sregex_iterator found(help.begin(), help.end(), option), end; found != end; ++found, ++options) {
            const std::string name = std::regex_replace((*found)[1].str(), std::regex("-"), "\\-");
            INFO(command << " " << name);
            CHECK(page.output.find("\\fB" + name + "\\fR") != std::string::npos);
        }
        CHECK(options >= 2);
    }
    CHECK(page.output.find("\n.SH EXIT STATUS AND SIGNALS\n") != std::string::npos);
    std::istringstream lines(page.output);
    for (std::string line; std::getline(lines, line);) {
        INFO(line);
        CHECK_FALSE((line.starts_with('\'') || std::regex_search(line, std::regex(R"(^\.(?!TH|SH|TP|PP|nf|fi))"))));
    }
}

TEST_CASE("bash completes commands, options and their choices")
{
    TemporaryFolder folder;
    const Outcome script = firnSim({"--completion"});
    REQUIRE(script.code == 0);
    std::ofstream(folder / "completion") << script.output;
    fs::create_directory(folder / "takes");
    CHECK(offered(folder.path, {"r"}) == "run report");
    CHECK(offered(folder.path, {"run", "shot.toml", "--qu"}) == "--quality");
    CHECK(offered(folder.path, {"run", "--quality", ""}) == "draft preview final");
    CHECK(offered(folder.path, {"run", "--quality", "=", "p"}) == "preview");
    CHECK(offered(folder.path, {"info", "--js"}) == "--json");
    CHECK(offered(folder.path, {"run", "--out", (folder / "t").string()}) == (folder / "takes").string());
    CHECK(offered(folder.path, {"run", ""}).empty());  // bash offers files
}

TEST_CASE("A cache says with which instructions it was simulated, and a run with others warns")
{
    const ReferenceRun reference;
    REQUIRE(firnSim(reference.resume({"--frames", "1-3"})).code == 0);
    const std::string version = firnSim({"--version"}).output;
    const std::string own = version.find("AVX-512") != std::string::npos ? "AVX-512" : "AVX2",
                      other = own == "AVX2" ? "AVX-512" : "AVX2", stats = reference.out + "/stats.jsonl";
    CHECK(firnSim({"info", reference.out}).output.find("simulated with " + own + " instructions\n") !=
          std::string::npos);
    CHECK_FALSE(firnSim(reference.resume({"--frames", "1-4"})).says("instructions"));
    std::string text = textOf(stats);
    text.replace(text.rfind('"' + own + '"'), own.size() + 2, '"' + other + '"');
    std::ofstream(stats) << text;
    CHECK(firnSim(reference.resume())
              .says("frame 4 was simulated with " + other + " instructions, and this program uses " + own));
    CHECK(firnSim({"info", reference.out}).output.find("simulated with AVX-512 and AVX2 instructions") !=
          std::string::npos);
}
