#include "common/cache/checkpoint.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <fstream>
#include <random>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "tests/temporary_folder.h"

namespace fs = std::filesystem;
using namespace firn;

namespace {

std::vector<std::byte> noise(std::size_t count)
{
    std::mt19937 random(7);
    std::vector<std::byte> bytes(count);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    return bytes;
}

void writePlain(const fs::path& path, std::span<const std::byte> bytes)
{
    std::ofstream(path, std::ios::binary | std::ios::trunc)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Flips one bit of a file in place.
void flipBit(const fs::path& path, std::size_t bit)
{
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(bit / 8));
    const int byte = file.get();
    file.seekp(static_cast<std::streamoff>(bit / 8));
    file.put(static_cast<char>(byte ^ (1 << (bit % 8))));
}

/// True when the file is refused as a damaged or unreadable file, by name.
bool isRefused(const fs::path& path)
{
    try {
        readCheckpoint(path);
        return false;
    } catch (const Error& error) {
        return error.code() == ExitCode::File && std::string(error.what()).find(path.string()) != std::string::npos;
    }
}

}  // namespace

TEST_CASE("A checkpoint gives back every byte")
{
    TemporaryFolder folder;
    const std::vector<std::byte> positions = noise(1000), nothing;
    const auto [bytes, sum] =
        writeCheckpoint(folder / "c", {R"({"frame": 12})", {{"x", positions}, {"empty", nothing}}});
    CHECK(bytes == fs::file_size(folder / "c"));
    CHECK(sum == checksum(readFile(folder / "c")));
    const Checkpoint read = readCheckpoint(folder / "c");
    CHECK(read.header == R"({"frame": 12})");
    REQUIRE(read.blocks.size() == 2);
    CHECK(read.blocks.at("x") == positions);
    CHECK(read.blocks.at("empty").empty());
}

TEST_CASE("The file layout is the documented one")
{
    TemporaryFolder folder;
    const std::vector<std::byte> data(3, std::byte('z'));
    writeCheckpoint(folder / "c", {"{}", {{"name", data}}});
    const std::vector<std::byte> bytes = readFile(folder / "c");
    const auto size = [](char n) { return std::string(1, n) + std::string(7, '\0'); };
    const std::string expected = "FIRNCHK1" + size(2) + "{}" + size(4) + "name" + size(3) + "zzz";
    REQUIRE(bytes.size() == expected.size() + 8);
    CHECK(std::string(reinterpret_cast<const char*>(bytes.data()), expected.size()) == expected);
}

TEST_CASE("A checkpoint cut at any of its first 64 kB is refused")
{
    TemporaryFolder folder;
    const std::vector<std::byte> data = noise(65536);
    writeCheckpoint(folder / "whole", {R"({"frame": 3})", {{"x", data}}});
    const std::vector<std::byte> bytes = readFile(folder / "whole");
    const fs::path cut = folder / "cut";
    // Shortened step by step from the full length: every offset is tried.
    writePlain(cut, bytes);
    long accepted = 0;
    for (std::size_t length = bytes.size(); length-- > 0;) {
        fs::resize_file(cut, length);
        accepted += !isRefused(cut);
    }
    CHECK(accepted == 0);
}

TEST_CASE("A checkpoint with one bit flipped is refused, 10^4 times out of 10^4")
{
    TemporaryFolder folder;
    const std::vector<std::byte> data = noise(4000);
    const fs::path file = folder / "checkpoint";
    writeCheckpoint(file, {R"({"frame": 3})", {{"x", data}, {"y", data}}});
    const std::size_t bits = 8 * fs::file_size(file);
    std::mt19937 random(11);
    long accepted = 0;
    for (int i = 0; i < 10000; ++i) {
        const std::size_t bit = random() % bits;
        flipBit(file, bit);
        accepted += !isRefused(file);
        flipBit(file, bit);
    }
    CHECK_FALSE(isRefused(file));  // every flip was undone
    CHECK(accepted == 0);
}

TEST_CASE("Sizes that lie are refused even under a right checksum")
{
    TemporaryFolder folder;
    const std::vector<std::byte> data = noise(100);
    writeCheckpoint(folder / "c", {"{}", {{"x", data}}});
    const std::vector<std::byte> whole = readFile(folder / "c");
    for (const std::size_t at : {static_cast<std::size_t>(8), static_cast<std::size_t>(18),
                                 static_cast<std::size_t>(27)}) {  // header, name, data sizes
        for (const std::uint64_t lie :
             {static_cast<std::uint64_t>(101), static_cast<std::uint64_t>(1) << 40, UINT64_MAX}) {
            std::vector<std::byte> bytes = whole;
            std::memcpy(bytes.data() + at, &lie, sizeof lie);
            const std::uint64_t sum = checksum64(std::span(bytes).first(bytes.size() - 8));
            std::memcpy(bytes.data() + bytes.size() - 8, &sum, sizeof sum);
            writePlain(folder / "lying", bytes);
            CHECK(isRefused(folder / "lying"));
        }
    }
}
