#include "common/body/numbered_files.h"

#include <vector>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/checksum.h"
#include "common/io/frame_range.h"
#include "common/io/sequence_checksums.h"

namespace firn {

namespace {

std::string gaps(const std::vector<int>& numbers)
{
    std::vector<int> missing;
    for (std::size_t k = 1; k < numbers.size(); ++k)
        for (int n = numbers[k - 1] + 1; n < numbers[k]; ++n) missing.push_back(n);
    return framesText(missing) + (missing.size() == 1 ? " is" : " are") +
           " missing in the sequence, which has frames " + formatFrames(numbers);
}

}  // namespace

NumberedFiles numberedFiles(const std::filesystem::path& pattern, const std::string& source)
{
    const std::vector<int> numbers = existingFrames(pattern);
    if (numbers.empty()) throw Error(ExitCode::File, source + ": the sequence has no file");
    const NumberedFiles files{numbers.front(), static_cast<int>(numbers.size())};
    if (numbers.back() - numbers.front() + 1 != files.count) throw Error(ExitCode::File, source + ": " + gaps(numbers));
    return files;
}

SequenceContent::SequenceContent(const std::filesystem::path& pattern)
    : m_pattern(pattern), m_checksums(sequenceChecksums(pattern))
{
}

void SequenceContent::requireSame(int number, const std::string& source) const
{
    const std::filesystem::path file = framePath(m_pattern, number);
    if (checksum(readFile(file)) == m_checksums.at(number)) return;
    throw Error(ExitCode::File, source + ": " + file.string() +
                                    " has changed since this command began, so frames of the old and of the new file "
                                    "would mix. Put the old file back and continue with --resume, or start anew with "
                                    "the new one");
}

}  // namespace firn
