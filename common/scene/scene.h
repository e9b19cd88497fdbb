#pragma once
// The scene as plain structs: the content of one scene file after presets, --quality, environment and --set.
// Units are SI; angles are in degrees where the name says so; y is up.
// Each default is written here and nowhere else. keys_*.cpp declare the name, unit, range and meaning of each key once;
// the reference page docs/scene.md takes the defaults from here. Two sources replace defaults when a scene is loaded:
// the presets (presets.cpp), and the sun and sky of a scene without lights (complete.cpp).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "common/math.h"
#include "common/scene/free_text.h"

namespace firn {

/// Parameters of the constitutive model. The first six defaults are table 2 of Stomakhin et al. 2013.
struct SnowMaterial {
    double density_kg_m3 = 400;
    double youngs_modulus_pa = 1.4e5;
    double poisson_ratio = 0.2;
    double critical_compression = 0.025;  // theta_c
    double critical_stretch = 0.0075;     // theta_s
    double hardening = 10;                // xi
    double min_J_P = 0.6;                 // of J_P = det F_P; below it, hardening grows no further
    double max_J_P = 20;                  // upper bound of J_P
    double max_hardening = 20;            // upper bound of exp(xi (1 - J_P))
    double packed_modulus_pa = 2e7;       // bulk modulus of snow without open pores; 0 = snow may become denser
    double strength_hardening = 1;        // share of hardening that tensile strength takes part in
    double crumb_mm = 3;                  // diameter of loose crumbs, for the drag of air
    double adhesion_pa = 0;               // pull with which snow holds to a body that it has touched
};

/// Smooth random variation in space. Each factor is exp(amount * noise); noise lies in [-1, 1].
struct SnowNoise {
    double stiffness = 0;  // amount for Young's modulus; 0 = uniform
    double density = 0;
    double strength = 0;    // amount for theta_s
    double scale_m = 0.05;  // size of the noise's features
    int seed = 0;
};

/// Seams along which snow breaks: borders of irregular cells (a warped Voronoi diagram).
struct SnowSeams {
    double size_m = 0;       // of the cells; 0 = no seams
    double width_m = 0.012;  // of the borders
    double strength = 0.05;  // factor on theta_s in the borders
    int seed = 0;
};

/// A stiffer outer layer: the top of a box or layer, the shell of a sphere, mesh or VDB.
struct SnowCrust {
    double depth_m = 0;    // 0 = no crust
    double stiffness = 3;  // factor on Young's modulus
    double density = 1;    // factor on density
    double strength = 1;   // factor on theta_s
};

/// A grey picture from above that tells where a region has snow.
struct SnowMask {
    std::filesystem::path file;  // empty = none
    std::string file_place;      // where the scene names the file
    bool invert = false;         // snow where the picture is black
};

/// Patches: the parts of a region where smooth noise is high.
struct SnowPatches {
    double share = 1;       // of the region that they cover; 1 = all of it
    double size_m = 1;      // of a patch
    double softness = 0.1;  // how far the kinds of snow mix at the border
    int seed = 0;
};

/// Snow that comes during the shot: all at once, or as a stream out of the region.
struct SnowSource {
    double start_s = 0;   // when it comes
    double length_s = 0;  // how long it flows; 0 = it comes at once
    double share = 1;     // of the places for particles that are filled
    std::string body;     // that carries the region of a stream; empty = none

