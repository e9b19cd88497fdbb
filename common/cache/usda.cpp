#include "common/cache/usda.h"

#include <cstdio>
#include <sstream>

#include "common/cache/layout.h"

namespace firn {

std::string usdaText(const std::vector<std::pair<int, std::string>>& files, double fps)
{
    std::ostringstream out;
    out << "#usda 1.0\n(\n    defaultPrim = \"Snow\"\n    metersPerUnit = 1\n    upAxis = \"Y\"\n";
    if (!files.empty()) {
        out << "    startTimeCode = " << files.front().first << "\n    endTimeCode = " << files.back().first << "\n";
    }
    out << "    framesPerSecond = " << fps << "\n    timeCodesPerSecond = " << fps << "\n)\n\n"
        << "def Volume \"Snow\"\n{\n    rel field:snow = </Snow/snow>\n\n"
        << "    def OpenVDBAsset \"snow\"\n    {\n        token fieldName = \"snow\"\n"
        << "        asset filePath.timeSamples = {\n";
    for (const auto& [frame, name] : files) out << "            " << frame << ": @./" << name << "@,\n";
    out << "        }\n    }\n}\n";
    return std::move(out).str();
}

std::optional<std::vector<int>> framesOfUsdaText(const std::string& text)
{
    std::vector<std::pair<int, std::string>> files;
    double fps = 0;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        int frame = 0;
        char name[64];
        if (std::sscanf(line.c_str(), " framesPerSecond = %lf", &fps) == 1) continue;
        if (std::sscanf(line.c_str(), " %d: @./%63[^@]@,", &frame, name) != 2) continue;
        if (CacheLayout().framePath(frame).filename() != name) return std::nullopt;
        files.emplace_back(frame, name);
    }
    if (usdaText(files, fps) != text) return std::nullopt;
    std::vector<int> frames;
    frames.reserve(files.size());
    for (const auto& [frame, name] : files) frames.push_back(frame);
    return frames;
}

}  // namespace firn
