#pragma once
// A body given as one mesh per frame: cloth, characters and muscles from simulations of other programs.

#include <filesystem>
#include <memory>
#include <string>

#include "common/body/deforming_surface.h"
#include "common/scene/scene.h"

namespace firn {

struct SequenceOptions {
    std::filesystem::path pattern;  // "cloth.####.obj", .obj or .ply
    double scale = 1;               // m per unit of the files
    UpAxis up_axis = UpAxis::Y;     // of the files
    int first_number = 1;           // of the file at time 0 of the sequence
    double fps = 24;                // of the sequence
    double offset_s = 0;            // time in the sequence at scene time 0
    double speed = 1;
    bool loop = false;   // the frame after the last one is the first one
    std::string source;  // for error messages
};

/// Between files, vertices move on Catmull-Rom splines. Before the first and after the last file the surface rests.
/// Files are read when a time near them is first asked for; the last few are kept. Throws Error: File when there is no
/// file, or when files are missing between the first and the last; and, also later, Usage for a file whose content is
/// wrong, that is not closed, or whose triangles are not those of the first file.
std::shared_ptr<const DeformingSurface> makeMeshSequence(const SequenceOptions& options);

}  // namespace firn