    bool isThere() const { return start_s > 0 || length_s > 0; }
};

/// Powder in the air: fine grains that are ground off where snow breaks, and that air carries away.
struct SnowPowder {
    double share = 0;       // of a particle's mass that can be ground at a time; 0 = no powder
    double work_J_kg = 30;  // plastic work that grinds 63 % of it
    double grain_mm = 0.1;  // diameter of the grains
};

/// How snow looks. The first default makes the extinction of Stomakhin et al. 2013, section 5: 724/m at 400 kg/m^3.
struct SnowLook {
    double grain_radius_mm = 0.90374;  // optical radius of the grains; sets extinction, and albedo with preset pure
    std::string preset = {};           // one of renderPresetNames(); empty = render.preset
    Vec3d albedo = Vec3d::Zero();      // of a single scattering; zero = from the preset
    double soot_ppm = 0;               // impurities: mass in a million masses of snow
    double dust_ppm = 0;
    double wetness = 0;     // share of the grains' surface that water covers
    double mist = 0;        // share of the mass of flying loose snow that is single grains between its crumbs
    double coarseness = 0;  // relief of snow as it lies: -1 = even, 0 = as of settled snow, 1 = in lumps
    double rounding = 0;    // share of the fine relief that melting has taken away
    double glaze = 0;       // share of the surface that ice covers while the snow lies as it fell
    double shards = 0;      // how far it breaks into pieces with flat faces and sharp edges
};

enum class SnowShape { Box, Sphere, Mesh, Vdb, Layer };
/// Initial volume of a particle. Seeded: h^3 / particles per cell. Grid: the paper's m_p / rho_p from the grid's
/// density.
enum class VolumeRule { Seeded, Grid };
enum class UpAxis { X, Y, Z };
enum class Pivot { Origin, Center, Base };  // of a file: its origin; the middle of its bounds, or of their lower face

struct SnowRegion {
    std::string name;
    SnowShape shape = SnowShape::Box;
    std::string preset = "settled";
    Vec3d min = Vec3d::Zero();  // box, layer: corners; min.y of a layer is the height of the ground below it
    Vec3d max = Vec3d::Zero();
    Vec3d center = Vec3d::Zero();        // sphere
    double radius_m = 0;                 // sphere
    std::string ground;                  // layer: name of the body that it lies on; empty = the height min.y
    double ground_slope_deg = 55;        // layer: steeper ground is bare
    double ground_fill_m = 0;            // layer: it lies on the ground as smoothed over this distance
    double depth_m = 0;                  // layer: thickness, before roughness is added
    double top_only_m = 0;               // only this much below its upper surface is filled; 0 = all
    double roughness_m = 0;              // layer: amplitude of the undulation of its top
    double roughness_scale_m = 0.5;      // layer: length of one undulation
    std::filesystem::path file;          // mesh, vdb
    std::string file_place;              // where the scene names the file
    double scale = 1;                    // mesh, vdb: factor on the file's units
    UpAxis up_axis = UpAxis::Y;          // mesh, vdb: of the file
    Pivot pivot = Pivot::Origin;         // mesh, vdb: the point of the file that is placed
    Vec3d position = Vec3d::Zero();      // mesh, vdb: where it is placed
    Vec3d rotation_deg = Vec3d::Zero();  // box: about its centre; mesh, vdb: about the pivot; Euler as of bodies
    Vec3d velocity = Vec3d::Zero();      // initial, m/s
    Vec3d spin_rad_s = Vec3d::Zero();    // initial rotation about its centre of mass
    int particles_per_cell = 8;
    int seed = 1;
    VolumeRule volume = VolumeRule::Seeded;
    bool still = false;  // rendered but not simulated
    SnowMaterial material;
    SnowNoise noise;
    SnowCrust crust;
    SnowSeams seams;
    SnowPowder powder;
    SnowLook look;
    SnowMask mask;
    SnowPatches patches;
    SnowSource source;
};

enum class BodyShape { Plane, Box, Sphere, Capsule, Mesh, Vdb, Terrain, Character };
/// How a body whose file walks in place gets its path: it stays, or goes as fast as its feet need to stand.
enum class RootMotionKind { None, Feet };
enum class Easing { Linear, Smooth, In, Out, Step };

struct BodyKey {
    double time_s = 0;
    Vec3d position = Vec3d::Zero();
    Vec3d rotation_deg = Vec3d::Zero();  // Euler x, y, z applied in that order about fixed axes
    Easing ease = Easing::Linear;        // of the motion to the next key; rotations are interpolated by slerp
};

enum class Facing { Any, Down, Up };

/// A part of a body's surface with friction of its own: that of one material, or that which faces one way, or both.
struct BodyPlace {
    FreeText material;  // of the body's file; empty = any
    Facing facing = Facing::Any;
    double friction = 0.5;
    bool sticky = false;
};

/// A point of the path of a body with root_motion.
/// A colour picture that lies on a body.
struct BodyPicture {
    std::filesystem::path file;
    std::string file_place;  // where the scene names the file
    double width_m = 2;      // of the picture on the body, where it repeats
};

struct BodyPathPoint {
    Vec3d position = Vec3d::Zero();  // in the body's frame
};

struct BodySpec {
    std::string name;
    BodyShape shape = BodyShape::Plane;
    double friction = 0.5;
    bool sticky = false;
    std::vector<BodyPlace> places;  // [[body.place]]; the first one that fits counts
    Vec3d position = Vec3d::Zero();
    Vec3d rotation_deg = Vec3d::Zero();
    std::vector<BodyKey> keys;       // [[body.key]]; replaces position and rotation when present
    Vec3d normal = Vec3d::UnitY();   // plane
    Vec3d size = Vec3d::Ones();      // box: full edge lengths; terrain from a picture
    double rounding_m = 0;           // box
    double radius_m = 0.5;           // sphere, capsule
    double length_m = 1;             // capsule: between the centres of its caps, along local y
    Vec3d velocity = Vec3d::Zero();  // m/s, added to position and keys
    std::string parent;              // name of the body that carries this one; empty = none
    FreeText parent_node;            // of the parent's file, which carries this one; empty = the parent as a whole
    std::filesystem::path file;      // mesh, vdb, terrain, character (.bvh)
    std::string file_place;          // where the scene names the file: "shot.toml:12:1"
    double scale = 1;                // metres per unit of the file
    UpAxis up_axis = UpAxis::Y;      // of the file
    double voxel_m = 0;              // mesh, vdb, terrain: resolution of the level set, 0 = half of solver.dx
    FreeText clip;                   // mesh: name of the clip in the file, empty = the first one
    double time_scale = 1;           // mesh: speed of the clip
    RootMotionKind root_motion = RootMotionKind::None;  // mesh
    std::vector<BodyPathPoint> path;                    // [[body.path]]; mesh with root_motion, empty = straight on
    double time_offset_s = 0;                           // mesh, character: time in the clip at scene time 0
    double fps = 0;                                     // character: frame rate of the clip, 0 = as in the file
    double heading_deg = 0;                             // character: rotation of the clip about y
    bool on_ground = true;    // character: move the ground that its soles touch to the height position.y
    bool align_root = false;  // character: turn and shift the clip so that its root starts above position and
                              // its mean horizontal displacement points along heading_deg (0 = +z)
    bool loop = false;        // mesh, character: repeat the clip; each pass of a character starts where the last
                              // one ended
    double radius_scale = 1;  // character: factor on all bone radii
    std::map<std::string, double> radii_m;   // [body.radii]: bone name -> capsule radius
    Vec3d shoe_m = Vec3d(0.10, 0.06, 0.28);  // character: width, height, length of boots; 0 = feet are capsules
    Vec3d color = Vec3d(0.35, 0.33, 0.32);   // diffuse albedo, or of a metal
    double roughness = 1;                    // of the surface; 1 = matte
    double metalness = 0;
    Vec3d emission = Vec3d::Zero();  // radiance that it gives off
    BodyPicture picture;             // replaces color
    bool file_gloss = false;         // mesh: the roughness and metalness of the file's materials
    bool file_colors = true;         // mesh: the colours and pictures of the file's materials
    bool visible = true;
    bool holdout = false;         // the camera sees a hole in its place
    bool shadow_catcher = false;  // a holdout whose shadows are a layer
    bool collides = true;
};

struct CameraKey {
    double time_s = 0;
    Vec3d position = Vec3d(3, 1.5, 3);
    Vec3d look_at = Vec3d::Zero();
    double focal_length_mm = 35;
    double focus_distance_m = 0;  // along the view axis; 0 = that of look_at
    double roll_deg = 0;          // about the view axis: positive lowers the camera's right side
};

/// A camera of an animated file, which the scene's camera follows.
struct CameraAnimation {
    std::filesystem::path file;
    std::string file_place;  // where the scene names the file
    FreeText camera;         // its name in the file; empty = the only one
    FreeText clip;           // name of the clip in the file; empty = the first one
    double scale = 1;        // metres per unit of the file
    UpAxis up_axis = UpAxis::Y;
    double time_offset_s = 0;  // time in the clip at scene time 0
};

struct Camera {
    Vec3d position = CameraKey().position;
    Vec3d look_at = CameraKey().look_at;
    double focal_length_mm = CameraKey().focal_length_mm;
    double sensor_width_mm = 36;
    double f_stop = 0;  // focal length over the diameter of the aperture; 0 = all is in focus
    double focus_distance_m = CameraKey().focus_distance_m;
    double roll_deg = CameraKey().roll_deg;
    double lens_shift_x = 0, lens_shift_y = 0;  // to the right and up, in widths of the picture
    std::string focus_body;                     // its middle is in focus; replaces focus_distance_m
    int blades = 0;                             // of the aperture; 0 = it is round
    double blade_rotation_deg = 0;              // counter-clockwise in the picture
    double shutter_deg = 0;                     // 360 = open for a whole frame; 0 = no motion blur
    double shutter_offset_deg = 0;              // of the middle of that time from the time of the frame
    std::vector<CameraKey> keys;                // [[camera.key]]; replaces what both have when present
    CameraAnimation animation;
    std::function<CameraKey(double time_s)> played;  // the file's camera (file_camera.h); replaces keys
};

enum class LightKind { Sun, Sky, Constant, Daylight, Environment, Rectangle, Sphere, Spot };

/// Groups of lights that a scene may name; and the name of the group of all lights that have none.
constexpr int mostLightGroups = 15;
constexpr const char* restOfLights = "rest";

struct LightSpec {
    std::string name;
    LightKind kind = LightKind::Sun;
    Vec3d color = Vec3d::Ones();  // linear Rec. 709
    double strength = 1;        // sun: irradiance on a surface that faces it; constant: radiance; sky: radiance at the
                                // zenith; lamps: irradiance on a surface that faces them at a distance of 1 m
    double temperature_K = 0;   // of a black body whose colour is multiplied by `color`; 0 = none
    double exposure = 0;        // stops, added to `strength`
    bool visible = true;        // the camera sees the light itself
    double elevation_deg = 35;  // sun, daylight: above the horizon
    double azimuth_deg = 40;    // sun, daylight: from +z towards +x
    FreeText when = {};         // sun, daylight: date and time, which with the next three replaces the angles
    double latitude_deg = 0;    // north is positive
    double longitude_deg = 0;   // east is positive
    double north_deg = 180;     // azimuth of north; 180 = -z
    double angular_diameter_deg = 0.53;           // sun, daylight
    Vec3d horizon_color = Vec3d(0.85, 0.9, 1.0);  // sky: gradient from the horizon to `color` at the zenith
    double turbidity = 2;              // daylight: optical depth of clear air and haze over that of clear air
    double ground_albedo = 0.6;        // daylight: of the land around, which lights the sky from below
    double sun_strength = 1;           // daylight: factor on the sun alone
    std::filesystem::path file = {};   // environment: picture of all directions
    std::string file_place = {};       // where the scene names the file, for messages
    double rotation_deg = 0;           // environment: about the y axis, from +z towards +x
    Vec3d position = Vec3d(0, 3, 0);   // lamps
    Vec3d look_at = Vec3d::Zero();     // rectangle, spot: a point that they face
    double width_m = 1, height_m = 1;  // rectangle
    double radius_m = 0.05;            // sphere, spot; 0 = a point
    double cone_deg = 60;              // spot: full angle
    double soft_edge = 0.3;            // spot: share of the cone's angle over which it fades
    std::string parent = {};           // lamps: the body that carries them
    FreeText parent_node = {};         // of the parent's file; empty = the parent as a whole
    FreeText group = {};               // of lights that share a layer of the picture; empty = restOfLights
};

enum class Integrator { Explicit, Implicit, Auto };
enum class Transfer { AffineFlip, Apic, Flip };
enum class ContactMethod { Impulses, Nodes };

struct Solver {
    double dx = 0.02;  // node spacing h, metres
    Integrator integrator = Integrator::Explicit;
    double dt_s = 0;  // upper bound of the time step; 0 = the program chooses the step alone
    Transfer transfer = Transfer::AffineFlip;
    ContactMethod contact = ContactMethod::Impulses;
    double flip_ratio = 0.95;  // alpha: share of FLIP in the velocity, for a step of flip_reference_dt_s
    double flip_reference_dt_s = 5e-4;
    bool flip_dt_invariant = true;  // a step of dt uses alpha^(dt / flip_reference_dt_s)
    double cfl = 0.3;               // cells that particles and bodies may move in one step
    double wave_cfl = 0.8;          // explicit steps: largest dt as a fraction of h / wave speed
    double implicitness = 1;        // beta: 1 backward Euler, 0.5 trapezoidal, 0 explicit
    double implicit_dt_s = 5e-4;    // longest implicit step
    double cr_tolerance = 1e-3;     // the implicit solve ends at this residual, relative to the first one
    int cr_max_iterations = 200;
    Vec3d gravity = Vec3d(0, -9.81, 0);
    bool sleeping = false;      // leave undisturbed snow out of the step until something near it moves
    double sleep_cells = 0.02;  // snow that moves less than this per frame counts as undisturbed
    int max_halvings = 8;       // of the time step, after which a step that fails ends the run
    bool plasticity = true;
    int threads = 0;  // 0 = as many as Slurm, the cgroup or the machine allows
};

/// Air slows and carries loose snow.
struct Air {
    double density_kg_m3 = 0;  // 0 = no air
    Vec3d wind_m_s = Vec3d::Zero();
    double gust_m_s = 0;  // rms speed of the gusts
    double gust_size_m = 1;
    int seed = 0;
    int most_puffs = 500000;  // of powder
};

/// The simulated part of layers of snow follows a body.
struct Window {
    std::string body;    // empty = no window
    double reach_m = 3;  // around the body's bounds
    double trail_s = 1;  // for which snow stays in the simulation after the window has left it
};

struct Render {
    int width = 960;
    int height = 540;
    int spp = 64;
    std::string lighting = "scene";  // one of lightingNames(); others than "scene" replace the lights
    std::string preset = "clean";    // one of renderPresetNames()
    double extinction_per_m = 0;     // sigma_t of snow of reference_density_kg_m3; 0 = from the grain radius
    double reference_density_kg_m3 = 400;
    Vec3d albedo = Vec3d::Zero();     // of a single scattering; zero = from the preset
    double anisotropy = 0.5;          // Henyey-Greenstein g
    int max_bounces = 0;              // 0 = unlimited
    bool show_sky = true;             // behind everything
    bool mattes = false;              // EXR has a Cryptomatte of bodies and snow
    double voxel_m = 0;               // of the density grid; 0 = half of solver.dx
    std::string detail = "fine";      // off, coarse, fine, finest
    double detail_memory_MB = 1500;   // bound of the memory that detail takes
    double glints = 1;                // strength; 0 = none
    double glint_size_mm = 0.5;       // of facets
    std::string transport = "paths";  // paths, cached
    double cache_depth = 4;           // optical depth at which paths end on the light cache
    double cache_cell_m = 0;          // edge of its cells; 0 = from cache_depth and albedo
    double cache_photons = 0;         // that fill it; 0 = from the number of camera paths
    int shutter_slices = 0;  // times for which snow is rasterized while the shutter is open; 0 = from its speed
    std::uint64_t seed = 0;
    bool vary_seed = false;       // each frame has random numbers of its own
    bool half = true;             // EXR channels are half, otherwise float
    std::string view = "filmic";  // PNG preview: filmic, srgb
    double exposure = 0;          // of the PNG preview, stops
    double filter_radius_px = 1;  // of the reconstruction filter
};

struct Scene {
    std::filesystem::path file;  // the file that the scene was read from
    std::string name;            // stem of `file`
    int version = 1;
    double fps = 24;
    int start_frame = 1;  // its time is 0
    int end_frame = 48;
    std::vector<SnowRegion> snow;
    std::vector<BodySpec> bodies;
    std::vector<LightSpec> lights;
    Camera camera;
    Solver solver;
    Air air;
    Window window;
    Render render;

    double timeOfFrame(int frame) const { return (frame - start_frame) / fps; }
};

}  // namespace firn
