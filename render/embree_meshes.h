#pragma once
// Triangle meshes as Embree's scenes, which instances share.

#include <embree3/rtcore.h>

#include <memory>
#include <vector>

#include "common/body/body_piece.h"
#include "render/corner_normals.h"

namespace firn {

struct SceneRelease {
    void operator()(RTCScene scene) const { rtcReleaseScene(scene); }
};
using ScenePtr = std::unique_ptr<RTCSceneTy, SceneRelease>;

/// A mesh and its scene.
struct MeshScene {
    std::shared_ptr<const TriangleMesh> mesh;
    ScenePtr scene;
    Box3d bounds;                        // of the mesh, in its frame
    std::vector<CornerNormals> normals;  // per triangle of a model; otherwise none
};

/// An empty scene whose hits are watertight.
RTCScene newEmbreeScene(RTCDevice device);

/// Builds the tree of a scene. Serial, so that the tree does not depend on the number of threads.
void commitSerially(RTCScene scene);

/// Throws Error(Failed) when memory is short.
std::shared_ptr<const MeshScene> makeMeshScene(RTCDevice device, const PosedMesh& posed);

}  // namespace firn
