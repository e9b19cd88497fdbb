// How far pictures are from a converged one, and how much pictures of the same frame differ among themselves.
//
//     ninja -C build picture_quality
//     build/tests/campaign/picture_quality against REFERENCE.exr PICTURE.exr…
//     build/tests/campaign/picture_quality flicker PICTURE.exr PICTURE.exr…
//     build/tests/campaign/picture_quality edges PICTURE.exr PICTURE.exr…
//
// "against" prints, for the raw and the denoised layers of each picture: the relative error of the mean of red, green
// and blue; the root mean square of the relative errors of 16 x 16 pixels, and how much of it is beyond the pixels' own
// standard errors; the mean FLIP (HDR) against the reference's denoised layer (the raw one where it has none); and the
// rms of the error layer beside that of the true error. "flicker" takes renders of one frame with different seeds. It
// prints the rms over pixels of the standard deviation of luminance over the pictures, beside what the error layers
// promise, and the same for means of 16 x 16 pixels. "edges" takes crops through which one edge of snow passes from
// left to right: in each column it finds the largest vertical step of luminance, and prints the medians of the pixels
// between 10 and 90 % of the step, and of the steepest change from pixel to pixel over the step.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "common/compare/flip.h"
#include "common/error.h"
#include "common/image/exr.h"
#include "common/image/luminance.h"

using namespace firn;

namespace {

constexpr int blockEdge = 16;

/// One version of a picture: "" or "denoised.".
struct Layer {
    int width, height;
    RgbPlanes colour;
    std::vector<double> brightness, error;  // luminance and its standard error, 0 where the picture does not say

