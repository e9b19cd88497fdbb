#include "render/cli/picture_options.h"

#include <vector>

#include "common/error.h"

namespace firn {

namespace {

int numberAt(const std::string& text, std::size_t& position, const char* option)
{
    const std::size_t begin = position;
    while (position < text.size() && text[position] >= '0' && text[position] <= '9') ++position;
    if (begin == position || position - begin > 6) {
        throw Error(ExitCode::Usage, std::string(option) + " " + clampText(text) + ": expected a number at character " +
                                         std::to_string(begin + 1));
    }
    return std::stoi(text.substr(begin, position - begin));
}

/// `count` numbers with `separator` between them.
std::vector<int> numbers(const std::string& text, char separator, std::size_t count, const char* option)
{
    std::vector<int> result;
    std::size_t position = 0;
    while (true) {
        result.push_back(numberAt(text, position, option));
        if (position == text.size()) break;
        if (text[position++] != separator) break;
    }
    if (position != text.size() || result.size() != count) {
        throw Error(ExitCode::Usage, std::string(option) + " " + clampText(text) + ": expected " +
                                         std::to_string(count) + " numbers with '" + separator + "' between them");
    }
    return result;
}

}  // namespace

void parseResolution(const std::string& text, int& width, int& height)
{
    const std::vector<int> values = numbers(text, 'x', 2, "--res");
    for (const int value : values) {
        if (value < 1 || value > 32768) throw Error(ExitCode::Usage, "--res " + text + ": edges are 1 to 32768 pixels");
    }
    width = values[0];
    height = values[1];
}

PixelWindow parseCrop(const std::string& text)
{
    const std::vector<int> values = numbers(text, ',', 4, "--crop");
    return {values[0], values[1], values[2], values[3]};
}

void parseSamples(const std::string& text, int spp, int& first, int& count)
{
    const std::vector<int> values = numbers(text, '-', 2, "--samples");
    if (values[0] % 2 != 0 || values[1] < values[0] || values[1] >= spp) {
        const std::string why = values[0] % 2 != 0      ? "FIRST must be even"
                                : values[1] < values[0] ? "LAST must not be below FIRST"
                                                        : "the last sample of --spp " + std::to_string(spp) + " is " +
                                                              std::to_string(spp - 1);
        throw Error(ExitCode::Usage, "--samples " + clampText(text) + ": " + why);
    }
    first = values[0];
    count = values[1] - values[0] + 1;
}

}  // namespace firn
