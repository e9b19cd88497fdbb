#include "render/film_file.h"

#include <blosc.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <cstring>
#include <string_view>

#include "common/cache/checkpoint.h"
#include "common/error.h"
#include "render/adaptive_sampling.h"

namespace firn {

namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr std::size_t chunkBytes = 16 << 20;  // of sums, before compression
constexpr std::size_t wordBytes = 16;         // the size of most numbers in a pixel: Blosc sorts their bytes
constexpr int largestEdge = 1 << 20;          // pixels

[[noreturn]] void refuse(const fs::path& path, const std::string& why)
{
    throw Error(ExitCode::File, "film " + path.string() + " is damaged: " + why);
}

Bytes compress(std::span<const std::byte> bytes)
{
    Bytes result(bytes.size() + BLOSC_MAX_OVERHEAD);
    const int size = blosc_compress_ctx(5, BLOSC_SHUFFLE, wordBytes, bytes.size(), bytes.data(), result.data(),
                                        result.size(), BLOSC_LZ4_COMPNAME, 0, 1);
    if (size <= 0) throw Error(ExitCode::Failed, "Blosc cannot compress " + std::to_string(bytes.size()) + " bytes");
    result.resize(static_cast<std::size_t>(size));
    return result;
}

bool decompress(const Bytes& chunk, std::span<std::byte> target)
{
    std::size_t size = 0;
    return blosc_cbuffer_validate(chunk.data(), chunk.size(), &size) == 0 && size == target.size() &&
           blosc_decompress_ctx(chunk.data(), target.data(), target.size(), 1) == static_cast<int>(size);
}

/// The bytes of chunk i of a film.
template <class Span>
Span chunkOf(Span bytes, std::size_t i)
{
    return bytes.subspan(i * chunkBytes, std::min(chunkBytes, bytes.size() - i * chunkBytes));
}

std::size_t chunkCount(std::size_t bytes) { return (bytes + chunkBytes - 1) / chunkBytes; }

std::string chunkName(std::size_t i) { return "pixels." + std::to_string(i); }

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

/// The bytes that the chunks say they hold: known before memory is taken for them.
std::size_t storedBytes(const Checkpoint& file)
{
    std::size_t sum = 0, size = 0, compressed = 0, block = 0;
    for (std::size_t i = 0;; ++i) {
        const auto found = file.blocks.find(chunkName(i));
        if (found == file.blocks.end()) return sum;
        if (found->second.size() < BLOSC_MIN_HEADER_LENGTH) return 0;
        blosc_cbuffer_sizes(found->second.data(), &size, &compressed, &block);
        sum += size;
    }
}

void readPixels(const Checkpoint& file, Film& film, const fs::path& path)
{
    const std::span<std::byte> bytes = film.bytes();
    tbb::parallel_for(std::size_t{0}, chunkCount(bytes.size()), [&](std::size_t i) {
        const auto found = file.blocks.find(chunkName(i));
        if (found == file.blocks.end() || !decompress(found->second, chunkOf(bytes, i)))
            refuse(path, "its block " + chunkName(i) + " is missing or broken");
    });
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
    const std::span<const std::byte> bytes = state.film.bytes();
    std::vector<Bytes> chunks(chunkCount(bytes.size()));
    tbb::parallel_for(std::size_t{0}, chunks.size(), [&](std::size_t i) { chunks[i] = compress(chunkOf(bytes, i)); });
    const Geometry geometry = describe(state);
    CheckpointView view;
    view.header = header;
    view.blocks.emplace_back("film", std::as_bytes(std::span(&geometry, 1)));
    view.blocks.emplace_back("wanted", std::as_bytes(std::span(state.wanted)));
    for (std::size_t i = 0; i < chunks.size(); ++i) view.blocks.emplace_back(chunkName(i), chunks[i]);
    writeCheckpoint(path, view);
}

FilmFile readFilm(const fs::path& path)
{
    const Checkpoint file = readFilmBlocks(path);
    const Geometry geometry = readGeometry(file, path);
    requireWindow(geometry, path);
    const auto [x, y, width, height] = geometry.window;
    if (storedBytes(file) / Film::bytesPerPixel() != static_cast<std::size_t>(width) * static_cast<std::size_t>(height))
        refuse(path, "it does not hold as many pixels as its window");
    FrameState state(Film({x, y, width, height}, geometry.display[0], geometry.display[1]));
    readPixels(file, state.film, path);
    state.wanted = readWanted(file, state.film, path);
    state.film.counts = geometry.counts;
    state.seconds = geometry.seconds;
    state.is_complete = geometry.is_complete != 0;
    return {file.header, std::move(state)};
}

}  // namespace firn
