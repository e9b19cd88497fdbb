#pragma once
// Damaged frames of a cache are made again, to the bits that stats.jsonl records.

#include "common/io/progress.h"
#include "common/scene/scene.h"
#include "sim/cli/cache_folder.h"
#include "sim/simulation.h"

namespace firn {

/// Particles of the simulation as the cache holds them.
ParticleSource framePoints(ParticleSource snow, const Scene& scene, const std::string& sceneHash);

/// The text of the command that restores frames up to `lastDamaged`. If the cache has frames of several scenes, the
/// user must give the scene of the damaged frames as SCENE; later frames stay as they are.
std::string restoreCommand(const std::filesystem::path& folder, bool hasSeveralScenes, int lastDamaged);

/// Writes each file of `damaged` (ascending by frame) again: from the checkpoint of its frame where one is left, else
/// by simulating up to it, from the newest checkpoint before the first of them or from the start. Files that --frames
/// left out are written too, and listed in `stats`. A simulation restores damaged checkpoints too, with the lines of
/// `stats`. Nothing else in the folder changes. Returns false when a stop
/// was requested before all were written. Throws Error(File) when the bits are not the recorded ones, as on another
/// kind of machine.
bool restoreFrames(const std::vector<DamagedFile>& damaged, const Scene& scene, const CacheFolder& folder,
                   const SceneIdentity& identity, StatsFile& stats, Progress& progress);

}  // namespace firn
