#pragma once
// The content of a glTF or FBX file that bodies need: nodes, meshes, skins and clips. FBX files say
// their unit and axes and are turned to metres with y up; numbers of glTF files are as they are.

#include <memory>
#include <string>
#include <vector>

#include "common/body/mesh.h"
#include "common/image/encoded_picture.h"
#include "common/math.h"

namespace firn {

using Affine = Eigen::Transform<double, 3, Eigen::AffineCompact>;

/// A node of the file's hierarchy. Parents come before their children.
struct FileNode {
    std::string name;
    int parent = -1;
    Affine local = Affine::Identity();  // relative to the parent, where no clip moves it
};

/// A value that changes with time. Times increase.
template <class T>
struct FileChannel {
    std::vector<double> times_s;
    std::vector<T> values;
};

/// How a clip moves a node: each channel replaces a part of `FileNode::local`. An empty one keeps that part.
struct FileTrack {
    int node = 0;
    FileChannel<Vec3d> translation;
    FileChannel<Eigen::Vector4d> rotation;  // x, y, z, w
    FileChannel<Vec3d> scale;
};

struct FileClip {
    std::string name;
    double first_s = 0, last_s = 0;  // of its keys
    std::vector<FileTrack> tracks;
};

/// A bone moves vertices from the mesh's frame by node * offset.
struct FileBone {
    int node = 0;
    Affine offset = Affine::Identity();
};

struct FileInfluence {
    int bone = 0;
    float weight = 0;
};

/// All triangles of one node, with vertices welded. A mesh without bones is rigid in the node's frame.
struct FileMesh {
    int node = 0;
    TriangleMesh mesh;
    std::vector<FileBone> bones;
    std::vector<FileInfluence> influences;  // of all vertices, in order
    std::vector<int> first;                 // index of a vertex's first influence; one more than vertices
};

/// A perspective camera at the origin of its node.
struct FileCamera {
    std::string name;
    int node = 0;
    Vec3d forward = -Vec3d::UnitZ(), up = Vec3d::UnitY();  // unit length, at a right angle
    double field_rad = 0;                                  // angle of the view's whole width, or height
    bool is_height = false;
};

struct AnimatedFile {
    std::vector<std::shared_ptr<const EncodedPicture>> pictures;  // of the materials; without bytes if it is missing
    std::vector<std::string> unused_gloss;  // names of materials whose gloss has other places than their colour
    std::vector<FileNode> nodes;
    std::vector<FileClip> clips;
    std::vector<FileMesh> meshes;
    std::vector<FileCamera> cameras;
};

}  // namespace firn
