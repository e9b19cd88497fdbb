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
        "Parameters of the constitutive model of Stomakhin et al. 2013. Values that the scene does not give come from "
        "the region's preset.",
        &defaults,
        "",
        {
            {"density_kg_m3", fieldOf<&M::density_kg_m3>, "kg/m³", between(1, 2000), Simulation,
             "Initial density. Fresh powder 50 to 150, settled 200 to 300, wet or packed 400 to 600."},
            {"youngs_modulus_pa", fieldOf<&M::youngs_modulus_pa>, "Pa", between(1, 1e12), Simulation,
             "Young's modulus E₀ before hardening. Higher values look icier and need smaller time steps."},
            {"poisson_ratio", fieldOf<&M::poisson_ratio>, "", between(0, 0.49), Simulation,
             "How much snow bulges sideways when it is squeezed. Near 0.49 it is almost incompressible."},
            {"critical_compression", fieldOf<&M::critical_compression>, "", aboveUpTo(0, 0.9), Simulation,
             "θ_c: snow that is compressed by more than this stays compressed. Lower values look powdery, higher ones "
             "chunky; values from 0.01 to 0.05 are usual."},
            {"critical_stretch", fieldOf<&M::critical_stretch>, "", aboveUpTo(0, 0.9), Simulation,
             "θ_s: the stretch beyond which snow breaks apart. Lower values look powdery; with higher ones snow holds "
             "together in chunks. Values from 0.003 to 0.035 are usual."},
            {"hardening", fieldOf<&M::hardening>, "", between(0, 100), Simulation,
             "ξ: how fast packed snow becomes stiffer and stretched snow softer. Higher values are brittle, lower ones "
             "ductile."},
            {"min_J_P", fieldOf<&M::min_J_P>, "", between(0.01, 1), Simulation,
             "The plastic volume ratio J_P below which packing makes snow no harder."},
            {"max_J_P", fieldOf<&M::max_J_P>, "", between(1, 1e6), Simulation,
             "Upper bound of the plastic volume ratio J_P. Loosening beyond it makes snow no softer."},
            {"max_hardening", fieldOf<&M::max_hardening>, "", between(1, 1e6), Simulation,
             "Upper bound of the hardening factor exp(ξ(1 − J_P)). It limits the wave speed, and so the number of "
             "steps."},
            {"strength_hardening", fieldOf<&M::strength_hardening>, "", between(0, 1), Simulation,
             "How much stronger in tension snow becomes where it is packed. With 1, as in the paper, strength grows "
             "with the hardening factor, so an impact makes snow so tough that it does not break. With 0, packed snow "
             "is stiffer but not stronger, so it cracks into chunks. Below J_P = 1, θ_s is divided by the hardening "
             "factor to the power of 1 minus this value."},
            {"crumb_mm", fieldOf<&M::crumb_mm>, "mm", between(0.01, 1000), Simulation,
             "Diameter of the crumbs of loose snow, for the drag of `[air]`: 0.5 in powder, 3 to 5 in denser snow."},
            {"adhesion_pa", fieldOf<&M::adhesion_pa>, "Pa", between(0, 1e9), SimulationIfSet,
             "How strongly snow holds to bodies that it has touched or lies beside at the start: 0 in dry snow, 1000 "
             "to 3000 in wet snow. Snow of density ρ and thickness d hangs under a roof if this exceeds about 2ρgd. A "
             "stronger pull takes the snow off the body. Friction grows with adhesion. It has no effect with "
             "`solver.contact = \"nodes\"`."},
            {"packed_modulus_pa", fieldOf<&M::packed_modulus_pa>, "Pa", between(0, 1e10), Simulation,
             "Bulk modulus of snow that is so dense that its pores are closed, from 830 kg/m³ on. Snow becomes no "
             "denser than ice (917 kg/m³) under pressures up to a tenth of it. Higher values take shorter steps where "
             "snow is packed. With low values, snow is crushed further, and steps become short there, too. With 0, "
             "snow may become denser than ice."},
        }};
    return table;
}

