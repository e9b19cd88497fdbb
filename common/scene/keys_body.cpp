// Keys of [[body]] and [[body.key]].

#include "common/scene/keys.h"
#include "common/scene/scene.h"

namespace firn {

using enum Affects;

const Table& bodyKeyTable()
{
    using K = BodyKey;
    static K defaults;
    static const Table table{
        "[[body.key]]",
        "Where a body is at a time. What a key does not give is as in the key before it, and in the first as in the "
        "body.",
        &defaults,
        "",
        {
            {"time_s", fieldOf<&K::time_s>, "s", time_s(), Simulation,
             "Time since the first frame; keys in increasing order."},
            {"position", fieldOf<&K::position>, "m", coordinate_m(), Simulation, "Position at that time."},
            {"rotation_deg", fieldOf<&K::rotation_deg>, "degrees", angle_deg(), Simulation,
             "Rotation about the fixed axes x, then y, then z."},
            {"ease",
             fieldOf<&K::ease>,
             "",
             anyValue(),
             Simulation,
             "How the body moves towards the next key.",
             "",
             {"linear", "smooth", "in", "out", "step"}},
        }};
    return table;
}

const Table& bodyTable()
{
    using B = BodySpec;
    static B defaults;
    static const Table table{
        "[[body]]",
        "A rigid or jointed thing that snow collides with: ground, plough, walking character.",
        &defaults,
        "shape",
        {
            {"name", fieldOf<&B::name>, "", anyValue(), Picture,
             "Free name, for `--set` and messages; else body1, body2, …"},
            {"shape",
             fieldOf<&B::shape>,
             "",
             anyValue(),
             Simulation,
             "What the body is.",
             "",
             {"plane", "box", "sphere", "capsule", "mesh", "vdb", "character"}},
            {"friction", fieldOf<&B::friction>, "", between(0, 10), Simulation,
             "Coulomb friction against snow; 0 is ice."},
            {"sticky", fieldOf<&B::sticky>, "", anyValue(), Simulation, "Snow that touches it never lets go."},
            {"position", fieldOf<&B::position>, "m", coordinate_m(), Simulation, "Position of the body's origin."},
            {"rotation_deg", fieldOf<&B::rotation_deg>, "degrees", angle_deg(), Simulation,
             "Rotation about the fixed axes x, then y, then z.", "plane box sphere capsule mesh vdb"},
            {"normal", fieldOf<&B::normal>, "", between(-1000, 1000), Simulation,
             "Direction out of the solid, any length.", "plane"},
            {"size", fieldOf<&B::size>, "m", length_m(), Simulation, "Full edge lengths.", "box"},
            {"rounding_m", fieldOf<&B::rounding_m>, "m", lengthOrZero_m(), Simulation, "Radius of the edges.", "box"},
            {"radius_m", fieldOf<&B::radius_m>, "m", length_m(), Simulation, "Radius.", "sphere capsule"},
            {"length_m", fieldOf<&B::length_m>, "m", lengthOrZero_m(), Simulation,
             "Distance between the centres of the caps, along the body's y.", "capsule"},
            {"file", fieldOf<&B::file>, "", anyValue(), Simulation,
             "Closed mesh (.obj, .ply), .vdb, or a character's motion (.bvh), relative to the scene.",
             "mesh vdb character"},
            {"scale", fieldOf<&B::scale>, "m per unit", aboveUpTo(0, 1e6), Simulation,
             "Factor on the file's units: 0.01 for centimetres, as BVH and FBX often have.", "mesh vdb character"},
            {"up_axis",
             fieldOf<&B::up_axis>,
             "",
             anyValue(),
             Simulation,
             "The axis that points up in the file.",
             "mesh vdb character",
             {"x", "y", "z"}},
            {"voxel_m", fieldOf<&B::voxel_m>, "m", lengthOrZero_m(), Simulation,
             "Resolution of the mesh's level set; 0 is half of `solver.dx`.", "mesh vdb"},
            {"time_offset_s", fieldOf<&B::time_offset_s>, "s", time_s(), Simulation,
             "Time in the clip at the scene's first frame.", "character"},
            {"fps", fieldOf<&B::fps>, "1/s", between(0, 1000), Simulation,
             "Frame rate of the clip; 0 is as the file says.", "character"},
            {"heading_deg", fieldOf<&B::heading_deg>, "degrees", angle_deg(), Simulation,
             "Turns the whole clip about y.", "character"},
            {"on_ground", fieldOf<&B::on_ground>, "", anyValue(), Simulation,
             "Brings the ground that the clip's soles touch to the height of `position`, and levels a captured "
             "floor that slopes by less than 2 degrees.",
             "character"},
            {"align_root", fieldOf<&B::align_root>, "", anyValue(), Simulation,
             "Turns and shifts the clip so that at the scene's first frame it is above `position` and walks along "
             "`heading_deg` (0 is +z), whatever way the file walks.",
             "character"},
            {"loop", fieldOf<&B::loop>, "", anyValue(), Simulation,
             "Repeats the clip, each time from where the last one arrived.", "character"},
            {"radius_scale", fieldOf<&B::radius_scale>, "", aboveUpTo(0, 100), Simulation,
             "Factor on the radii of all bones.", "character"},
            {"radii", fieldOf<&B::radii_m>, "m", length_m(), Simulation,
             "`[body.radii]`: the radius of single bones by the joint's name, such as LeftFoot = 0.06.", "character"},
            {"shoe_m", fieldOf<&B::shoe_m>, "m", lengthOrZero_m(), Simulation,
             "Width at the ball, height of the toe box and length of the boots; zeros give plain capsule feet.",
             "character"},
            {"color", fieldOf<&B::color>, "", between(0, 1), Picture, "Diffuse albedo, linear Rec. 709."},
            {"visible", fieldOf<&B::visible>, "", anyValue(), Picture,
             "Whether it is rendered; snow collides with it anyway."},
        },
        {listOf<&B::keys>("key", bodyKeyTable)}};
    return table;
}

}  // namespace firn