    Layer(const Image& image, const std::string& prefix) : width(image.width), height(image.height)
    {
        const std::array<const char*, 3> names{"R", "G", "B"};
        for (std::size_t c = 0; c < 3; ++c) {
            colour[c].width = width;
            colour[c].height = height;
            colour[c].values = image.at(prefix + names[c]).pixels;
        }
        error.resize(image.pixelCount());
        if (const Channel* errors = image.find(prefix + "stderr.Y"))
            std::copy(errors->pixels.begin(), errors->pixels.end(), error.begin());
        for (std::size_t i = 0; i < error.size(); ++i) {
            brightness.push_back(
                static_cast<double>(luminance(colour[0].values[i], colour[1].values[i], colour[2].values[i])));
        }
    }
};

double mean(const std::vector<double>& values)
{
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double rms(const std::vector<double>& values)
{
    double sum = 0;
    for (const double value : values) sum += value * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
}

/// Means of whole blocks of `values`, row by row.
std::vector<double> blockMeans(const std::vector<double>& values, int width, int height)
{
    std::vector<double> means;
    for (int top = 0; top + blockEdge <= height; top += blockEdge) {
        for (int left = 0; left + blockEdge <= width; left += blockEdge) {
            double sum = 0;
            for (int y = top; y < top + blockEdge; ++y) {
                for (int i = y * width + left; i < y * width + left + blockEdge; ++i)
                    sum += values[static_cast<std::size_t>(i)];
            }
            means.push_back(sum / (blockEdge * blockEdge));
        }
    }
    return means;
}

/// Standard errors of block means from those of independent pixels.
std::vector<double> blockErrors(const std::vector<double>& errors, int width, int height)
{
    std::vector<double> squares;
    squares.reserve(errors.size());
    for (const double error : errors) squares.push_back(error * error);
    std::vector<double> result = blockMeans(squares, width, height);
    for (double& value : result) value = std::sqrt(value) / blockEdge;
    return result;
}

double meanOf(const PixelPlane& plane)
{
    return std::accumulate(plane.values.begin(), plane.values.end(), 0.0) / static_cast<double>(plane.values.size());
}

void printAgainst(const char* name, const Layer& raw, const RgbPlanes& clean, const Layer& test)
{
    std::printf("%-9s mean", name);
    for (std::size_t c = 0; c < 3; ++c)
        std::printf(" %+.2f", 100 * (meanOf(test.colour[c]) / meanOf(raw.colour[c]) - 1));
    const auto blocks = [&](const std::vector<double>& values) { return blockMeans(values, raw.width, raw.height); };
    const std::vector<double> expected = blocks(raw.brightness), found = blocks(test.brightness),
                              noise = blockErrors(raw.error, raw.width, raw.height),
                              more = blockErrors(test.error, raw.width, raw.height);
    std::vector<double> errors, predicted, truth;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        errors.push_back(found[i] / expected[i] - 1);
        predicted.push_back(std::hypot(noise[i], more[i]) / expected[i]);
    }
    const double beyond = rms(errors) * rms(errors) - rms(predicted) * rms(predicted);
    for (std::size_t i = 0; i < raw.brightness.size(); ++i) {
        truth.push_back(static_cast<double>(luminance(clean[0].values[i], clean[1].values[i], clean[2].values[i])) -
                        test.brightness[i]);
    }
    std::printf(" %%  blocks %.2f %%, beyond noise %.2f %%  FLIP %.4f  error layer %.4f, true %.4f\n",
                100 * rms(errors), 100 * std::sqrt(std::max(0.0, beyond)),
                meanOf(flipHdr(clean, test.colour, flipExposures(clean))), rms(test.error), rms(truth));
}

bool hasDenoised(const Image& image) { return image.find("denoised.R") != nullptr; }

void against(const std::vector<std::string>& files)
{
    const Image reference = readExr(files.front());
    const Layer raw(reference, "");
    const RgbPlanes clean = hasDenoised(reference) ? Layer(reference, "denoised.").colour : raw.colour;
    for (std::size_t i = 1; i < files.size(); ++i) {
        const Image picture = readExr(files[i]);
        std::printf("%s\n", files[i].c_str());
        printAgainst("  raw", raw, clean, Layer(picture, ""));
        if (hasDenoised(picture)) printAgainst("  denoised", raw, clean, Layer(picture, "denoised."));
    }
}

/// Rms over places of the standard deviation over pictures.
double spread(const std::vector<std::vector<double>>& pictures)
{
    std::vector<double> deviations;
    const auto n = static_cast<double>(pictures.size());
    for (std::size_t i = 0; i < pictures.front().size(); ++i) {
        double sum = 0, squares = 0;
        for (const auto& picture : pictures) sum += picture[i];
        for (const auto& picture : pictures) squares += std::pow(picture[i] - sum / n, 2);
        deviations.push_back(std::sqrt(squares / (n - 1)));
    }
    return rms(deviations);
}

void flicker(const std::vector<std::string>& files)
{
    for (const std::string prefix : {"", "denoised."}) {
        std::vector<std::vector<double>> pixels, blocks;
        std::vector<double> promised, promisedBlocks, brightness;
        for (const std::string& file : files) {
            const Image image = readExr(file);
            if (!prefix.empty() && !hasDenoised(image)) return;
            const Layer layer(image, prefix);
            pixels.push_back(layer.brightness);
            blocks.push_back(blockMeans(layer.brightness, layer.width, layer.height));
            promised.push_back(rms(layer.error));
            promisedBlocks.push_back(rms(blockErrors(layer.error, layer.width, layer.height)));
            brightness.push_back(mean(layer.brightness));
        }
        const double scale = 100 / mean(brightness);
        std::printf(
            "%-9s pixels: deviation %.2f %% of the mean luminance, promised %.2f %%; blocks: %.3f %%, %.3f %%\n",
            prefix.empty() ? "raw" : "denoised", scale * spread(pixels), scale * rms(promised), scale * spread(blocks),
            scale * rms(promisedBlocks));
    }
}

struct Edge {
    double width = 0, gradient = 0;
};

double meanOfPart(const std::vector<double>& values, std::size_t first, std::size_t count)
{
    const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
    return std::accumulate(begin, begin + static_cast<std::ptrdiff_t>(count), 0.0) / static_cast<double>(count);
}

/// The largest step of a column between means of `beside` pixels that are 2 `reach` pixels apart. Passing 10 and 90 %
/// is found from the middle of the step outwards, so that noise beside the edge does not count.
Edge largestStep(const std::vector<double>& column)
{
    constexpr std::size_t reach = 8, beside = 4;
    std::size_t middle = reach;
    double step = 0, low = 0;
    for (std::size_t i = reach; i + reach <= column.size(); ++i) {
        const double before = meanOfPart(column, i - reach, beside),
                     after = meanOfPart(column, i + reach - beside, beside);
        const double steepness = std::abs(meanOfPart(column, i, 2) - meanOfPart(column, i - 2, 2));
        const double best = std::abs(meanOfPart(column, middle, 2) - meanOfPart(column, middle - 2, 2));
        if (step != 0 && steepness * std::abs(after - before) <= best * std::abs(step)) continue;
        middle = i;
        step = after - before;
        low = before;
    }
    const auto share = [&](std::size_t i) { return (column[i] - low) / step; };
    std::size_t first = middle, last = middle;
    while (first > 0 && share(first) > 0.1) --first;
    while (last + 1 < column.size() && share(last) < 0.9) ++last;
    double gradient = 0;
    for (std::size_t i = first; i < last; ++i) gradient = std::max(gradient, share(i + 1) - share(i));
    const auto part = [&](std::size_t i, double wanted) {
        return std::clamp((wanted - share(i)) / (share(i + 1) - share(i)), 0.0, 1.0);
    };
    if (first == last) return {};
    const double begin = static_cast<double>(first) + part(first, 0.1),
                 end = static_cast<double>(last - 1) + part(last - 1, 0.9);
    return {end - begin, gradient};
}

double median(std::vector<double> values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

void edges(const std::vector<std::string>& files)
{
    for (const std::string& file : files) {
        const Layer layer(readExr(file), "");
        std::vector<double> widths, gradients;
        for (int x = 0; x < layer.width; ++x) {
            std::vector<double> column(static_cast<std::size_t>(layer.height));
            for (std::size_t y = 0; y < column.size(); ++y)
                column[y] = layer.brightness[y * static_cast<std::size_t>(layer.width) + static_cast<std::size_t>(x)];
            const Edge edge = largestStep(column);
            widths.push_back(edge.width);
            gradients.push_back(edge.gradient);
        }
        std::printf("%s: 10 to 90 %% in %.2f pixels, gradient %.2f per pixel (medians of %d columns)\n", file.c_str(),
                    median(widths), median(gradients), layer.width);
    }
}

}  // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    const std::map<std::string, void (*)(const std::vector<std::string>&)> jobs{
        {"against", against}, {"flicker", flicker}, {"edges", edges}};
    if (arguments.size() < 2 || !jobs.contains(arguments[0])) {
        std::fprintf(stderr, "usage: picture_quality against|flicker|edges PICTURE PICTURE…\n");
        return 2;
    }
    try {
        jobs.at(arguments[0])({arguments.begin() + 1, arguments.end()});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "picture_quality: %s\n", error.what());
        return 3;
    }
    return 0;
}
