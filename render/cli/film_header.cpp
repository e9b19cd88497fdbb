#include "render/cli/film_header.h"

#include <nlohmann/json.hpp>

#include "common/error.h"
#include "common/io/json.h"
#include "render/cli/picture_layout.h"

namespace firn {

namespace {

nlohmann::json metadataJson(const Metadata& metadata)
{
    nlohmann::json json = nlohmann::json::object();
    for (const auto& entry : metadata) std::visit([&](const auto& value) { json[entry.first] = value; }, entry.second);
    return json;
}

Metadata metadataOf(const nlohmann::json& json)
{
    Metadata metadata;
    for (const auto& [name, value] : json.items()) {
        if (value.is_number_integer()) {
            metadata[name] = value.get<int>();
        } else if (value.is_number()) {
            metadata[name] = value.get<float>();
        } else if (value.is_array()) {
            metadata[name] = value.get<Matrix4f>();
        } else {
            metadata[name] = value.get<std::string>();
        }
    }
    return metadata;
}

}  // namespace

std::string headerText(const FilmHeader& header)
{
    return jsonText(nlohmann::json{{"key", header.key},
                                   {"scene", header.scene},
                                   {"frame", header.frame},
                                   {"snow", header.snow},
                                   {"scene_toml", header.scene_toml},
                                   {"options", header.options},
                                   {"half", header.half},
                                   {"metadata", metadataJson(header.metadata)},
                                   {"samples", rangesJson(header.samples)}});
}

FilmHeader parseFilmHeader(const std::string& text, const std::filesystem::path& path)
{
    try {
        const nlohmann::json json = parseJson(text);
        FilmHeader header;
        json.at("key").get_to(header.key);
        json.at("scene").get_to(header.scene);
        json.at("frame").get_to(header.frame);
        json.at("snow").get_to(header.snow);
        json.at("scene_toml").get_to(header.scene_toml);
        if (json.contains("options")) json.at("options").get_to(header.options);  // not in earlier versions
        json.at("half").get_to(header.half);
        header.samples = rangesOf(json.at("samples"));
        header.metadata = metadataOf(json.at("metadata"));
        return header;
    } catch (const nlohmann::json::exception&) {
        throw Error(ExitCode::File, "film " + path.string() + " is damaged: its header lacks a member");
    }
}

std::string filmName(const FilmHeader& header)
{
    return PictureLayout{"", header.scene}.filmPath(header.frame).filename().string();
}

std::string renamedFilmAdvice(const std::filesystem::path& film, const FilmHeader& header)
{
    const std::string name = filmName(header);
    if (std::filesystem::exists(film.parent_path() / name)) return "There is a " + name + ", too: move this one away";
    return "Rename it to " + name + ", and the same 'firn-render frames' with --resume continues, or move it away";
}

}  // namespace firn
