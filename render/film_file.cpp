#include "render/film_file.h"

#include <array>
#include <cstring>
#include <string_view>

#include "common/cache/checkpoint.h"
#include "common/error.h"
#include "common/io/checked_file.h"
#include "render/adaptive_sampling.h"
#include "render/packed_bytes.h"

namespace firn {

namespace {

namespace fs = std::filesystem;
constexpr const char *pixelBlocks = "pixels", *groupBlocks = "groups", *groupNames = "group names",
                     *shadowBlocks = "shadows";
constexpr std::size_t wordBytes = 16;  // the size of most numbers in a pixel
constexpr int largestEdge = 1 << 20;   // pixels

[[noreturn]] void refuse(const fs::path& path, const std::string& why)
{
    throw Error(ExitCode::File, "film " + path.string() + " is damaged: " + why);
}

/// The block "film".
struct Geometry {
    std::array<char, 8> format = {'F', 'I', 'L', 'M', '1', 0, 0, 0};
    std::uint64_t bytes_per_pixel = Film::bytesPerPixel();
    std::array<std::int32_t, 4> window{};
    std::array<std::int32_t, 2> display{};
    PathCounts counts;
    double seconds = 0;
    std::uint64_t is_complete = 0;
};

Geometry describe(const FrameState& state)
{
    const Film& film = state.film;
    const PixelWindow& window = film.window();
    Geometry geometry;
    geometry.window = {window.x, window.y, window.width, window.height};
    geometry.display = {film.displayWidth(), film.displayHeight()};
    geometry.counts = film.counts;
    geometry.seconds = state.seconds;
    geometry.is_complete = state.is_complete ? 1 : 0;
    return geometry;
}

Geometry readGeometry(const Checkpoint& file, const fs::path& path)
{
    const auto found = file.blocks.find("film");
    if (found == file.blocks.end()) throw Error(ExitCode::File, path.string() + ": expected a film of firn-render");
    Geometry geometry;
    const Geometry ours;
    if (found->second.size() == sizeof geometry) std::memcpy(&geometry, found->second.data(), sizeof geometry);
    if (found->second.size() != sizeof geometry || geometry.format != ours.format ||
        geometry.bytes_per_pixel != ours.bytes_per_pixel)
        throw Error(ExitCode::File, "film " + path.string() + " was written by another version of Firn");
    return geometry;
}

void requireWindow(const Geometry& geometry, const fs::path& path)
{
    const auto inside = [](int begin, int size, int whole) {
        return begin >= 0 && size >= 1 && whole <= largestEdge && begin <= whole && size <= whole - begin;
    };
    const auto [x, y, width, height] = geometry.window;
    if (!inside(x, width, geometry.display[0]) || !inside(y, height, geometry.display[1]))
        refuse(path, "its window is not inside the picture");
}

void unpackInto(std::span<std::byte> bytes, const Checkpoint& file, const char* name, const fs::path& path)
{
    const std::string broken = unpack(file, name, bytes);
    if (!broken.empty()) refuse(path, "its block " + broken + " is missing or broken");
}

/// Films of lights without groups have no such block.
std::vector<std::string> readGroupNames(const Checkpoint& file)
{
    std::vector<std::string> names;
    const auto found = file.blocks.find(groupNames);
    if (found == file.blocks.end()) return names;
    std::string name;
    for (const std::byte byte : found->second) {
        const char letter = static_cast<char>(byte);
        if (letter != '\n') {
            name += letter;
            continue;
        }
        names.push_back(name);
        name.clear();
    }
    return names;
}

std::string textOf(const std::vector<std::string>& names)
{
    std::string text;
    for (const std::string& name : names) text += name + '\n';
    return text;
}

/// A film without samples for what the file holds. Takes memory for no more than that.
Film emptyFilm(const Checkpoint& file, const Geometry& geometry, const fs::path& path)
{
    const auto [x, y, width, height] = geometry.window;
    const std::size_t pixels = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
    const FilmLayers layers{readGroupNames(file), packedSize(file, shadowBlocks) > 0};
    const std::size_t groups = pixels * layers.light_groups.size(), shadows = layers.has_shadows ? pixels : 0;
    if (packedSize(file, pixelBlocks) / Film::bytesPerPixel() != pixels ||
        (groups > 0 && packedSize(file, groupBlocks) / Film::bytesPerGroup() != groups) ||
        packedSize(file, shadowBlocks) / Film::bytesPerShadow() != shadows)
        refuse(path, "it does not hold as many pixels as its window");
    return {{x, y, width, height}, geometry.display[0], geometry.display[1], layers};
}

std::vector<std::int32_t> readWanted(const Checkpoint& file, const Film& film, const fs::path& path)
{
    std::vector<std::int32_t> wanted(2 * static_cast<std::size_t>(Tiles(film.window()).count()));
    const auto found = file.blocks.find("wanted");
    if (found == file.blocks.end() || found->second.size() != wanted.size() * sizeof(wanted[0]))
        refuse(path, "its block wanted is missing or broken");
    std::memcpy(wanted.data(), found->second.data(), found->second.size());
    return wanted;
}

Checkpoint readFilmBlocks(const fs::path& path)
{
    requireReadable(path);
    if (!fs::exists(path)) throw Error(ExitCode::File, path.string() + ": no such file");
    if (!isCheckpoint(path))
        throw Error(ExitCode::File, path.string() + ": expected a film of firn-render (<shot>.####.film)");
    try {
        return readCheckpoint(path);
    } catch (const Error& error) {
        const std::string text = error.what(), kind = "checkpoint ";
        throw Error(error.code(), text.starts_with(kind) ? "film " + text.substr(kind.size()) : text);
    }
}

}  // namespace

void writeFilm(const fs::path& path, const std::string& header, const FrameState& state)
{
    const PackedBytes pixels(pixelBlocks, state.film.bytes(), wordBytes);
    const PackedBytes groups(groupBlocks, state.film.groupBytes(), wordBytes);
    const PackedBytes shadows(shadowBlocks, state.film.shadowBytes(), wordBytes);
    const std::string names = textOf(state.film.layers().light_groups);
    const Geometry geometry = describe(state);
    CheckpointView view;
    view.header = header;
    view.blocks.emplace_back("film", std::as_bytes(std::span(&geometry, 1)));
    view.blocks.emplace_back("wanted", std::as_bytes(std::span(state.wanted)));
    pixels.addTo(view);
    if (!names.empty()) {
        view.blocks.emplace_back(groupNames, std::as_bytes(std::span(names)));
        groups.addTo(view);
    }
    if (state.film.layers().has_shadows) shadows.addTo(view);
    writeCheckpoint(path, view);
}

FilmFile readFilm(const fs::path& path)
{
    const Checkpoint file = readFilmBlocks(path);
    const Geometry geometry = readGeometry(file, path);
    requireWindow(geometry, path);
    FrameState state(emptyFilm(file, geometry, path));
    unpackInto(state.film.bytes(), file, pixelBlocks, path);
    if (!state.film.layers().light_groups.empty()) unpackInto(state.film.groupBytes(), file, groupBlocks, path);
    if (state.film.layers().has_shadows) unpackInto(state.film.shadowBytes(), file, shadowBlocks, path);
    state.wanted = readWanted(file, state.film, path);
    state.film.counts = geometry.counts;
    state.seconds = geometry.seconds;
    state.is_complete = geometry.is_complete != 0;
    return {file.header, std::move(state)};
}

}  // namespace firn
