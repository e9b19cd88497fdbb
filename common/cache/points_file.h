#pragma once
// A frame of snow as an OpenVDB Points file, for the renderer and for programs that read OpenVDB points, such as
// Houdini (Blender 3.4 does not read them). Values are rounded; simulations continue from checkpoints instead.
//
// One grid "snow". Attributes: P (16 bit fixed point within a voxel), v (m/s, half), pscale (radius of a sphere of the
// initial volume, m), Cd (display colour), id (int32), F_E0 F_E1 F_E2 (rows of the elastic deformation gradient, half),
// Jp (det F_P), mass (kg), vol0 (m^3), material (index of the snow region), state (ParticleFrame::moving, sleeping or
// powder). An attribute that is the same for a whole leaf is stored once. Points are ordered by leaf, voxel and id, whatever their order in the frame.
// File metadata: frame, fps, time_s, dx_m, scene_hash, program, particles; frozen, where snow has left the simulation.

#include <filesystem>
#include <optional>
#include <string>

#include "common/cache/particle_frame.h"
#include "common/io/checked_file.h"

namespace firn {

/// Throws Error(File) when it cannot be written, and what pointsFileBytes throws.
WrittenFile writePointsFile(const std::filesystem::path& path, const ParticleSource& particles);
WrittenFile writePointsFile(const std::filesystem::path& path, const ParticleFrame& frame);

/// The content of that file. Throws Error(Failed) when a value is not finite or a position lies beyond
/// 8 million voxels of the origin: no such value is ever written.
std::string pointsFileBytes(const ParticleSource& particles);

/// `expectedChecksum`, if not empty, is that of WrittenFile. Throws Error(File) when the file is damaged, was written
/// by another program, or is not the expected one.
ParticleFrame readPointsFile(const std::filesystem::path& path, const std::string& expectedChecksum = "");

/// The scene_hash of the file, from its first bytes: for caches of many frames. "" where it is not found. Whether the
/// file is damaged is not checked.
std::string sceneHashIn(const std::filesystem::path& path);

/// The frame number in the metadata at the start of the file; none if it is not found.
std::optional<int> frameNumberIn(const std::filesystem::path& path);

/// Throws Error(File) when the first bytes of the file say that it is another frame than `frame`. Whether the file is
/// damaged is not checked.
void requireFrameNumber(const std::filesystem::path& path, int frame);

/// Whether Firn wrote this file and it is undamaged: the identifier in its header fits the rest (vdb_bytes.h).
bool isPointsFile(const std::filesystem::path& path);

/// Whether the file may be what a crash or a fault of the disk has left of a points file of Firn's: it is empty, begins
/// with zeros, is cut in its metadata, or has the metadata of such a file. Its content is not read.
bool mayBeDamagedPointsFile(const std::filesystem::path& path);

}  // namespace firn
