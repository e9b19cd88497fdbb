#pragma once
// Where the denoiser's weights are.

#include <filesystem>

namespace firn {

/// The file `given`, or if empty that of the environment variable FIRN_DENOISER_WEIGHTS, or else
/// rt_hdr_alb_nrm.tza in the data folder (common/io/data_folder.h). Empty if none of the last two is there. Throws
/// Error(File) if the first that is set names no file.
std::filesystem::path findDenoiserWeights(const std::filesystem::path& given);

}  // namespace firn
