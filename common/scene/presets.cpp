#include "common/scene/presets.h"

#include <array>

#include "common/error.h"
#include "common/io/suggest.h"

namespace firn {

namespace {

// How the parameters change the look (Stomakhin et al. 2013, section 7): with low thresholds theta snow breaks into
// powder, with high ones into chunks; with high hardening xi it is brittle, with low xi ductile; with high xi and E it
// is icy, with low ones muddy. E follows density, except where the preset is about stiffness, so that wave speed and
// time step stay near those of the paper's snow. Kinds that break have a strength that does not harden; the tensile
// strength E theta_s beside the pressure of an impact, rho v^2 / 2, decides whether they break into dust (1 kPa for a
// snowball of 6.6 m/s), into chunks (5 to 10 kPa) or not at all.
const std::array allSnowPresets{
    SnowPreset{"powder",
               "Fresh dry snow: light, falls apart when touched, and flies. Its thresholds are far below the paper's, "
               "so that it does not stick; E is lower because density is lower.",
               {.grain_radius_mm = 0.1, .mist = 0.95, .coarseness = -0.6},
               {.density_kg_m3 = 120,
                .youngs_modulus_pa = 4e4,
                .critical_compression = 0.015,
                .critical_stretch = 0.003,
                .hardening = 7,
                .strength_hardening = 0,
                .crumb_mm = 0.5}},
    SnowPreset{"settled",
               "The default: snow that is a few days old, with footprints that have clean walls and some crumbs. Low "
               "hardening and a low θ_c let it pack deep under a boot before it pushes the snow around it away. It "
               "packs without becoming stronger in tension, and noise makes its strength uneven, so a snowball cracks "
               "and crumbles.",
               {.grain_radius_mm = 0.25, .mist = 0.4},
               {.density_kg_m3 = 250,
                .youngs_modulus_pa = 8e4,
                .critical_compression = 0.015,
                .critical_stretch = 0.0035,
                .hardening = 4,
                .min_J_P = 0.45,
                .max_hardening = 6,
                .strength_hardening = 0},
               {.stiffness = 0.2, .strength = 0.6, .scale_m = 0.05}},
    SnowPreset{"packing",
               "Slightly moist snow for snowballs and snowmen: sticks where it is pressed. High thresholds hold lumps "
               "together. A fast ball breaks into chunks of a few centimetres, along its seams, and into crumbs.",
               {.grain_radius_mm = 0.3, .mist = 0.2, .rounding = 0.2},
               {.density_kg_m3 = 350,
                .youngs_modulus_pa = 3e5,
                .critical_compression = 0.032,
                .critical_stretch = 0.03,
                .hardening = 8,
                .max_hardening = 6,
                .strength_hardening = 0},
               {.stiffness = 0.25, .scale_m = 0.05},
               {},
               {.size_m = 0.07, .width_m = 0.006}},
    SnowPreset{
        "moist",
        "Fresh snow near 0 °C: soft as it lies, hard and strong where it is pressed. So a ball that rolls over it "
        "presses it on, tears it off the ground, and grows. E and density are low, so that it packs under the "
        "weight of a ball; its strength in tension grows with packing.",
        {.grain_radius_mm = 0.2, .mist = 0.2, .coarseness = -0.3},
        {.density_kg_m3 = 150,
         .youngs_modulus_pa = 2e4,
         .critical_compression = 0.02,
         .critical_stretch = 0.035,
         .hardening = 8,
         .min_J_P = 0.45,
         .max_hardening = 6},
        {.stiffness = 0.2, .scale_m = 0.06}},
    SnowPreset{"wet",
               "Thawing snow: heavy, dents and bends before it breaks, and sticks to what it is pressed on. Hardening "
               "and θ_c are low, so it hardly springs back, which looks muddy. Poisson's ratio is higher because water "
               "in the pores resists compression.",
               {.grain_radius_mm = 1, .preset = "wet", .wetness = 0.45, .rounding = 0.75},
               {.density_kg_m3 = 480,
                .youngs_modulus_pa = 1e5,
                .poisson_ratio = 0.3,
                .critical_compression = 0.01,
                .critical_stretch = 0.01,
                .hardening = 3.5,
                .adhesion_pa = 2500},
               {.stiffness = 0.4, .strength = 0.5, .scale_m = 0.04}},
    SnowPreset{"icy",
               "Refrozen snow: hard, breaks into sharp pieces. It is stiff and strong between seams that hold hardly "
               "anything, so it shatters along them.",
               {.grain_radius_mm = 0.8, .preset = "icy", .mist = 0.1, .coarseness = 0.25, .glaze = 0.6, .shards = 0.9},
               {.density_kg_m3 = 500,
                .youngs_modulus_pa = 4e5,
                .critical_compression = 0.03,
                .critical_stretch = 0.03,
                .hardening = 15,
                .max_hardening = 8,
                .strength_hardening = 0},
               {.stiffness = 0.4, .scale_m = 0.05},
               {},
               {.size_m = 0.05, .width_m = 0.006, .strength = 0.02}},
    SnowPreset{"crust",
               "A frozen crust over soft snow: breaks into plates under a foot. The snow below is soft and powdery; "
               "the outer 3 cm are 5 times as stiff and 20 times as strong. Seams make the plates.",
               {.grain_radius_mm = 0.4, .mist = 0.4, .coarseness = -0.4, .glaze = 0.8, .shards = 0.4},
               {.density_kg_m3 = 220,
                .youngs_modulus_pa = 7e4,
                .critical_compression = 0.019,
                .critical_stretch = 0.005,
                .hardening = 10,
                .max_hardening = 10,
                .strength_hardening = 0},
               {.stiffness = 0.35, .scale_m = 0.08},
               {.depth_m = 0.03, .stiffness = 5, .density = 1.4, .strength = 4},
               {.size_m = 0.09, .width_m = 0.01}},
    SnowPreset{"slush",
               "Half water: flows, splashes, and sticks. It has the lowest hardening and a low θ_c, so it hardly "
               "springs back, "
               "and is nearly incompressible; noise in its strength lets it tear unevenly; the low upper limit of "
               "hardening (`max_hardening`) keeps it from becoming "
               "solid under load. Its pores are nearly closed at rest; `packed_modulus_pa` is lower, so that steps do "
               "not become much shorter.",
               {.grain_radius_mm = 1.5, .preset = "slush", .wetness = 0.6, .rounding = 0.85},
               {.density_kg_m3 = 700,
                .youngs_modulus_pa = 5e4,
                .poisson_ratio = 0.4,
                .critical_compression = 0.015,
                .critical_stretch = 0.022,
                .hardening = 3,
                .max_hardening = 4,
                .packed_modulus_pa = 3e6,
                .adhesion_pa = 1500},
               {.strength = 0.8, .scale_m = 0.03}},
    SnowPreset{"plough-bank",
               "Snow that a plough has thrown up: lumps of packed snow between crumbs. High thresholds give chunks; "
               "seams and strong noise in stiffness and density decide where they break.",
               {.grain_radius_mm = 0.4, .soot_ppm = 1.2, .dust_ppm = 450, .mist = 0.3, .coarseness = 0.8},
               {.density_kg_m3 = 450,
                .youngs_modulus_pa = 1.7e5,
                .critical_compression = 0.034,
                .critical_stretch = 0.03,
                .hardening = 10,
                .max_hardening = 10,
                .strength_hardening = 0},
               {.stiffness = 0.7, .density = 0.15, .scale_m = 0.08},
               {},
               {.size_m = 0.1, .width_m = 0.008}},
    SnowPreset{"paper", "Exactly the values of table 2 of Stomakhin et al. 2013."},
};

const std::array allRenderPresets{
    RenderPreset{"clean", "The default: fresh clean snow, nearly white.", Vec3d(0.90, 0.93, 0.95)},
    RenderPreset{"pure", "Snow of ice alone: the albedo follows from the grain radius. It is whiter than most snow."},
    RenderPreset{"paper", "The albedo of Stomakhin et al. 2013, which is a saturated blue in white light.",
                 Vec3d::Zero(), Vec3d(0.9, 0.95, 1.0)},
    RenderPreset{"dirty", "Roadside snow, a warm grey: soot and dust absorb blue most.", Vec3d(0.54, 0.49, 0.43)},
    RenderPreset{"wet", "Thawing snow: its large grains scatter less and absorb more, red most of all.",
                 Vec3d(0.70, 0.75, 0.79)},
    RenderPreset{"slush", "Watery snow, a neutral grey: fine dirt stays in it. `wetness` makes it darker still.",
                 Vec3d(0.58, 0.61, 0.62)},
    RenderPreset{"icy", "Refrozen snow: light goes far in its large grains, which absorb red, so it is bluish.",
                 Vec3d(0.78, 0.86, 0.92)},
};

template <class Presets>
auto& named(const Presets& presets, std::string_view name, std::string_view what)
{
    std::vector<std::string_view> names;
    for (const auto& preset : presets) {
        if (preset.name == name) return preset;
        names.push_back(preset.name);
    }
    throw Error(ExitCode::Usage, "unknown " + std::string(what) + " preset '" + clampText(std::string(name), 60) + "'" +
                                     didYouMean(name, names));
}

template <class Presets>
std::vector<std::string_view> namesOf(const Presets& presets)
{
    std::vector<std::string_view> names;
    names.reserve(presets.size());
    for (const auto& preset : presets) names.push_back(preset.name);
    return names;
}

}  // namespace

std::span<const SnowPreset> snowPresets() { return allSnowPresets; }

std::span<const RenderPreset> renderPresets() { return allRenderPresets; }

std::vector<std::string_view> snowPresetNames() { return namesOf(allSnowPresets); }

std::vector<std::string_view> renderPresetNames() { return namesOf(allRenderPresets); }

std::vector<std::string_view> lookPresetNames()
{
    std::vector<std::string_view> names = renderPresetNames();
    names.emplace_back("");
    return names;
}

const SnowPreset& snowPreset(std::string_view name) { return named(allSnowPresets, name, "snow"); }

const RenderPreset& renderPreset(std::string_view name) { return named(allRenderPresets, name, "render"); }

}  // namespace firn
