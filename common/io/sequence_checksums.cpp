#include "common/io/sequence_checksums.h"

#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/io/frame_range.h"

namespace firn {

std::map<int, std::string> sequenceChecksums(const std::filesystem::path& pattern)
{
    std::map<int, std::string> checksums;
    for (const int number : existingFrames(pattern))
        checksums.emplace(number, checksum(readFile(framePath(pattern, number))));
    return checksums;
}

}  // namespace firn
