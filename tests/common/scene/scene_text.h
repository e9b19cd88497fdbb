#pragma once
// Scenes in temporary folders, and the errors of loading them.

#include <cstdlib>
#include <filesystem>
#include <string>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/scene/load.h"

namespace firn {

/// A folder that is removed with its content at the end.
class SceneFolder {
public:
    SceneFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "firn-scene-XXXXXX").string();
        if (!mkdtemp(name.data())) throw Error(ExitCode::File, "cannot make a folder");
        m_path = std::filesystem::canonical(name);
    }
    SceneFolder(const SceneFolder&) = delete;
    SceneFolder& operator=(const SceneFolder&) = delete;
    ~SceneFolder()
    {
        std::error_code error;
        std::filesystem::remove_all(m_path, error);
    }

    std::filesystem::path path() const { return m_path; }

    std::filesystem::path write(const std::string& name, const std::string& text) const
    {
        std::filesystem::create_directories((m_path / name).parent_path());
        writeFileChecked(m_path / name, text);
        return m_path / name;
    }

    LoadedScene load(const std::string& text, const SceneOptions& options = {}) const
    {
        return loadScene(write("shot.toml", text), options);
    }

private:
    std::filesystem::path m_path;
};

/// An error: its message, without the path of the folder, and its exit code.
struct Refusal {
    std::string message = "accepted";
    ExitCode code = ExitCode::Done;
};

template <class Load>
Refusal refusalOf(const SceneFolder& folder, Load&& load)
{
    try {
        load();
    } catch (const Error& error) {
        std::string message = error.what();
        const std::string prefix = folder.path().string() + "/";
        for (auto at = message.find(prefix); at != std::string::npos; at = message.find(prefix))
            message.erase(at, prefix.size());
        return {message, error.code()};
    }
    return {};
}

/// The error of loading `text` as shot.toml.
inline Refusal refusal(const std::string& text, const SceneOptions& options = {})
{
    const SceneFolder folder;
    return refusalOf(folder, [&] { folder.load(text, options); });
}

/// Sets an environment variable during its lifetime.
class Variable {
public:
    Variable(const std::string& name, const std::string& value) : m_name(name)
    {
        setenv(name.c_str(), value.c_str(), 1);
    }
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() { unsetenv(m_name.c_str()); }

private:
    std::string m_name;
};

inline const std::string smallScene =
    "frames = \"1-24\"\n"
    "[[snow]]\n"
    "name = \"bed\"\n"
    "min = [0, 0, 0]\n"
    "max = [1, 0.2, 1]\n";

/// A scene with every kind of table and nearly every kind of value. It needs ball.obj and walk.bvh in its folder.
inline const std::string largeScene = R"(version = 1
fps = 25
frames = "1001-1084"
[[snow]]
name = "bed"
shape = "layer"
preset = "crust"
min = [-2, 0, -2]
max = [2, 0, 2]
depth_m = 0.2
roughness_m = 0.01
[snow.material]
hardening = 8.5
[snow.noise]
stiffness = 0.3
seed = 7
[snow.crust]
depth_m = 0.04
[[snow]]
shape = "sphere"
preset = "packing"
center = [0, 1.5, 0]
radius_m = 0.2
velocity = [0.5, 0, 0]
spin_rad_s = [0, 0, 3]
[[snow]]
shape = "mesh"
file = "ball.obj"
scale = 0.01
position = [1, 1, 1]
volume = "grid"
[[body]]
name = "ground"
friction = 0.8
[[body]]
name = "blade"
shape = "box"
size = [1, 0.5, 0.1]
color = [0.8, 0.4, 0.05]
[[body.key]]
time_s = 0
position = [-1, 0.2, 0]
ease = "smooth"
[[body.key]]
time_s = 2.5
position = [1, 0.2, 0]
rotation_deg = [0, 20, 0]
[[body]]
name = "walker"
shape = "character"
file = "walk.bvh"
scale = 0.056444
loop = true
[body.radii]
LeftFoot = 0.05
"Right Foot" = 0.06
[camera]
position = [4, 1.5, 3]
focal_length_mm = 50
[[camera.key]]
time_s = 0
[[camera.key]]
time_s = 2
position = [3, 1.5, 3]
[[light]]
strength = 3
[[light]]
kind = "sky"
color = [0.3, 0.5, 1]
[solver]
dx = 0.03
integrator = "implicit"
dt_s = 1e-3
gravity = [0, -9.80665, 0]
[render]
spp = 128
view = "srgb"
preset = "wet"
[quality.draft]
"solver.dx" = 0.06
"render.spp" = 4
[quality.preview]
render.width = 480
frames = "1001-1010"
)";

inline LoadedScene loadLarge(const SceneFolder& folder, const SceneOptions& options = {})
{
    folder.write("ball.obj", "v 0 0 0\n");
    folder.write("walk.bvh", "HIERARCHY\n");
    return folder.load(largeScene, options);
}

}  // namespace firn
