#include "common/body/key_level.h"

#include <tbb/parallel_for.h>

#include <algorithm>

#include "common/body/narrow_band_lookup.h"
#include "common/body/nearest_triangles.h"

namespace firn {

namespace {

constexpr int brickCells = NarrowBand::brickCells, brickNodes = NarrowBand::brickNodes;

Vec3i nodeOf(int index)
{
    return {index % brickNodes, index / brickNodes % brickNodes, index / (brickNodes * brickNodes)};
}

/// The estimate of the nearest point of the surface: along the gradient by the distance.
Vec3d surfaceEstimate(const NarrowBand& band, std::int32_t brick, const Vec3i& node, const Vec3d& point)
{
    const Vec3i cell = node.cwiseMin(brickCells - 1);
    const BandPlace place{brick, cell.x() + brickNodes * (cell.y() + brickNodes * cell.z()),
                          (node - cell).cast<double>()};
    Vec3d gradient;
    const double distance = bandDistance(band, place, gradient);
    return point - distance * gradient.stableNormalized();
}

std::vector<Vec3i> cornersOfBricks(const NarrowBand& band)
{
    std::vector<Vec3i> corners(band.values.size());
    for (int z = 0, i = 0; z < band.bricks.z(); ++z)
        for (int y = 0; y < band.bricks.y(); ++y)
            for (int x = 0; x < band.bricks.x(); ++x, ++i)
                if (band.table[i] >= 0) corners[band.table[i]] = brickCells * Vec3i(x, y, z);
    return corners;
}

}  // namespace

std::shared_ptr<const KeyLevel> makeKeyLevel(const std::vector<Vec3d>& vertices, const std::vector<Vec3i>& triangles,
                                             const LevelSetOptions& options)
{
    auto level = std::make_shared<KeyLevel>();
    level->band = makeCheckedBand(makeMesh(vertices, triangles), options);
    const NarrowBand& band = level->band;
    level->nearest.resize(band.values.size());
    const NearestTriangles search(vertices, triangles, 1.5 * band.voxel_m);
    const std::vector<Vec3i> corners = cornersOfBricks(band);
    tbb::parallel_for(std::size_t{0}, corners.size(), [&](std::size_t brick) {
        int guess = -1;
        for (int n = 0; n < nodesOfBrick; ++n) {
            const float distance = band.values[brick][n];
            if (distance >= band.outside || distance <= band.inside) continue;
            const Vec3d point = band.origin + band.voxel_m * (corners[brick] + nodeOf(n)).cast<double>();
            Vec3d weights;
            SurfacePoint& found = level->nearest[brick][n];
            const Vec3d estimate = surfaceEstimate(band, static_cast<std::int32_t>(brick), nodeOf(n), point);
            found.triangle = search.find(point, estimate, guess, weights);
            if (found.triangle < 0) continue;
            found.weights = weights.cast<float>();
            guess = found.triangle;
        }
    });
    return level;
}

BrickVectors toNodes(const KeyLevel& level, const std::vector<Vec3d>& ofVertices, const std::vector<Vec3i>& triangles)
{
    std::vector<Vec3f> values;
    for (const Vec3d& v : ofVertices) values.push_back(v.cast<float>());
    BrickVectors vectors(level.nearest.size());
    tbb::parallel_for(std::size_t{0}, vectors.size(), [&](std::size_t brick) {
        Vec3f sum = Vec3f::Zero();
        int count = 0;
        for (int n = 0; n < nodesOfBrick; ++n) {
            const SurfacePoint& point = level.nearest[brick][n];
            if (point.triangle < 0) continue;
            const Vec3i& t = triangles[point.triangle];
            vectors[brick][n] =
                point.weights[0] * values[t[0]] + point.weights[1] * values[t[1]] + point.weights[2] * values[t[2]];
            sum += vectors[brick][n];
            ++count;
        }
        if (count > 0) sum /= static_cast<float>(count);
        for (int n = 0; n < nodesOfBrick; ++n)
            if (level.nearest[brick][n].triangle < 0) vectors[brick][n] = sum;
    });
    return vectors;
}

double distanceAt(const NarrowBand& band, const Vec3d& point, Vec3d& gradient)
{
    gradient = Vec3d::Zero();
    const BandPlace place = placeIn(band, point);
    if (place.brick == NarrowBand::outsideBrick) return static_cast<double>(band.outside);
    if (place.brick == NarrowBand::insideBrick) return static_cast<double>(band.inside);
    const double distance = bandDistance(band, place, gradient);
    const double length = gradient.norm();
    if (length < 1e-3 * band.voxel_m) {
        gradient = Vec3d::Zero();
    } else {
        gradient /= length;
    }
    return distance;
}

bool vectorAt(const KeyLevel& level, const BrickVectors& vectors, const Vec3d& point, Vec3d& result)
{
    const BandPlace place = placeIn(level.band, point);
    if (place.brick < 0) return false;
    const Vec3f* v = vectors[place.brick].data() + place.node;
    constexpr int dy = brickNodes, dz = brickNodes * brickNodes;
    const Vec3f share = place.share.cast<float>();
    const auto mix = [](const Vec3f& a, const Vec3f& b, float t) -> Vec3f { return a + t * (b - a); };
    const Vec3f v0 = mix(mix(v[0], v[1], share.x()), mix(v[dy], v[dy + 1], share.x()), share.y());
    const Vec3f v1 = mix(mix(v[dz], v[dz + 1], share.x()), mix(v[dz + dy], v[dz + dy + 1], share.x()), share.y());
    result = mix(v0, v1, share.z()).cast<double>();
    return true;
}

}  // namespace firn
