#include "common/body/gltf_check.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

#include "common/body/gltf_weights.h"
#include "common/error.h"

namespace firn {

namespace {

using Json = nlohmann::json;

/// What a mesh lacks; empty if nothing.
std::string lackOf(const Json& mesh)
{
    const Json primitives = mesh.value("primitives", Json::array());
    if (primitives.empty()) return "primitives";
    for (const Json& primitive : primitives)
        if (!primitive.value("attributes", Json::object()).contains("POSITION")) return "positions";
    return "";
}

std::vector<GltfView> viewsOf(const Json& cameras)
{
    std::vector<GltfView> views;
    for (const Json& camera : cameras) {
        const Json lens = camera.value("perspective", Json::object());
        views.push_back({lens.value("yfov", 0.0), lens.value("aspectRatio", 0.0)});
    }
    return views;
}

}  // namespace

std::vector<GltfView> checkGltf(const std::string& bytes, const std::string& source)
{
    try {
        const Json document = Json::parse(jsonOfGltf(bytes));
        for (const Json& mesh : document.value("meshes", Json::array()))
            if (const std::string lack = lackOf(mesh); !lack.empty())
                throw Error(ExitCode::File, source + ": the file is damaged: its mesh " +
                                                quotedName(mesh.value("name", "")) + " has no " + lack);
        for (const Json& skin : document.value("skins", Json::array()))
            if (!skin.contains("inverseBindMatrices"))
                throw Error(ExitCode::Usage, source +
                                                 ": a skin has no inverseBindMatrices, which Firn needs; export the "
                                                 "file with them");
        return viewsOf(document.value("cameras", Json::array()));
    } catch (const Json::exception&) {
        return {};
    } catch (const std::out_of_range&) {
        return {};
    }
}

}  // namespace firn
