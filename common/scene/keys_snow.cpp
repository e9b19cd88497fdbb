// Keys of [[snow]] and its tables.

#include "common/scene/keys.h"
#include "common/scene/presets.h"
#include "common/scene/scene.h"

namespace firn {

using enum Affects;

const Table& snowMaterialTable()
{
    using M = SnowMaterial;
    static M defaults;
    static const Table table{
        "[snow.material]",
        "The constitutive model of Stomakhin et al. 2013. What is not given comes from the region's preset.",
        &defaults,
        "",
        {
            {"density_kg_m3", fieldOf<&M::density_kg_m3>, "kg/m³", between(1, 2000), Simulation,
             "Initial density. Fresh powder 50 to 150, settled 200 to 300, wet or packed 400 to 600."},
            {"youngs_modulus_pa", fieldOf<&M::youngs_modulus_pa>, "Pa", between(1, 1e12), Simulation,
             "Stiffness E₀ before hardening. Higher is icier and takes smaller time steps."},
            {"poisson_ratio", fieldOf<&M::poisson_ratio>, "", between(0, 0.49), Simulation,
             "How much snow that is squeezed bulges sideways; nearly incompressible towards 0.49."},
            {"critical_compression", fieldOf<&M::critical_compression>, "", aboveUpTo(0, 0.9), Simulation,
             "θ_c: the compression beyond which snow packs for good. Lower is powdery, higher is chunky."},
            {"critical_stretch", fieldOf<&M::critical_stretch>, "", aboveUpTo(0, 0.9), Simulation,
             "θ_s: the stretch beyond which snow comes apart. Lower is powdery, higher holds together in chunks."},
            {"hardening", fieldOf<&M::hardening>, "", between(0, 100), Simulation,
             "ξ: how fast packed snow stiffens and stretched snow softens. Higher is brittle, lower is ductile."},
            {"min_J_P", fieldOf<&M::min_J_P>, "", between(0.01, 1), Simulation,
             "Lower bound of the plastic volume ratio: packing beyond it hardens no further."},
            {"max_J_P", fieldOf<&M::max_J_P>, "", between(1, 1e6), Simulation,
             "Upper bound of the plastic volume ratio: loosening beyond it softens no further."},
            {"max_hardening", fieldOf<&M::max_hardening>, "", between(1, 1e6), Simulation,
             "Upper bound of the hardening factor exp(ξ(1 − J_P)), which bounds the wave speed."},
        }};
    return table;
}

const Table& snowNoiseTable()
{
    using N = SnowNoise;
    static N defaults;
    static const Table table{
        "[snow.noise]",
        "Smooth random variation in space, which makes snow break into chunks. Factors are exp(amount × noise).",
        &defaults,
        "",
        {
            {"stiffness", fieldOf<&N::stiffness>, "", between(0, 5), Simulation,
             "Amount for Young's modulus; 0 is uniform, 0.5 is a range of about e^±0.5."},
            {"density", fieldOf<&N::density>, "", between(0, 5), Simulation, "Amount for density; 0 is uniform."},
            {"scale_m", fieldOf<&N::scale_m>, "m", length_m(), Simulation, "Size of one blob."},
            {"seed", fieldOf<&N::seed>, "", anyValue(), Simulation, "Another number gives another pattern."},
        }};
    return table;
}

const Table& snowCrustTable()
{
    using C = SnowCrust;
    static C defaults;
    static const Table table{
        "[snow.crust]",
        "A stiffer top layer, by depth below the region's upper surface.",
        &defaults,
        "",
        {
            {"depth_m", fieldOf<&C::depth_m>, "m", lengthOrZero_m(), Simulation,
             "Thickness of the crust; 0 is no crust."},
            {"stiffness", fieldOf<&C::stiffness>, "", between(0.01, 1000), Simulation, "Factor on Young's modulus."},
            {"density", fieldOf<&C::density>, "", between(0.01, 100), Simulation, "Factor on density."},
        }};
    return table;
}

const Table& snowTable()
{
    using S = SnowRegion;
    static S defaults;
    static const Table table{
        "[[snow]]",
        "A region filled with snow at the first frame; at least one. The presets are listed below.",
        &defaults,
        "shape",
        {
            {"name", fieldOf<&S::name>, "", anyValue(), Picture,
             "Free name, for `--set` and messages; else snow1, snow2, …"},
            {"shape",
             fieldOf<&S::shape>,
             "",
             anyValue(),
             Simulation,
             "What the region is.",
             "",
             {"box", "sphere", "mesh", "vdb", "layer"}},
            {"preset", fieldOf<&S::preset>, "", anyValue(), Picture,
             "Kind of snow: sets `material`, `noise` and `crust`, except what is given there.", "", snowPresetNames()},
            {"min", fieldOf<&S::min>, "m", coordinate_m(), Simulation,
             "Lower corner. Of a layer x and z bound its outline and y is the ground that it lies on.", "box layer"},
            {"max", fieldOf<&S::max>, "m", coordinate_m(), Simulation, "Upper corner. Of a layer only x and z count.",
             "box layer"},
            {"center", fieldOf<&S::center>, "m", coordinate_m(), Simulation, "Centre.", "sphere"},
            {"radius_m", fieldOf<&S::radius_m>, "m", length_m(), Simulation, "Radius.", "sphere"},
            {"depth_m", fieldOf<&S::depth_m>, "m", length_m(), Simulation,
             "Height of the layer above its ground, before roughness.", "layer"},
            {"roughness_m", fieldOf<&S::roughness_m>, "m", lengthOrZero_m(), Simulation,
             "Amplitude of the gentle undulation of the layer's top.", "layer"},
            {"roughness_scale_m", fieldOf<&S::roughness_scale_m>, "m", length_m(), Simulation,
             "Length of one undulation.", "layer"},
            {"file", fieldOf<&S::file>, "", anyValue(), Simulation,
             "Closed mesh (.obj, .ply) or .vdb, relative to the scene.", "mesh vdb"},
            {"scale", fieldOf<&S::scale>, "m per unit", aboveUpTo(0, 1e6), Simulation,
             "Factor on the file's units: 0.01 for centimetres.", "mesh vdb"},
            {"position", fieldOf<&S::position>, "m", coordinate_m(), Simulation, "Where the file's origin goes.",
             "mesh vdb"},
            {"velocity", fieldOf<&S::velocity>, "m/s", between(-1e4, 1e4), Simulation, "Initial velocity."},
            {"spin_rad_s", fieldOf<&S::spin_rad_s>, "rad/s", between(-1e4, 1e4), Simulation,
             "Initial rotation about the region's centre, as an axis times a rate."},
            {"particles_per_cell", fieldOf<&S::particles_per_cell>, "", between(1, 64), Simulation,
             "Particles in each cell of size dx³. Fewer than 8 tears and clumps where it should not."},
            {"seed", fieldOf<&S::seed>, "", anyValue(), Simulation, "Another number places the particles differently."},
            {"volume",
             fieldOf<&S::volume>,
             "",
             anyValue(),
             Simulation,
             "A particle's initial volume: dx³ over particles per cell, or the paper's m_p/ρ_p from the grid, which is "
             "too "
             "large in thin layers and at free surfaces.",
             "",
             {"seeded", "grid"}},
            {"still", fieldOf<&S::still>, "", anyValue(), Simulation,
             "Rendered but not simulated: the undisturbed field around the snow that moves. Bodies pass through it."},
        },
        {
            childOf<&S::material>("material", snowMaterialTable),
            childOf<&S::noise>("noise", snowNoiseTable),
            childOf<&S::crust>("crust", snowCrustTable),
        }};
    return table;
}

}  // namespace firn
