// Seeding of regions from meshes and level sets.

#include <catch2/catch.hpp>
#include <fstream>

#include "tests/sim/seeded.h"
#include "tests/temporary_folder.h"

#ifdef __GNUC__
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#endif
#include <openvdb/io/File.h>
#include <openvdb/tools/LevelSetSphere.h>
#ifdef __GNUC__
#pragma GCC diagnostic pop
#endif

using namespace firn;
using namespace firn::seeding;

namespace {

/// A region from a file with a box from the origin to `size`.
SnowRegion meshBox(const TemporaryFolder& folder, const Vec3d& size)
{
    std::ofstream file(folder / "box.obj");
    for (int corner = 0; corner < 8; ++corner)
        file << "v " << (corner & 1) * size.x() << ' ' << (corner >> 1 & 1) * size.y() << ' '
             << (corner >> 2) * size.z() << '\n';
    file << "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";
    SnowRegion region;
    region.shape = SnowShape::Mesh;
    region.file = folder / "box.obj";
    return region;
}

}  // namespace

TEST_CASE("A mesh region is turned about its pivot and filled there")
{
    const TemporaryFolder folder;
    SnowRegion region = meshBox(folder, Vec3d(4, 1, 2));
    region.scale = 0.1;
    region.pivot = Pivot::Base;
    region.position = Vec3d(1, 2, 3);
    region.rotation_deg = Vec3d(0, 0, 90);  // 0.4 x 0.1 x 0.2 m, its base on the plane x = 1
    const Particles p = seeded(region);
    CHECK(static_cast<double>(p.size()) == Approx(8000).margin(2 * countTolerance(0.28)));
    Box3d bounds;
    for (std::size_t i = 0; i < p.size(); ++i) bounds.extend(position(p, i, dx));
    CHECK((bounds.min() - Vec3d(0.9, 1.8, 2.9)).cwiseAbs().maxCoeff() < 0.005);
    CHECK((bounds.max() - Vec3d(1, 2.2, 3.1)).cwiseAbs().maxCoeff() < 0.005);
}

TEST_CASE("A mesh region is filled as the box that it is")
{
    const TemporaryFolder folder;
    SnowRegion region = meshBox(folder, Vec3d::Ones());
    region.scale = 0.2;
    region.position = Vec3d(1, 0, 0);
    const Particles p = seeded(region);  // 0.008 m^3; sampled distances round the edges: surface counted twice
    CHECK(static_cast<double>(p.size()) == Approx(8000).margin(2 * countTolerance(6 * 0.04)));
    for (std::size_t i = 0; i < p.size(); ++i) {
        const Vec3d x = position(p, i, dx);
        REQUIRE(Box3d(Vec3d(0.999, -0.001, -0.001), Vec3d(1.201, 0.201, 0.201)).contains(x));
    }
}

TEST_CASE("A level set file is filled as the sphere that it is")
{
    openvdb::initialize();
    const TemporaryFolder folder;
    const auto grid = openvdb::tools::createLevelSetSphere<openvdb::FloatGrid>(0.1f, openvdb::Vec3f(0, 0, 0), 0.01f);
    grid->setName("surface");
    openvdb::io::File file((folder / "sphere.vdb").string());
    file.write({grid});
    file.close();
    SnowRegion region;
    region.shape = SnowShape::Vdb;
    region.file = folder / "sphere.vdb";
    region.position = Vec3d(0, 0.5, 0);
    const Particles p = seeded(region);
    const double V = 4.0 / 3 * pi * 1e-3;
    CHECK(static_cast<double>(p.size()) == Approx(V * 8 / (dx * dx * dx)).margin(2 * countTolerance(4 * pi * 0.01)));
    for (std::size_t i = 0; i < p.size(); ++i) REQUIRE((position(p, i, dx) - region.position).norm() < 0.1 + 0.001);
}