const Table& snowNoiseTable()
{
    using N = SnowNoise;
    static N defaults;
    static const Table table{
        "[snow.noise]",
        "Smooth random variation in space, which makes snow break into chunks. Each factor is exp(amount × noise), "
        "with noise from −1 to 1.",
        &defaults,
        "",
        {
            {"stiffness", fieldOf<&N::stiffness>, "", between(0, 5), Simulation,
             "Amount for Young's modulus. 0 is uniform; 0.5 gives factors from e^−0.5 to e^0.5."},
            {"density", fieldOf<&N::density>, "", between(0, 5), Simulation, "Amount for density; 0 is uniform."},
            {"strength", fieldOf<&N::strength>, "", between(0, 5), Simulation,
             "Amount for the critical stretch θ_s, and so for tensile strength; 0 is uniform."},
            {"scale_m", fieldOf<&N::scale_m>, "m", length_m(), Simulation, "Size of the stiffer and softer patches."},
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
        "A stiffer outer layer: the top of a box or layer, and the shell of a sphere, mesh or level set.",
        &defaults,
        "",
        {
            {"depth_m", fieldOf<&C::depth_m>, "m", lengthOrZero_m(), Simulation,
             "Thickness of the crust; 0 means no crust."},
            {"stiffness", fieldOf<&C::stiffness>, "", between(0.01, 1000), Simulation,
             "Factor on Young's modulus in the crust."},
            {"density", fieldOf<&C::density>, "", between(0.01, 100), Simulation, "Factor on density in the crust."},
            {"strength", fieldOf<&C::strength>, "", between(0.01, 1000), SimulationIfSet,
             "Factor on the critical stretch θ_s in the crust. Its tensile strength is that of the snow below times "
             "this and `stiffness`. Strong crust over weak snow breaks into plates."},
        }};
    return table;
}

const Table& snowSeamsTable()
{
    using W = SnowSeams;
    static W defaults;
    static const Table table{
        "[snow.seams]",
        "Seams of weak snow, along which the region breaks into chunks. They are the borders of irregular cells that "
        "fill space. The grid cannot carry seams narrower than `solver.dx` or cells smaller than 4 times that; the "
        "simulation widens them to these sizes and says so.",
        &defaults,
        "",
        {
            {"size_m", fieldOf<&W::size_m>, "m", lengthOrZero_m(), Simulation,
             "Mean distance of a cell's centre to its neighbours': the size of chunks. 0 means no seams."},
            {"width_m", fieldOf<&W::width_m>, "m", length_m(), Simulation, "Width of a seam."},
            {"strength", fieldOf<&W::strength>, "", between(0.001, 1), Simulation,
             "Factor on the critical stretch θ_s, and so on tensile strength, in a seam."},
            {"seed", fieldOf<&W::seed>, "", anyValue(), Simulation, "Another number gives another pattern."},
        }};
    return table;
}

const Table& snowPowderTable()
{
    using P = SnowPowder;
    static P defaults;
    static const Table table{
        "[snow.powder]",
        "Powder in the air. Where snow breaks, shears or hits something, the work grinds fine grains off it. Where the "
        "snow is loose and moves through air, they leave it, hang in the air as puffs, drift with the wind and settle. "
        "It needs `[air]`. The snow loses the mass of its powder.",
        &defaults,
        "",
        {
            {"share", fieldOf<&P::share>, "", between(0, 0.5), SimulationIfSet,
             "Largest share of the snow's mass that is ground and has not left it yet: 0.02 to 0.2 in dry snow. 0 "
             "means no powder, as in wet snow."},
            {"work_J_kg", fieldOf<&P::work_J_kg>, "J/kg", between(0.01, 1e6), SimulationIfSet,
             "Plastic work per mass of snow that grinds 63 % of the share. An impact at 8 m/s has 32 J/kg."},
            {"grain_mm", fieldOf<&P::grain_mm>, "mm", between(0.01, 2), SimulationIfSet,
             "Diameter of the grains. Finer grains settle more slowly, 0.24 m/s at 0.1 mm, and are more opaque."},
        }};
    return table;
}

const Table& snowLookTable()
{
    using L = SnowLook;
    static L defaults;
    static const Table table{
        "[snow.look]",
        "How the snow of the region looks. Where regions mix, so do their looks, in proportion to the light that each "
        "scatters and absorbs. `render.extinction_per_m` and `render.albedo` replace these values for all regions.",
        &defaults,
        "",
        {
            {"grain_radius_mm", fieldOf<&L::grain_radius_mm>, "mm", between(0.01, 20), Picture,
             "Optical radius r of the grains: 0.1 in fresh snow, 0.25 in settled snow, 1 in wet snow. It sets the "
             "extinction, 3ρ/(2 ρ_ice r). Fine grains look opaque and crisp, coarse ones translucent."},
            {"preset", fieldOf<&L::preset>, "", anyValue(), Picture, "Colour of the snow. Empty: `render.preset`.", "",
             lookPresetNames()},
            {"albedo", fieldOf<&L::albedo>, "", between(0, 1), Picture,
             "Single-scattering albedo, linear Rec. 709. `[0, 0, 0]` means: from the preset, soot and dust."},
            {"soot_ppm", fieldOf<&L::soot_ppm>, "", between(0, 1e6), Picture,
             "Soot, in millionths of the mass of snow. It makes snow grey: 0.02 in remote snow, 0.1 to 1 near cities, "
             "10 and more beside roads."},
            {"dust_ppm", fieldOf<&L::dust_ppm>, "", between(0, 1e6), Picture,
             "Mineral dust, in millionths of the mass of snow. It makes snow yellow to brown: 1 in clean snow, 100 "
             "after a dust storm, 1000 and more where grit is spread."},
            {"wetness", fieldOf<&L::wetness>, "", between(0, 0.95), Picture,
             "Share of the grains' surface that water covers: 0 in dry snow, 0.45 in thawing snow, 0.6 in slush. Wet "
             "snow is darker, more translucent and glossy, and glints less. The gloss is a layer of its own, `gloss`, "
             "and part of the picture."},
            {"mist", fieldOf<&L::mist>, "", between(0, 1), Picture,
             "Share of the mass of loose snow in flight that is rendered as mist, fine snow between the crumbs and "
             "behind them: 0.95 in powder, 0 in wet snow. With `render.detail` only."},
            {"coarseness", fieldOf<&L::coarseness>, "", between(-1, 1), Picture,
             "Relief of the surface as the snow lies: -1 is even with a fine grain, 0 is that of snow a few days old, "
             "1 is lumps. With `render.detail` only."},
            {"rounding", fieldOf<&L::rounding>, "", between(0, 1), Picture,
             "How far melting has rounded the relief: at 1, features finer than 2 cm are gone. With `render.detail` "
             "only."},
            {"glaze", fieldOf<&L::glaze>, "", between(0, 1), Picture,
             "Share of the surface that a film of ice covers. It rounds the relief and is glossy. Where snow breaks or "
             "is stirred, the glaze is gone."},
            {"shards", fieldOf<&L::shards>, "", between(0, 1), Picture,
             "How far broken snow has the look of broken ice: 0 is rough crumbs, 1 is pieces with flat faces and sharp "
             "edges. With `render.detail` only."},
        }};
    return table;
}

const Table& snowMaskTable()
{
    using M = SnowMask;
    static M defaults;
    static const Table table{
        "[snow.mask]",
        "A picture that tells where the region has snow. Snow of another kind can fill the rest: give it in a region "
        "that comes later in the file and has the same `min` and `max`. So snow can differ from place to place in "
        "every value, such as packed tracks in powder.",
        &defaults,
        "",
        {
            {"file", fieldOf<&M::file>, "", anyValue(), SimulationIfSet,
             "A grey picture without transparency (.png of 8 or 16 bits, or .exr with a channel `Y`, `mask` or `R`), "
             "seen from above, which "
             "covers `min` to `max`: its first row is at the lowest z, its first column at the lowest x. There is snow "
             "where it is white (1) and none where it is black (0). A grey of 0.3 fills 30 % of the places, chosen at "
             "random, so that kinds of snow mix there. Width to height must be as x to z of the region, to a pixel or "
             "2 %."},
            {"invert", fieldOf<&M::invert>, "", anyValue(), SimulationIfSet,
             "Swaps black and white, so that one picture does for two regions."},
        }};
    return table;
}

const Table& snowPatchesTable()
{
    using P = SnowPatches;
    static P defaults;
    static const Table table{
        "[snow.patches]",
        "Patches of random shape: the region has snow in them only. Snow of another kind can fill the rest, as with "
        "`[snow.mask]`. With both tables, snow is where both have it.",
        &defaults,
        "",
        {
            {"share", fieldOf<&P::share>, "", aboveUpTo(0, 1), SimulationIfSet,
             "Share of the region that the patches cover; 1 means all of it."},
            {"size_m", fieldOf<&P::size_m>, "m", length_m(), SimulationIfSet,
             "Size of a patch. Patches of a layer and a box are the same from top to bottom."},
            {"softness", fieldOf<&P::softness>, "", between(0, 1), SimulationIfSet,
             "How far the kinds of snow mix at the border: 0 is a sharp border, 1 has no clear border at all."},
            {"seed", fieldOf<&P::seed>, "", anyValue(), SimulationIfSet, "Another number gives another pattern."},
        }};
    return table;
}

const Table& snowSourceTable()
{
    using S = SnowSource;
    static S defaults;
    static const Table table{
        "[snow.source]",
        "Snow that comes during the shot. With `start_s` alone, the region fills with snow at that time, except where "
        "there is snow already. With `length_s`, the region is a mouth: snow enters it with the region's `velocity` "
        "and flows out on the other side, as from a blower, or as falling snow.",
        &defaults,
        "",
        {
            {"start_s", fieldOf<&S::start_s>, "s", between(0, 1e6), Simulation,
             "When the snow comes, after the first frame."},
            {"length_s", fieldOf<&S::length_s>, "s", between(0, 1e6), Simulation,
             "How long it flows; 0 means that it comes all at once. A stream needs a box or a sphere, and a velocity."},
            {"share", fieldOf<&S::share>, "", aboveUpTo(0, 1), Simulation,
             "Share of the places for particles that hold one, chosen at random: 1 in a solid stream, 0.001 in falling "
             "snow."},
            {"body", fieldOf<&S::body>, "", anyValue(), Simulation,
             "Name of a body that carries the mouth of a stream, such as the chute of a blower. Place and velocity of "
             "the region are then relative to the body."},
        }};
    return table;
}

const Table& snowTable()
{
    using S = SnowRegion;
    static S defaults;
    static const Table table{
        "[[snow]]",
        "A region that is filled with snow at the first frame. A scene needs at least one. Where regions overlap, the "
        "snow belongs to the region that comes first in the file. The presets are listed below.",
        &defaults,
        "shape",
        {
            {"name", fieldOf<&S::name>, "", anyValue(), Picture,
             "A name of your choice, for `--set` and messages. Without it: snow1, snow2, …"},
            {"shape",
             fieldOf<&S::shape>,
             "",
             anyValue(),
             Simulation,
             "The shape of the region. A layer carries its own weight from the start. Snow of other shapes starts "
             "without "
             "stress: on the ground it sags and swings at first, so use a layer for a bed of snow.",
             "",
             {"box", "sphere", "mesh", "vdb", "layer"}},
            {"preset", fieldOf<&S::preset>, "", anyValue(), Picture,
             "Kind of snow. Sets all values of `material`, `noise`, `crust`, `seams` and `look` that the scene leaves "
             "out.",
             "", snowPresetNames()},
            {"min", fieldOf<&S::min>, "m", coordinate_m(), Simulation,
             "Lower corner. For a layer, x and z bound its outline, and y is the height of the ground that it lies on.",
             "box layer"},
            {"max", fieldOf<&S::max>, "m", coordinate_m(), Simulation,
             "Upper corner. For a layer, only x and z are used.", "box layer"},
            {"center", fieldOf<&S::center>, "m", coordinate_m(), Simulation, "Centre.", "sphere"},
            {"radius_m", fieldOf<&S::radius_m>, "m", length_m(), Simulation, "Radius.", "sphere"},
            {"ground", fieldOf<&S::ground>, "", anyValue(), Simulation,
             "Name of a body that the layer lies on, such as a terrain, a roof or a car, where it is at the first "
             "frame. The layer follows its upper surface, and the y of `min` is not used. Where the body moves at the "
             "first frame, the snow starts with its velocity.",
             "layer"},
            {"ground_slope_deg", fieldOf<&S::ground_slope_deg>, "degrees", between(0, 90), Simulation,
             "Where `ground` is steeper, no snow lies; within the last 10 degrees the layer gets thinner.", "layer"},
            {"ground_fill_m", fieldOf<&S::ground_fill_m>, "m", lengthOrZero_m(), SimulationIfSet,
             "Snow fills hollows of the ground up to about this width, and rocks stick out of it: its top follows "
             "the ground's mean over this distance. 0 follows every bump.",
             "layer"},
            {"depth_m", fieldOf<&S::depth_m>, "m", length_m(), Simulation,
             "Thickness of the layer, measured vertically, before roughness is added.", "layer"},
            {"top_only_m", fieldOf<&S::top_only_m>, "m", lengthOrZero_m(), SimulationIfSet,
             "Fills only the top of the region, down to this depth below its upper surface; 0 fills all of it. Another "
             "region of the same shape that comes later in the file fills the rest. So snow has layers: give a slab, a "
             "weak layer and old snow in three regions."},
            {"roughness_m", fieldOf<&S::roughness_m>, "m", lengthOrZero_m(), Simulation,
             "Amplitude of the gentle undulation of the layer's top.", "layer"},
            {"roughness_scale_m", fieldOf<&S::roughness_scale_m>, "m", length_m(), Simulation,
             "Length of one undulation.", "layer"},
            {"file", fieldOf<&S::file>, "", anyValue(), Simulation,
             "A closed mesh (.obj, .ply) or a level set (.vdb). The path is relative to the scene.", "mesh vdb"},
            {"scale", fieldOf<&S::scale>, "m per unit", aboveUpTo(0, 1e6), Simulation,
             "Factor from the file's units to metres: 0.01 for centimetres.", "mesh vdb"},
            {"up_axis",
             fieldOf<&S::up_axis>,
             "",
             anyValue(),
             Simulation,
             "The axis of the file that points up.",
             "mesh vdb",
             {"x", "y", "z"}},
            {"pivot",
             fieldOf<&S::pivot>,
             "",
             anyValue(),
             Simulation,
             "The point of the file that is placed at `position` and that `rotation_deg` turns about: the file's "
             "origin, the centre of the surface's bounds, or the centre of their lower face.",
             "mesh vdb",
             {"origin", "center", "base"}},
            {"position", fieldOf<&S::position>, "m", coordinate_m(), Simulation, "The place of the pivot.", "mesh vdb"},
            {"rotation_deg", fieldOf<&S::rotation_deg>, "degrees", angle_deg(), Simulation,
             "Rotation: Euler angles about x, y and z, applied in this order about fixed axes. A box turns about its "
             "centre, a file about its pivot.",
             "box mesh vdb"},
            {"velocity", fieldOf<&S::velocity>, "m/s", between(-1e4, 1e4), Simulation, "Initial velocity."},
            {"spin_rad_s", fieldOf<&S::spin_rad_s>, "rad/s", between(-1e4, 1e4), Simulation,
             "Initial rotation about the region's centre of mass: a vector along the axis; its length is the rate."},
            {"particles_per_cell", fieldOf<&S::particles_per_cell>, "", between(1, 64), Simulation,
             "Particles in each cell of size dx³. With fewer than 8, snow tears and clumps where it should not."},
            {"seed", fieldOf<&S::seed>, "", anyValue(), Simulation, "Another number places the particles differently."},
            {"volume",
             fieldOf<&S::volume>,
             "",
             anyValue(),
             Simulation,
             "Initial volume of a particle. Seeded: dx³ divided by the particles per cell. Grid: m_p/ρ_p from the "
             "density on the grid, as in the paper; this is too large in thin layers and at free surfaces.",
             "",
             {"seeded", "grid"}},
            {"still", fieldOf<&S::still>, "", anyValue(), Simulation,
             "The snow is rendered but not simulated. This is for the undisturbed field around the snow that moves. "
             "Bodies pass through it. At the end of the list of regions it takes no space from the snow that moves. "
             "Its keys and files then decide about pictures only, and the cache stays valid when they change."},
        },
        {
            childOf<&S::material>("material", snowMaterialTable),
            childOf<&S::noise>("noise", snowNoiseTable),
            childOf<&S::crust>("crust", snowCrustTable),
            childOf<&S::seams>("seams", snowSeamsTable),
            childOf<&S::powder>("powder", snowPowderTable),
            childOf<&S::look>("look", snowLookTable),
            childOf<&S::mask>("mask", snowMaskTable),
            childOf<&S::patches>("patches", snowPatchesTable),
            childOf<&S::source>("source", snowSourceTable),
        }};
    return table;
}

}  // namespace firn
