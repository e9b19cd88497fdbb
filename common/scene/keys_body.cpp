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
        "The position of a body at one time. Values that a key leaves out are those of the key before it; the first "
        "key takes them from the body.",
        &defaults,
        "",
        {
            {"time_s", fieldOf<&K::time_s>, "s", time_s(), Simulation,
             "Time since the first frame. Times must increase from key to key."},
            {"position", fieldOf<&K::position>, "m", coordinate_m(), Simulation, "Position at that time."},
            {"rotation_deg", fieldOf<&K::rotation_deg>, "degrees", angle_deg(), Simulation,
             "Rotation at that time, about the fixed axes x, then y, then z."},
            {"ease",
             fieldOf<&K::ease>,
             "",
             anyValue(),
             Simulation,
             "How the body moves to the next key; has no effect on the last key. `\"linear\"`: at constant speed. "
             "`\"smooth\"`: with a slow start and a slow end. `\"in\"`: with a slow start. `\"out\"`: with a slow end. "
             "`\"step\"`: it waits, and jumps at the next key.",
             "",
             {"linear", "smooth", "in", "out", "step"}},
        }};
    return table;
}

const Table& bodyPlaceTable()
{
    using P = BodyPlace;
    static P defaults;
    static const Table table{
        "[[body.place]]",
        "A part of the body's surface with friction of its own, such as the soles of boots. Where several of them fit, "
        "the first one counts. Values that a place leaves out are those of the body.",
        &defaults,
        "",
        {
            {"material", fieldOf<&P::material>, "", anyValue(), Simulation,
             "Name of a material in the file of a body of `shape = \"mesh\"` (.glb, .gltf, .fbx, or usemtl in an "
             ".obj). The border between materials is exact to about `voxel_m`."},
            {"facing",
             fieldOf<&P::facing>,
             "",
             anyValue(),
             Simulation,
             "Which way the surface faces at each moment of the shot, within 45 degrees. `\"down\"`: an underside.",
             "",
             {"any", "down", "up"}},
            {"friction", fieldOf<&P::friction>, "", between(0, 10), Simulation, "Coefficient of friction there."},
            {"sticky", fieldOf<&P::sticky>, "", anyValue(), Simulation, "Whether snow sticks to it."},
        }};
    return table;
}

const Table& bodyPathTable()
{
    static BodyPathPoint defaults;
    static const Table table{
        "[[body.path]]",
        "A point of the path along which a body with `root_motion` walks: a smooth curve through all points, which "
        "goes on straight after the last one. The body turns with it, and is at the first point at time 0.",
        &defaults,
        "",
        {{"position", fieldOf<&BodyPathPoint::position>, "m", coordinate_m(), Simulation,
          "The point, relative to the body's position and rotation."}}};
    return table;
}

const Table& bodyPictureTable()
{
    using P = BodyPicture;
    static P defaults;
    static const Table table{
        "[body.picture]",
        "A picture that lies on the body in the place of `color`, such as asphalt. It repeats, and moves with the "
        "body; "
        "on a plane it stays where it is.",
        &defaults,
        "",
        {
            {"file", fieldOf<&P::file>, "", anyValue(), Picture,
             "A colour picture (.png or .jpg), sRGB-encoded. It lies on the body as seen from above, its top towards "
             "-z of the body's frame, and as seen from the side on faces that are steeper than 45 degrees. A corner of "
             "it lies at the body's origin."},
            {"width_m", fieldOf<&P::width_m>, "m", length_m(), Picture, "Width of the picture on the body."},
        }};
    return table;
}

