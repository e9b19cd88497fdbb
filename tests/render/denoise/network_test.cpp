// The network against its definition, written as plain loops.

#include <catch2/catch.hpp>

#include <algorithm>

#include "common/error.h"
#include "common/io/threads.h"
#include "render/denoise/network.h"
#include "weights_file.h"

using namespace firn;

namespace {

/// Values [channel][y][x].
struct Map {
    int channels, height, width;
    std::vector<float> values;

    Map(int c, int h, int w) : channels(c), height(h), width(w), values(indexOf(c, 0, 0)) {}
    std::size_t indexOf(int c, int y, int x) const
    {
        const int index = (c * height + y) * width + x;
        return static_cast<std::size_t>(index);
    }
    float& at(int c, int y, int x) { return values[indexOf(c, y, x)]; }
    float at(int c, int y, int x) const { return const_cast<Map*>(this)->at(c, y, x); }
};

Map convolve(const Map& in, const Tensors& weights, const std::string& layer, bool rectify = true)
{
    const Tensor& w = weights.at(layer + ".weight");
    Map out(w.shape[0], in.height, in.width);
    for (int o = 0; o < out.channels; ++o)
        for (int y = 0; y < in.height; ++y)
            for (int x = 0; x < in.width; ++x) {
                double sum = static_cast<double>(weights.at(layer + ".bias").values[static_cast<std::size_t>(o)]);
                for (int i = 0; i < in.channels; ++i)
                    for (int k = 0; k < 9; ++k) {
                        const int v = y + k / 3 - 1, u = x + k % 3 - 1;
                        if (v < 0 || u < 0 || v >= in.height || u >= in.width) continue;
                        const int index = (o * in.channels + i) * 9 + k;
                        sum += static_cast<double>(w.values[static_cast<std::size_t>(index)]) *
                               static_cast<double>(in.at(i, v, u));
                    }
                out.at(o, y, x) = static_cast<float>(rectify ? std::max(0.0, sum) : sum);
            }
    return out;
}

Map pool(const Map& in)
{
    Map out(in.channels, in.height / 2, in.width / 2);
    for (int c = 0; c < out.channels; ++c)
        for (int y = 0; y < out.height; ++y)
            for (int x = 0; x < out.width; ++x)
                out.at(c, y, x) = std::max({in.at(c, 2 * y, 2 * x), in.at(c, 2 * y, 2 * x + 1),
                                            in.at(c, 2 * y + 1, 2 * x), in.at(c, 2 * y + 1, 2 * x + 1)});
    return out;
}

/// `below` at twice its size, then `skip`.
Map join(const Map& below, const Map& skip)
{
    Map out(below.channels + skip.channels, skip.height, skip.width);
    for (int c = 0; c < out.channels; ++c)
        for (int y = 0; y < out.height; ++y)
            for (int x = 0; x < out.width; ++x)
                out.at(c, y, x) = c < below.channels ? below.at(c, y / 2, x / 2) : skip.at(c - below.channels, y, x);
    return out;
}

Map reference(const Map& input, const Tensors& w)
{
    const Map pool1 = pool(convolve(convolve(input, w, "enc_conv0"), w, "enc_conv1"));
    const Map pool2 = pool(convolve(pool1, w, "enc_conv2"));
    const Map pool3 = pool(convolve(pool2, w, "enc_conv3"));
    const Map pool4 = pool(convolve(pool3, w, "enc_conv4"));
    Map x = convolve(convolve(pool4, w, "enc_conv5a"), w, "enc_conv5b");
    x = convolve(convolve(join(x, pool3), w, "dec_conv4a"), w, "dec_conv4b");
    x = convolve(convolve(join(x, pool2), w, "dec_conv3a"), w, "dec_conv3b");
    x = convolve(convolve(join(x, pool1), w, "dec_conv2a"), w, "dec_conv2b");
    x = convolve(convolve(join(x, input), w, "dec_conv1a"), w, "dec_conv1b");
    return convolve(x, w, "dec_conv0", false);
}

Map randomInput(int width, int height)
{
    Map input(DenoiseNetwork::inputs, height, width);
    std::mt19937 random(3);
    std::uniform_real_distribution<float> uniform(0, 1);
    for (float& value : input.values) value = uniform(random);
    return input;
}

}  // namespace

TEST_CASE("The network computes what its definition says, for tiles of several sizes in turn")
{
    const Tensors weights = smallWeights();
    DenoiseNetwork network(weights, "weights");
    for (const auto& [width, height] : {std::pair{48, 32}, {16, 16}, {48, 32}}) {
        const Map input = randomInput(width, height);
        const Map expected = reference(input, weights);
        const std::vector<float> found = network.run(width, height, input.values);
        REQUIRE(found.size() == expected.values.size());
        const auto [least, greatest] = std::minmax_element(expected.values.begin(), expected.values.end());
        const float spread = *greatest - *least;
        REQUIRE(spread > 0.1f);  // the test would pass for a constant otherwise
        for (std::size_t i = 0; i < found.size(); ++i) {
            if (std::abs(found[i] - expected.values[i]) > 1e-5f * spread) FAIL("value " << i << " differs");
        }
    }
}

TEST_CASE("The network gives the same bits for any number of threads")
{
    const Map input = randomInput(160, 96);
    std::vector<std::vector<float>> results;
    for (const int threads : {1, 2, 3, 7}) {
        runWithThreads(threads, [&] {
            DenoiseNetwork network(smallWeights(), "weights");
            results.push_back(network.run(160, 96, input.values));
        });
    }
    for (const std::vector<float>& result : results) CHECK(result == results[0]);
}

TEST_CASE("Weights of another network are refused")
{
    Tensors weights = smallWeights();
    weights.erase("dec_conv3b.bias");
    CHECK_THROWS_WITH(DenoiseNetwork(weights, "w.tza"), Catch::Contains("w.tza") && Catch::Contains("dec_conv3b.bias"));
    weights = smallWeights();
    weights["enc_conv0.weight"] = {{16, 3, 3, 3}, std::vector<float>(16 * 27)};  // colour alone
    CHECK_THROWS_WITH(DenoiseNetwork(weights, "w.tza"),
                      Catch::Contains("enc_conv0.weight") && Catch::Contains("[16 x 3 x 3 x 3]"));
}
