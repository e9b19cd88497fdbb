#pragma once
// A body given as one level set per frame, from a simulation of another program. Its topology may change.

#include <memory>

#include "common/body/key_source.h"
#include "common/body/mesh_sequence.h"

namespace firn {

/// Key times are those of the files (.vdb). Each has a level set, and may have a vector grid "vel", "v" or "velocity"
/// (in the file's units per second). Without one, the surface moves along its normals as the level sets before and
/// after say (the change of distance over time). Before the first and after the last file the surface rests.
/// `options.loop` is not used. Files are read when a time near them is first asked for; the last few are kept. Throws
/// Error: File when there is no file, files are missing, or a file is damaged; Usage for wrong content; also later.
std::shared_ptr<const KeySource> makeLevelSequence(const SequenceOptions& options, const KeyLevelOptions& level);

}  // namespace firn
