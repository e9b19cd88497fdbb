#include "render/cli/program.h"

namespace firn {

namespace {

constexpr const char* description = R"(firn-render: path traces caches of snow to EXR.

Examples:
  firn-render frames shot.toml --cache out/sim --out out/exr
  firn-render frames shot.toml --cache out/sim --out out/exr --frames 1-48x2 --spp 16 --res 480x270
  firn-render check shot.toml --cache out/sim --frames 24
  firn-render merge a/shot.0024.film b/shot.0024.film --out out/exr
  firn-render denoise out/exr/shot.0024.exr --out out/denoised
  firn-render info out/exr
  firn-render view out/exr/shot.0024.exr --layer depth --out depth.png
  firn-render compare baseline/exr out/exr --fail-flip 0.02
  firn-render sheet out/exr --out out/sheet.png
  firn-render movie out/exr --out out/shot.mp4
  firn-render playblast shot.toml --cache out/sim --out out/playblast
  firn-render volume shot.toml --cache out/sim --out out/volumes
  firn-render usd shot.toml --volumes out/volumes --out out/shot.usda
)";

constexpr const char* footer = R"(
Exit codes: 0 done; 1 failed; 2 usage or scene error; 3 file or disk; 5 a comparison found a difference; 75 stopped.)";

constexpr const char* signals =
    R"(Ctrl-C (signal INT), TERM and HUP save the frame that is being rendered and stop; a second one stops at once. USR1 prints a status line.)";

}  // namespace

Program renderProgram()
{
    return {"firn-render",
            description,
            footer,
            signals,
            "a smaller --res or a larger render.voxel_m needs less",
            {framesCommand(), checkCommand(), mergeCommand(), denoiseCommand(), infoCommand(), viewCommand(),
             compareCommand(), sheetCommand(), movieCommand(), playblastCommand(), volumeCommand(), usdCommand()}};
}

}  // namespace firn
