#pragma once
// The content of the files of a sequence, such as "cloth.####.obj".

#include <filesystem>
#include <map>
#include <string>

namespace firn {

/// The checksum of each file by its number. Throws Error(File) if one cannot be read.
std::map<int, std::string> sequenceChecksums(const std::filesystem::path& pattern);

}  // namespace firn
