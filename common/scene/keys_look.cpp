// Keys of [camera] and [render]: none of them changes the simulation.

#include "common/scene/keys.h"
#include "common/scene/lighting.h"
#include "common/scene/presets.h"
#include "common/scene/scene.h"

namespace firn {

using enum Affects;

const Table& cameraKeyTable()
{
    using K = CameraKey;
    static K defaults;
    static const Table table{
        "[[camera.key]]",
        "The camera at one time. Values that a key leaves out are those of the key before it; the first key takes them "
        "from `[camera]`. The camera moves smoothly from key to key.",
        &defaults,
        "",
        {
            {"time_s", fieldOf<&K::time_s>, "s", time_s(), Picture,
             "Time since the first frame. Times must increase from key to key."},
            {"position", fieldOf<&K::position>, "m", coordinate_m(), Picture, "Position at that time."},
            {"look_at", fieldOf<&K::look_at>, "m", coordinate_m(), Picture, "The point at the picture's centre."},
            {"focal_length_mm", fieldOf<&K::focal_length_mm>, "mm", between(1, 5000), Picture, "Focal length."},
            {"focus_distance_m", fieldOf<&K::focus_distance_m>, "m", between(0, 100000), Picture,
             "Distance of what is in focus. 0 means that of `look_at`."},
            {"roll_deg", fieldOf<&K::roll_deg>, "deg", between(-3600, 3600), Picture,
             "Turn of the camera about its direction of view."},
        }};
    return table;
}

const Table& cameraAnimationTable()
{
    using A = CameraAnimation;
    static A defaults;
    static const Table table{
        "[camera.animation]",
        "The camera moves as one of an animated file (.glb, .gltf, .fbx), such as a matched or an animated camera. Its "
        "place, direction and angle of view replace `position`, `look_at`, `roll_deg` and `focal_length_mm`.",
        &defaults,
        "",
        {
            {"file", fieldOf<&A::file>, "", anyValue(), Picture, "The file. The path is relative to the scene."},
            {"camera", fieldOf<&A::camera>, "", anyValue(), Picture,
             "Name of the camera in the file. It may be left out if there is only one."},
            {"clip", fieldOf<&A::clip>, "", anyValue(), Picture,
             "Name of the clip (animation) in the file; without it, the first one."},
            {"scale", fieldOf<&A::scale>, "m per unit", aboveUpTo(0, 1e6), Picture,
             "Factor from the file's units to metres. FBX files name their unit."},
            {"up_axis",
             fieldOf<&A::up_axis>,
             "",
             anyValue(),
             Picture,
             "The axis that points up in the file.",
             "",
             {"x", "y", "z"}},
            {"time_offset_s", fieldOf<&A::time_offset_s>, "s", time_s(), Picture,
             "Time in the clip at the first frame."},
        }};
    return table;
}

const Table& cameraTable()
{
    using C = Camera;
    static C defaults;
    static const Table table{
        "[camera]",
        "The camera. Without `roll_deg`, the y axis is up in the picture.",
        &defaults,
        "",
        {
            {"position", fieldOf<&C::position>, "m", coordinate_m(), Picture, "Position."},
            {"look_at", fieldOf<&C::look_at>, "m", coordinate_m(), Picture, "The point at the picture's centre."},
            {"focal_length_mm", fieldOf<&C::focal_length_mm>, "mm", between(1, 5000), Picture, "Focal length."},
            {"sensor_width_mm", fieldOf<&C::sensor_width_mm>, "mm", between(1, 1000), Picture,
             "Width of the sensor; 36 is full frame."},
            {"f_stop", fieldOf<&C::f_stop>, "", between(0, 128), Picture,
             "Focal length over the diameter of the aperture: 2.8 blurs what is not in focus much more than 11. 0 "
             "means that all is in focus; other values are at least 0.1."},
            {"focus_distance_m", fieldOf<&C::focus_distance_m>, "m", between(0, 100000), Picture,
             "Distance of what is in focus, along the direction of view. 0 means that of `look_at`."},
            {"roll_deg", fieldOf<&C::roll_deg>, "deg", between(-3600, 3600), Picture,
             "Turn of the camera about its direction of view. A positive angle lowers the camera's right side, so the "
             "horizon rises to the right."},
            {"lens_shift_x", fieldOf<&C::lens_shift_x>, "", between(-10, 10), Picture,
             "Shift of the picture to the right, in widths of the picture: it shows more of what is on the right, "
             "without a turn of the camera."},
            {"lens_shift_y", fieldOf<&C::lens_shift_y>, "", between(-10, 10), Picture,
             "Shift of the picture upwards, in widths of the picture: it shows more of what is above, and vertical "
             "lines stay parallel."},
            {"focus_body", fieldOf<&C::focus_body>, "", anyValue(), Picture,
             "Name of the body whose middle is in focus, also while it moves. It replaces `focus_distance_m`."},
            {"blades", fieldOf<&C::blades>, "", between(0, 16), Picture,
             "Number of blades of the aperture, at least 3: bright points that are not in focus become polygons. 0 "
             "means that the aperture is round."},
            {"blade_rotation_deg", fieldOf<&C::blade_rotation_deg>, "deg", between(-360, 360), Picture,
             "Turns that polygon, counter-clockwise. At 0 it has a corner at the top."},
            {"shutter_deg", fieldOf<&C::shutter_deg>, "deg", between(0, 360), Picture,
             "Angle of the shutter: 180 means that it is open for half of the time from frame to frame. What moves "
             "meanwhile is blurred: snow, bodies and camera. 0 means no motion blur."},
            {"shutter_offset_deg", fieldOf<&C::shutter_offset_deg>, "deg", between(-360, 360), Picture,
             "Middle of the time in which the shutter is open, relative to the time of the frame. With half of "
             "`shutter_deg`, the shutter opens at the time of the frame."},
        },
        {listOf<&C::keys>("key", cameraKeyTable), childOf<&C::animation>("animation", cameraAnimationTable)}};
    return table;
}

const Table& renderTable()
{
    using R = Render;
    static R defaults;
    static const Table table{
        "[render]",
        "Size, sampling and look of the pictures.",
        &defaults,
        "",
        {
            {"width", fieldOf<&R::width>, "pixels", between(1, 32768), Picture, "Width of the picture."},
            {"height", fieldOf<&R::height>, "pixels", between(1, 32768), Picture, "Height of the picture."},
            {"spp", fieldOf<&R::spp>, "", between(1, 1 << 24), Picture,
             "Paths per pixel. Four times as many paths halve the noise."},
            {"shutter_slices", fieldOf<&R::shutter_slices>, "", between(0, 64), Picture,
             "With motion blur: number of times for which snow is rasterized while the shutter is open. 0 means so "
             "many that fast snow moves by at most two pixels from one to the next, up to 24. Fewer take less time to "
             "prepare and suit fine spray; dense snow gets steps and torn edges. The bound `detail_memory_MB` is for "
             "all of them together."},
            {"lighting", fieldOf<&R::lighting>, "", anyValue(), Picture,
             "With another value than `scene`, ready-made lights replace those of the scene. They suit the camera's "
             "place and view: `low-sun` shines from the side and from beyond the snow, `overcast` is soft, "
             "`dusk-lamps` has warm lamps under a blue sky, and `studio` has three large lamps.",
             "", lightingNames()},
            {"preset", fieldOf<&R::preset>, "", anyValue(), Picture,
             "Colour of snow in regions that have no preset in `look`.", "", renderPresetNames()},
            {"extinction_per_m", fieldOf<&R::extinction_per_m>, "1/m", between(0, 1e6), Picture,
             "Extinction σ_t of snow that has the reference density; it is proportional to density. 0 means: from "
             "`grain_radius_mm` of each region."},
            {"reference_density_kg_m3", fieldOf<&R::reference_density_kg_m3>, "kg/m³", aboveUpTo(0, 1e5), Picture,
             "The density that `extinction_per_m` belongs to."},
            {"albedo", fieldOf<&R::albedo>, "", between(0, 1), Picture,
             "Single-scattering albedo of all snow, linear Rec. 709. `[0, 0, 0]` means: from the look of each region, "
             "which the preset sets."},
            {"anisotropy", fieldOf<&R::anisotropy>, "", between(-0.99, 0.99), Picture,
             "Mean cosine g of Henyey-Greenstein scattering. Above 0, light is scattered forward."},
            {"max_bounces", fieldOf<&R::max_bounces>, "", between(0, 1e9), Picture,
             "Upper bound of the scatterings of a path; 0 is unlimited. A bound makes snow darker."},
            {"show_sky", fieldOf<&R::show_sky>, "", anyValue(), Picture,
             "Whether the picture shows the sky behind everything. `false` leaves it black with alpha 0, so that the "
             "picture can be laid over another one; snow and bodies still have the sky's light."},
            {"mattes", fieldOf<&R::mattes>, "", anyValue(), Picture,
             "Whether the EXR has a Cryptomatte (layers CryptoObject00 and so on), with which compositing programs "
             "select bodies by their names, and all snow as `snow`."},
            {"voxel_m", fieldOf<&R::voxel_m>, "m", lengthOrZero_m(), Picture,
             "Voxel size of the density grid; 0 means half of `solver.dx`."},
            {"detail",
             fieldOf<&R::detail>,
             "",
             anyValue(),
             Picture,
             "Detail of snow below the size of a particle, at surfaces that the camera sees. Voxels there are two "
             "pixels wide with coarse, one with fine and half a pixel with finest. Off renders the particles' kernels "
             "alone.",
             "",
             {"off", "coarse", "fine", "finest"}},
            {"detail_memory_MB", fieldOf<&R::detail_memory_MB>, "MB", between(16, 1e6), Picture,
             "Bound of the memory that detail takes. Where it does not suffice, voxels are wider, and a message says "
             "so."},
            {"glints", fieldOf<&R::glints>, "", between(0, 1000), Picture,
             "Strength of the sparkle of single crystals in the light of suns and lamps; 0 is none. It is a layer of "
             "its own, "
             "`glints`, and part of the picture."},
            {"glint_size_mm", fieldOf<&R::glint_size_mm>, "mm", between(0.01, 100), Picture,
             "Width of the crystals that sparkle. Half the width gives four times as many."},
            {"transport",
             fieldOf<&R::transport>,
             "",
             anyValue(),
             Picture,
             "How light in snow is found. Paths: path tracing, unbiased. Cached: light that snow has scattered is "
             "stored on a grid once per frame, and paths end there. A path then costs less, but filling the grid takes "
             "time, and its noise stays. As a rule, cached saves time from some 200 paths per pixel on, in spray from "
             "500 on, or where a light cache is used again. Pictures that are "
             "rendered in parts (`--samples`, `--film`) fill the grid for the whole picture in every part.",
             "",
             {"paths", "cached"}},
            {"cache_depth", fieldOf<&R::cache_depth>, "", between(2, 16), Picture,
             "With `transport = \"cached\"`: paths end where the optical depth to the nearest border or body is at "
             "least this. Larger values are slower and closer to path tracing."},
            {"cache_cell_m", fieldOf<&R::cache_cell_m>, "m", lengthOrZero_m(), Picture,
             "Edge of the light cache's cells; 0 means a quarter of the diffusion length, but at least half of "
             "`cache_depth` mean free paths and at most all of them."},
            {"cache_photons", fieldOf<&R::cache_photons>, "", between(0, 1e10), Picture,
             "Number of photons that fill the light cache; 0 means a quarter of the number of camera paths, at least "
             "16 and at most 64 per pixel. Four times as many halve its noise, which shows as soft blotches and specks "
             "in shadow."},
            {"seed", fieldOf<&R::seed>, "", atLeast(0), Picture, "Another number gives another pattern of noise."},
            {"vary_seed", fieldOf<&R::vary_seed>, "", anyValue(), Picture,
             "Whether each frame has random numbers of its own. Without it, the pattern of noise stands still on the "
             "picture. With it, noise flickers, and `firn-render denoise --neighbours` can use the light of other "
             "frames."},
            {"half", fieldOf<&R::half>, "", anyValue(), Picture, "Writes EXR channels as half; otherwise as float."},
            {"view",
             fieldOf<&R::view>,
             "",
             anyValue(),
             Picture,
             "Tone curve of the PNG previews.",
             "",
             {"filmic", "srgb"}},
            {"exposure", fieldOf<&R::exposure>, "stops", between(-20, 20), Picture, "Exposure of the PNG previews."},
            {"filter_radius_px", fieldOf<&R::filter_radius_px>, "pixels", aboveUpTo(0, 16), Picture,
             "Radius of the reconstruction filter."},
        }};
    return table;
}

}  // namespace firn
