#include "render/matte.h"

#include <bit>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "common/body/rigid_piece.h"
#include "common/body/shapes.h"
#include "render/embree_surfaces.h"
#include "render/film.h"
#include "render/seen_surface.h"

using namespace firn;

TEST_CASE("The hash of a name is MurmurHash3")
{
    CHECK(murmurHash("") == 0);
    CHECK(murmurHash("hello") == 0x248bfa47);
    CHECK(murmurHash("hello, world") == 0x149bbb7f);
    CHECK(murmurHash("The quick brown fox jumps over the lazy dog") == 0x2e4ff723);
}

TEST_CASE("The number of a name is a normal float")
{
    for (int i = 0; i < 20000; ++i) CHECK(std::isnormal(std::bit_cast<float>(matteId("body" + std::to_string(i)))));
    CHECK(matteId("") != 0);
}

TEST_CASE("Counts of a matte do not depend on the order of samples, also where there are too many things")
{
    constexpr std::uint32_t things = 12;
    MatteCounts up, down, halves, other;
    for (std::uint32_t id = 1; id <= things; ++id)
        for (std::uint32_t k = 0; k < id; ++k) {
            up.add(id);
            (k % 2 == 0 ? halves : other).add(id);
        }
    for (std::uint32_t id = things; id > 0; --id) down.add(id, id);
    halves.add(other);
    for (const MatteCounts& counts : {up, down, halves}) {
        const auto ranked = counts.ranked();
        REQUIRE(ranked.size() == MatteCounts::most);
        for (std::size_t n = 0; n < ranked.size(); ++n) {
            CHECK(ranked[n].id == MatteCounts::most - n);
            CHECK(ranked[n].samples == ranked[n].id);
        }
    }
}

TEST_CASE("The metadata of a matte name its hash and its manifest")
{
    const auto metadata = matteMetadata({"snow", "cab"});
    CHECK(metadata.size() == 4);
    std::string manifest;
    for (const auto& [key, value] : metadata) {
        CHECK(key.starts_with("cryptomatte/"));
        CHECK(key.size() > std::string("cryptomatte/1234567/").size());
        if (key.ends_with("/manifest")) manifest = value;
        if (key.ends_with("/hash")) CHECK(value == "MurmurHash3_32");
        if (key.ends_with("/conversion")) CHECK(value == "uint32_to_float32");
    }
    const auto json = nlohmann::json::parse(manifest);
    CHECK(std::stoul(json.at("cab").get<std::string>(), nullptr, 16) == matteId("cab"));
    CHECK(std::stoul(json.at("snow").get<std::string>(), nullptr, 16) == matteId("snow"));
}

TEST_CASE("A matte has the share of a pixel that each thing covers")
{
    Body box;
    box.name = "box";
    box.pieces = {makeRigidPiece({"box", makeBox(Vec3d(1, 1, 1), 0), makeStaticMotion({})}, {})};
    const EmbreeSurfaces surfaces({box});
    const Volume snow = Volume::homogeneous(Vec3f(2, -1, -1), Vec3f(3, 1, 1), 20);
    RenderScene scene;
    scene.surfaces = &surfaces;
    scene.volume = &snow;
    scene.has_mattes = true;
    Film film({0, 0, 2, 1}, 2, 1);
    const auto see = [&](int x, float from) {
        film.addSeen(x, 0, seenSurface(scene, {Vec3f(from, 5, 0), -Vec3f::UnitY()}, 0.5f));
    };
    for (const float from : {0.0f, 0.1f, 2.5f, 9.0f}) see(0, from);
    see(1, 9);
    Image image = film.image();
    film.addMattes(image);
    const auto at = [&](const char* channel, std::size_t pixel) { return image.at(channel).pixels[pixel]; };
    CHECK(std::bit_cast<std::uint32_t>(at("CryptoObject00.R", 0)) == matteId("box"));
    CHECK(at("CryptoObject00.G", 0) == 0.5f);
    CHECK(std::bit_cast<std::uint32_t>(at("CryptoObject00.B", 0)) == matteId("snow"));
    CHECK(at("CryptoObject00.A", 0) == 0.25f);
    CHECK(at("CryptoObject00.R", 1) == 0);
    CHECK(at("CryptoObject00.G", 1) == 0);
    CHECK(image.find("CryptoObject01.R") == nullptr);
    CHECK(image.at("CryptoObject00.R").full_precision);
}
