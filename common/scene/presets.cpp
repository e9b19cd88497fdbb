#include "common/scene/presets.h"

#include <array>

#include "common/error.h"
#include "common/scene/suggest.h"

namespace firn {

namespace {

// How the numbers make the look (Stomakhin et al. 2013, section 7): lower thresholds theta fall apart into powder,
// higher ones into chunks; higher hardening xi is brittle, lower ductile; more xi and E is icy, less is muddy. E goes
// with density, except where stiffness is the point, so that wave speed and time step stay near those of the paper's
// snow.
const std::array snow_presets{
    SnowPreset{"powder",
               "Fresh dry snow: light, falls apart at a touch and flies. Thresholds far below the paper's let nothing "
               "cling; E falls with density.",
               {.density_kg_m3 = 120,
                .youngs_modulus_pa = 4e4,
                .critical_compression = 0.015,
                .critical_stretch = 0.003,
                .hardening = 7}},
    SnowPreset{"settled",
               "A few days old, the default: footprints with clean walls and some crumbs. Low hardening and a low θ_c "
               "let it pack "
               "deep under a boot before it pushes its surroundings away; weak noise against too smooth breaks.",
               {.density_kg_m3 = 250,
                .youngs_modulus_pa = 8e4,
                .critical_compression = 0.015,
                .critical_stretch = 0.007,
                .hardening = 4,
                .min_J_P = 0.45,
                .max_hardening = 6},
               {.stiffness = 0.2, .scale_m = 0.06}},
    SnowPreset{"packing",
               "Slightly moist, for snowballs and snowmen: sticks where pressed. High thresholds hold lumps together, "
               "moderate hardening keeps them from shattering.",
               {.density_kg_m3 = 350,
                .youngs_modulus_pa = 1.3e5,
                .critical_compression = 0.032,
                .critical_stretch = 0.011,
                .hardening = 8},
               {.stiffness = 0.25, .scale_m = 0.05}},
    SnowPreset{"wet",
               "Thawing: heavy, bends before it breaks. Low hardening and E for its density are muddy; water in the "
               "pores resists compression, hence the higher Poisson ratio.",
               {.density_kg_m3 = 480,
                .youngs_modulus_pa = 1e5,
                .poisson_ratio = 0.3,
                .critical_compression = 0.035,
                .critical_stretch = 0.012,
                .hardening = 5}},
    SnowPreset{
        "icy",
        "Refrozen: hard, breaks into sharp pieces. High E and hardening with low thresholds are stiff and brittle.",
        {.density_kg_m3 = 500,
         .youngs_modulus_pa = 4e5,
         .critical_compression = 0.02,
         .critical_stretch = 0.005,
         .hardening = 15},
        {.stiffness = 0.4, .scale_m = 0.05}},
    SnowPreset{"crust",
               "A frozen crust over soft snow: breaks into plates under a foot. The body is soft and powdery; the top "
               "3 cm are 5 times as stiff, with noise so that plates are irregular.",
               {.density_kg_m3 = 220,
                .youngs_modulus_pa = 7e4,
                .critical_compression = 0.019,
                .critical_stretch = 0.005,
                .hardening = 10},
               {.stiffness = 0.35, .scale_m = 0.08},
               {.depth_m = 0.03, .stiffness = 5, .density = 1.4}},
    SnowPreset{"slush",
               "Half water: flows, splashes, hardly springs back. Lowest hardening, wide thresholds, nearly "
               "incompressible; the hardening bound keeps it from setting under load.",
               {.density_kg_m3 = 700,
                .youngs_modulus_pa = 5e4,
                .poisson_ratio = 0.4,
                .critical_compression = 0.05,
                .critical_stretch = 0.02,
                .hardening = 3,
                .max_hardening = 4}},
    SnowPreset{"plough-bank",
               "Thrown up by a plough: lumps of packed snow in crumbs. High thresholds are chunky, strong noise in "
               "stiffness and density decides where it breaks.",
               {.density_kg_m3 = 450,
                .youngs_modulus_pa = 1.7e5,
                .critical_compression = 0.034,
                .critical_stretch = 0.01,
                .hardening = 10},
               {.stiffness = 0.7, .density = 0.15, .scale_m = 0.08}},
    SnowPreset{"paper",
               "Table 2 of Stomakhin et al. 2013, to the digit.",
               {.density_kg_m3 = 400,
                .youngs_modulus_pa = 1.4e5,
                .poisson_ratio = 0.2,
                .critical_compression = 0.025,
                .critical_stretch = 0.0075,
                .hardening = 10}},
};

const std::array render_presets{
    RenderPreset{"clean", "Fresh clean snow, nearly white, the default.", Vec3d(0.90, 0.93, 0.95)},
    RenderPreset{"paper", "The albedo of Stomakhin et al. 2013: a saturated blue in white light.", Vec3d::Zero(),
                 Vec3d(0.9, 0.95, 1.0)},
    RenderPreset{"dirty", "Roadside snow: soot and dust absorb blue most, a warm grey.", Vec3d(0.54, 0.49, 0.43)},
    RenderPreset{"wet", "Thawing snow: large grains scatter less and absorb more, red first.", Vec3d(0.70, 0.75, 0.79)},
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
    for (const auto& preset : presets) names.push_back(preset.name);
    return names;
}

}  // namespace

std::span<const SnowPreset> snowPresets() { return snow_presets; }

std::span<const RenderPreset> renderPresets() { return render_presets; }

std::vector<std::string_view> snowPresetNames() { return namesOf(snow_presets); }

std::vector<std::string_view> renderPresetNames() { return namesOf(render_presets); }

const SnowPreset& snowPreset(std::string_view name) { return named(snow_presets, name, "snow"); }

const RenderPreset& renderPreset(std::string_view name) { return named(render_presets, name, "render"); }

}  // namespace firn