const Table& bodyTable()
{
    using B = BodySpec;
    static B defaults;
    static const Table table{
        "[[body]]",
        "A body that snow collides with: ground, plough, walking character. It may be rigid, jointed or deforming.",
        &defaults,
        "shape",
        {
            {"name", fieldOf<&B::name>, "", anyValue(), Picture,
             "A name of your choice, for `--set` and messages. Without it: body1, body2, …"},
            {"shape",
             fieldOf<&B::shape>,
             "",
             anyValue(),
             Simulation,
             "The shape of the body.",
             "",
             {"plane", "box", "sphere", "capsule", "mesh", "vdb", "terrain", "character"}},
            {"friction", fieldOf<&B::friction>, "", between(0, 10), Simulation,
             "Coefficient of Coulomb friction against snow; 0 is without friction."},
            {"sticky", fieldOf<&B::sticky>, "", anyValue(), Simulation,
             "Snow that touches the body sticks to it permanently."},
            {"position", fieldOf<&B::position>, "m", coordinate_m(), Simulation, "Position of the body's origin."},
            {"rotation_deg", fieldOf<&B::rotation_deg>, "degrees", angle_deg(), Simulation,
             "Rotation about the fixed axes x, then y, then z.", "plane box sphere capsule mesh vdb terrain"},
            {"velocity", fieldOf<&B::velocity>, "m/s", between(-1000, 1000), Simulation,
             "The body moves at this speed, in addition to `position` or its keys.",
             "plane box sphere capsule mesh vdb terrain"},
            {"parent", fieldOf<&B::parent>, "", anyValue(), Simulation,
             "Name of another body that carries this one, such as the truck of a plough's blade. Position, rotation "
             "and keys are then relative to that body.",
             "plane box sphere capsule mesh vdb terrain"},
            {"parent_node", fieldOf<&B::parent_node>, "", anyValue(), Simulation,
             "Name of a node of the parent's file (.glb, .gltf, .fbx) or of a joint of a character, such as a hand. "
             "The body is then carried by it, and position, rotation and keys are relative to its axes.",
             "plane box sphere capsule mesh vdb terrain"},
            {"normal", fieldOf<&B::normal>, "", between(-1000, 1000), Simulation,
             "Direction out of the solid. Its length does not matter.", "plane"},
            {"size", fieldOf<&B::size>, "m", length_m(), Simulation,
             "Edge lengths of a box. Of a terrain from a picture: its width along x, the height of a value of 1, and "
             "its length along z.",
             "box terrain"},
            {"rounding_m", fieldOf<&B::rounding_m>, "m", lengthOrZero_m(), Simulation,
             "Radius of the rounded edges; at most half of the shortest edge.", "box"},
            {"radius_m", fieldOf<&B::radius_m>, "m", length_m(), Simulation, "Radius.", "sphere capsule"},
            {"length_m", fieldOf<&B::length_m>, "m", lengthOrZero_m(), Simulation,
             "Distance between the centres of the caps, along the body's y.", "capsule"},
            {"file", fieldOf<&B::file>, "", anyValue(), Simulation,
             "A mesh (.obj, .ply), a sequence of them (cloth.####.obj, whose numbers are those of the scene's frames), "
             "an animated mesh (.glb, .gltf, .fbx), a level set (.vdb) or a sequence of them, or the motion of a "
             "character (.bvh). A terrain is an open mesh (.obj, .ply), such as a scan of the ground, or a picture of "
             "heights: a grey .png of 8 or 16 bits, or an .exr. The path is relative to the scene. Nodes of an "
             "animated mesh that only turn and shift are rigid pieces; skins deform.",
             "mesh vdb terrain character"},
            {"scale", fieldOf<&B::scale>, "m per unit", aboveUpTo(0, 1e6), Simulation,
             "Factor from the file's units to metres: 0.01 for centimetres, which BVH files often use. A picture of "
             "heights has `size` instead.",
             "mesh vdb terrain character"},
            {"up_axis",
             fieldOf<&B::up_axis>,
             "",
             anyValue(),
             Simulation,
             "The axis that points up in the file.",
             "mesh vdb terrain character",
             {"x", "y", "z"}},
            {"voxel_m", fieldOf<&B::voxel_m>, "m", lengthOrZero_m(), Simulation,
             "Resolution of the level set that is made from the file; 0 means half of `solver.dx` (for a .vdb: its own "
             "voxel, if that is larger).",
             "mesh vdb terrain"},
            {"clip", fieldOf<&B::clip>, "", anyValue(), Simulation,
             "Name of the clip (animation) in the file; without it, the first one.", "mesh"},
            {"time_scale", fieldOf<&B::time_scale>, "", aboveUpTo(0, 1000), Simulation,
             "Speed of the clip: 2 plays it twice as fast.", "mesh vdb"},
            {"root_motion",
             fieldOf<&B::root_motion>,
             "",
             anyValue(),
             Simulation,
             "For clips that walk in place. `\"feet\"`: the body moves at the constant speed at which its feet stand "
             "still on the ground, on average over the clip, straight on or along `[[body.path]]`.",
             "mesh",
             {"none", "feet"}},
            {"time_offset_s", fieldOf<&B::time_offset_s>, "s", time_s(), Simulation,
             "The time in the clip that belongs to the scene's first frame.", "mesh vdb character"},
            {"fps", fieldOf<&B::fps>, "1/s", between(0, 1000), Simulation,
             "Frame rate of the clip; 0 takes that of the file, and for a sequence of files that of the scene.",
             "mesh vdb character"},
            {"heading_deg", fieldOf<&B::heading_deg>, "degrees", angle_deg(), Simulation,
             "Rotation of the whole clip about y.", "character"},
            {"on_ground", fieldOf<&B::on_ground>, "", anyValue(), Simulation,
             "Moves the clip up or down so that the ground its soles touch is at the height of `position`. A captured "
             "floor that slopes by less than 2 degrees is levelled.",
             "character"},
            {"align_root", fieldOf<&B::align_root>, "", anyValue(), Simulation,
             "Turns and shifts the clip so that it is above `position` at the scene's first frame and walks along "
             "`heading_deg` (0 is +z), whichever way it walks in the file.",
             "character"},
            {"loop", fieldOf<&B::loop>, "", anyValue(), Simulation,
             "Repeats the clip. Each pass of a character starts where the one before it ended.", "mesh character"},
            {"radius_scale", fieldOf<&B::radius_scale>, "", aboveUpTo(0, 100), Simulation,
             "Factor on the radii of all bones.", "character"},
            {"radii", fieldOf<&B::radii_m>, "m", length_m(), Simulation,
             "`[body.radii]`: radii of single bones, by the name of the joint, such as LeftFoot = 0.06.", "character"},
            {"shoe_m", fieldOf<&B::shoe_m>, "m", lengthOrZero_m(), Simulation,
             "Size of the boots: width at the ball, height of the toe box, length. With a 0, the feet are plain "
             "capsules.",
             "character"},
            {"color", fieldOf<&B::color>, "", between(0, 1), Picture,
             "Diffuse albedo, linear Rec. 709; of a metal, the colour of what it mirrors."},
            {"roughness", fieldOf<&B::roughness>, "", between(0.05, 1), Picture,
             "How blurred the surface mirrors: 0.05 for wet ice and, with a dark `color`, for window glass; 0.2 for "
             "new paint, 0.3 for plastic, 0.5 for wet rock. At 1, the default, it is matte. Below 1, it also mirrors 4 "
             "% of the light, more at grazing angles."},
            {"metalness", fieldOf<&B::metalness>, "", between(0, 1), Picture,
             "1 for bare metal, 0 for all else. Values between them are for dirt and rust. A metal mirrors at any "
             "`roughness`."},
            {"emission", fieldOf<&B::emission>, "", between(0, 1e6), Picture,
             "Radiance that the body gives off, linear Rec. 709, in the unit of a sky's `strength`: a lit window, a "
             "screen, embers. Only rays that happen to meet the body bring this light, so a small bright body gives "
             "noise: use a lamp (`[[light]]`) there."},
            {"file_colors", fieldOf<&B::file_colors>, "", anyValue(), Picture,
             "Whether an animated mesh has the base colours of its file's materials, and their pictures (.png and "
             ".jpg, in the file, in its folder or below). `color` is then that of materials without either.",
             "mesh"},
            {"file_gloss", fieldOf<&B::file_gloss>, "", anyValue(), Picture,
             "Whether an animated mesh has the roughness and metalness of its file's materials, and their picture "
             "(green: roughness, blue: metalness, as in glTF). `roughness` and `metalness` are then those of materials "
             "without them. In glTF, a material that gives no metalness is metal.",
             "mesh"},
            {"visible", fieldOf<&B::visible>, "", anyValue(), Picture, "Whether the body is rendered."},
            {"holdout", fieldOf<&B::holdout>, "", anyValue(), Picture,
             "Cuts the body out of the picture: where the camera sees it, the picture is black with alpha 0. It still "
             "throws its shadow and its colour on the snow. For characters that another program renders."},
            {"shadow_catcher", fieldOf<&B::shadow_catcher>, "", anyValue(), Picture,
             "A holdout that shows what snow and other bodies do to its light: the layer `shadow` holds the light that "
             "arrives over the light that would arrive without them. It is 1 where nothing changes, less in a shadow, "
             "and more (at most 4) where snow throws light on it. Multiply the other picture by it. For the ground "
             "of a photograph. Its color and roughness do not change the layer, but color is what it throws back on "
             "snow and bodies."},
            {"collides", fieldOf<&B::collides>, "", anyValue(), Simulation,
             "Whether snow collides with the body. One that does not is only rendered, such as the wheels of a plough, "
             "which would crush single crumbs on a bare road."},
        },
        {listOf<&B::keys>("key", bodyKeyTable), listOf<&B::places>("place", bodyPlaceTable),
         listOf<&B::path>("path", bodyPathTable), childOf<&B::picture>("picture", bodyPictureTable)}};
    return table;
}

}  // namespace firn
