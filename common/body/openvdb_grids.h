#pragma once
// What bodies need of OpenVDB: float grids, and their conversion to meshes. These are OpenVDB's own
// declarations. Its headers bring far more and would double the time to compile each file that includes them. The
// library contains the instances of the templates that are declared here.

#include <openvdb/Grid.h>
#include <openvdb/tree/Tree.h>

#include <vector>

namespace openvdb {
OPENVDB_USE_VERSION_NAMESPACE
namespace OPENVDB_VERSION_NAME {

using FloatTree = tree::Tree4<float, 5, 4, 3>::Type;
using FloatGrid = Grid<FloatTree>;
using Vec3STree = tree::Tree4<Vec3f, 5, 4, 3>::Type;
using Vec3SGrid = Grid<Vec3STree>;

OPENVDB_API void initialize();

namespace tools {

template <typename GridType>
void volumeToMesh(const GridType& grid, std::vector<Vec3s>& points, std::vector<Vec4I>& quads, double isovalue);
extern template void volumeToMesh(const FloatGrid&, std::vector<Vec3s>&, std::vector<Vec4I>&, double);

}  // namespace tools
}  // namespace OPENVDB_VERSION_NAME
}  // namespace openvdb
