#include "render/export/usd_shot.h"

#include "common/io/own_file.h"
#include "render/export/usd_parts.h"

namespace firn {
namespace {

/// An OpenVDBAsset for each grid, and a volume that refers to them.
void addSnow(UsdText& usd, const UsdShot& shot)
{
    std::map<int, std::string> files;
    for (const auto& [frame, file] : shot.volumes) files[frame] = "@" + file + "@";
    if (files.empty()) return;
    usd.open("Volume", "snow");
    for (const std::string grid : {"density", "vel"}) usd.line("rel field:" + grid + " = </shot/snow/" + grid + ">");
    for (const char* grid : {"density", "vel"}) {
        usd.open("OpenVDBAsset", grid);
        usd.line("token fieldName = \"" + std::string(grid) + "\"");
        usd.attribute("asset", "filePath", files);
        usd.close();
    }
    usd.close();
}

}  // namespace

std::string usdShotText(const Scene& scene, const UsdShot& shot)
{
    const std::vector<Body> bodies = makeBodies(scene);
    const std::string fps = UsdText::number(scene.fps);
    UsdText usd;
    usd.line("#usda 1.0");
    usd.line("# " + markOf("shot"));
    for (const std::string& line :
         {std::string("("), std::string("    defaultPrim = \"shot\""), std::string("    metersPerUnit = 1"),
          std::string("    upAxis = \"Y\""), "    startTimeCode = " + std::to_string(shot.frames.front()),
          "    endTimeCode = " + std::to_string(shot.frames.back()), "    framesPerSecond = " + fps,
          "    timeCodesPerSecond = " + fps, std::string(")"), std::string()})
        usd.line(line);
    usd.open("Xform", "shot");
    addSnow(usd, shot);
    addCamera(usd, scene, shot.frames);
    addLights(usd, scene, LightRig(scene), shot.frames);
    addBodies(usd, scene, bodies, shot.frames);
    usd.close();
    return usd.text();
}

}  // namespace firn
