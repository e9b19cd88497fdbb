// Runs the experiments of tests/sim/physics_cases.h and prints a table.
//
//     ninja -C build physics && build/tests/campaign/physics aflip
//     build/tests/campaign/physics flip nodes upright tilted impact rolling
//
// The first argument is the transfer: aflip, apic or flip. With `nodes`, contact stops nodes instead of acting by
// impulses. The others choose groups of experiments and ways to run them (upright, tilted by 34 degrees, shifted by
// half a cell, implicit); where none of a kind is named, all are run. The program only prints; what is required stands
// in the last column.

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <utility>

#include "tests/sim/confined_column.h"
#include "tests/sim/physics_cases.h"

namespace {

using namespace firn;
using namespace firn::physics;

void row(const std::string& what, double value, const char* unit, const char* required)
{
    std::printf("%-58s %10.4g %-6s %s\n", what.c_str(), value, unit, required);
    std::fflush(stdout);
}

struct Variant {
    const char *word, *name;  // in the command; in the table
    Setting setting;
};

std::vector<Variant> variantsOf(Transfer transfer, ContactMethod contact)
{
    return {{"upright", "", {transfer, Integrator::Explicit, contact}},
            {"tilted", ", tilted", {transfer, Integrator::Explicit, contact, 34}},
            {"shifted", ", half a cell", {transfer, Integrator::Explicit, contact, 0, 0.5}},
            {"implicit", ", implicit", {transfer, Integrator::Implicit, contact}}};
}

void impactRows(const std::string& name, const Setting& setting, double speed, const char* leaving)
{
    const std::string what = "impact " + std::to_string(static_cast<int>(speed)) + " m/s" + name;
    const Impact result = impact(setting, speed, 16);
    row(what + ": centre leaves", result.leaving_m_s, "m/s", leaving);
    row(what + ": kinetic energy left", 100 * result.kinetic_share, "%", "");
    row(what + ": elastic energy left", 100 * result.elastic_share, "%", "");
    row(what + ": mass thrown back", 100 * result.thrown_share, "%", "none");
    row(what + ": densest particle", result.densest_kg_m3, "kg/m3", "<= 963");
}

void impacts(const Variant& v)
{
    impactRows(v.name, v.setting, 10, "elastic energy explains it");
    impactRows(v.name, v.setting, 20, "<= 2");
    impactRows(v.name, v.setting, 50, "<= 2.5");
    if (v.name[0] != 0) return;
    for (const double factor : {2., 4.}) {
        Setting shorter = v.setting;
        shorter.shorter_steps = factor;
        impactRows(", dt/" + std::to_string(static_cast<int>(factor)), shorter, 50, "<= 2.5");
    }
}

void compressions(const Variant& v)
{
    for (const int cells : {20, 40}) {
        if (cells == 40 && v.name[0] != 0) continue;
        const std::string what = "column of " + std::to_string(cells) + " cells" + v.name;
        const Compression c = compression(v.setting, cells);
        row(what + ": sinkage at 10 kPa over closed form", c.sinkage_10_kPa / sinkageUnder(1e4), "", "1 +- .05");
        row(what + ": at 20 kPa", c.sinkage_20_kPa / sinkageUnder(2e4), "", "1 +- .05");
        row(what + ": at 50 kPa", c.sinkage_50_kPa / sinkageUnder(5e4), "", "1 +- .05");
        row(what + ": bands, amplitude of density", 100 * c.band_amplitude, "%", "<= 10");
        row(what + ": bands, rms", 100 * c.band_rms, "%", "");
    }
}

void rollings(const Variant& v)
{
    for (const double friction : {.2, .5}) {
        const std::string what = "ball on 30 deg, friction ." + std::to_string(std::lround(10 * friction)) + v.name;
        const Rolling r = rolling(v.setting, friction);
        row(what + ": v / omega R", r.slip, "", "1 +- .03");
        row(what + ": acceleration over 5/7 g sin", r.acceleration, "", "1 +- .05");
        row(what + ": height", r.height_cells, "dx", "<= .3");
    }
}

void blocks(const Variant& v)
{
    row("unsettled block, friction .7 on 30 deg" + std::string(v.name), blockCreep(v.setting), "dx", "<= .5");
    const Landing rest = landing(v.setting);
    row("block after landing at .5 m/s, height" + std::string(v.name), rest.height_cells, "dx", "0 +- .1");
    row("block after landing at .5 m/s, motion" + std::string(v.name), rest.kinetic_J_per_kg, "J/kg", "");
}

void craters(const Variant& v)
{
    row("ball into powder: mass above 1 m/s" + std::string(v.name), 100 * crater(v.setting), "%", "alike");
}

void momenta(const Variant& v)
{
    row("momentum of free flight, 3000 steps" + std::string(v.name), momentumDrift(v.setting), "", "<= 1e-5");
    row("spin of 60 rad/s: centre of mass" + std::string(v.name), 1000 * spinDrift(v.setting), "mm/s", "0");
}

void prints(const Variant& v)
{
    if (v.setting.tilt_deg != 0 || v.setting.shift_cells != 0) return;
    for (const double finer : {1., 1.4, 2.}) {
        char what[80];
        std::snprintf(what, sizeof what, "footprint, dx = 2 cm / %.1f%s", finer, v.name);
        const Print print = footprint(v.setting, 0.02 / finer);
        row(std::string(what) + ": depth", 1000 * print.depth_m, "mm", "differences shrink");
        row(std::string(what) + ": rim", 1000 * print.rim_m, "mm", "");
    }
}

void seedings(const Variant& v)
{
    const Setting& s = v.setting;
    if (s.tilt_deg != 0 || s.shift_cells != 0) return;
    for (const int cells : {20, 40}) {
        const std::string what = "column of " + std::to_string(cells) + " cells" + v.name;
        const double regular = confinedPeriod(cells, 8, s.integrator, s.contact),
                     seeded = confinedPeriod(cells, 8, s.integrator, s.contact, Places::Seeded);
        row(what + ": period over that of regular places", 100 * (seeded / regular - 1), "%", "0 +- .3");
        row(what + ": height at which snow yields", (yieldHeight(s, cells) - 0.991) * cells, "dx", "0 +- 2");
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const std::pair<const char*, Transfer> transfers[] = {
        {"aflip", Transfer::AffineFlip}, {"apic", Transfer::Apic}, {"flip", Transfer::Flip}};
    const std::pair<const char*, std::function<void(const Variant&)>> groups[] = {
        {"momentum", momenta}, {"block", blocks},   {"rolling", rollings},
        {"crater", craters},   {"impact", impacts}, {"compression", compressions},
        {"seeding", seedings}, {"print", prints}};
    const std::set<std::string> words(argv + std::min(argc, 2), argv + argc);
    const auto named = [&](const std::string& word) { return words.count(word) > 0; };
    const bool someGroup = std::any_of(std::begin(groups), std::end(groups), [&](auto& g) { return named(g.first); });
    for (const auto& [name, transfer] : transfers) {
        if (argc < 2 || std::strcmp(argv[1], name) != 0) continue;
        const auto variants = variantsOf(transfer, named("nodes") ? ContactMethod::Nodes : ContactMethod::Impulses);
        const bool someVariant = std::any_of(variants.begin(), variants.end(), [&](auto& v) { return named(v.word); });
        for (const auto& [group, run] : groups)
            for (const Variant& v : variants)
                if ((named(group) || !someGroup) && (named(v.word) || !someVariant)) run(v);
        return 0;
    }
    std::fputs(
        "usage: physics aflip|apic|flip [nodes] [upright] [tilted] [shifted] [implicit] [momentum] [block] [rolling] "
        "[crater] [impact] [compression] [seeding] [print]\n",
        stderr);
    return 2;
}
