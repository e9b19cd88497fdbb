#include "render/denoise/network.h"

#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <dnnl.hpp>
#include <unordered_map>

#include "common/error.h"

// oneDNN's threads are those of OpenMP; clang has no omp.h of its own.
extern "C" void omp_set_num_threads(int);  // NOLINT(readability-identifier-naming): the name is OpenMP's

namespace firn {

namespace {

using dnnl::memory;

constexpr int alignment = 16;  // channels come in groups of 16; what is missing is zero

int padded(int channels) { return (channels + alignment - 1) / alignment * alignment; }

/// Channels are stored in groups of one vector register: all pixels of the first group, then those of the next one.
memory::format_tag blockedFormat()
{
    const bool wide = static_cast<int>(dnnl::get_effective_cpu_isa()) >= static_cast<int>(dnnl::cpu_isa::avx512_core);
    return wide ? memory::format_tag::nChw16c : memory::format_tag::nChw8c;
}

int groupSize() { return blockedFormat() == memory::format_tag::nChw16c ? 16 : 8; }

/// A convolution's weights, with channels padded to the alignment.
struct ConvolutionKernel {
    int in = 0, out = 0;         // padded
    std::vector<float> weights;  // [out][in][3][3]
    std::vector<float> bias;     // [out]
};

constexpr std::size_t levels = 5;

/// Channels of a level's memory: the input of its decoder (what comes up, then what skips), and scratch.
struct LevelChannels {
    int input, scratch;
};

std::string text(const std::vector<int>& shape)
{
    std::string result;
    for (const int size : shape) result += (result.empty() ? "" : " x ") + std::to_string(size);
    return "[" + result + "]";
}

const Tensor& tensorOf(const Tensors& weights, const std::string& tensor, const std::string& file)
{
    const auto found = weights.find(tensor);
    if (found != weights.end()) return found->second;
    throw Error(ExitCode::File, file + ": holds no tensor '" + tensor +
                                    "'; expected the weights rt_hdr_alb_nrm of Open Image Denoise (or its small "
                                    "variant)");
}

/// The kernel of a layer whose input has `in` channels; any number of channels if `out` is 0.
ConvolutionKernel makeKernel(const Tensors& weights, const std::string& layer, int in, int out, const std::string& file)
{
    const Tensor& weight = tensorOf(weights, layer + ".weight", file);
    const Tensor& bias = tensorOf(weights, layer + ".bias", file);
    const int found = weight.shape.empty() ? 0 : weight.shape[0];
    const bool outFits = out > 0 ? found == out : found % alignment == 0;
    if (weight.shape != std::vector<int>{found, in, 3, 3} || !outFits || bias.shape != std::vector<int>{found}) {
        throw Error(ExitCode::File, file + ": '" + layer + ".weight' has the shape " + text(weight.shape) +
                                        "; expected [" + (out > 0 ? std::to_string(out) : "a multiple of 16") + " x " +
                                        std::to_string(in) +
                                        " x 3 x 3]: these are weights of another network than rt_hdr_alb_nrm");
    }
    ConvolutionKernel kernel{padded(in), padded(found), {}, {}};
    kernel.weights.resize(static_cast<std::size_t>(kernel.out) * static_cast<std::size_t>(kernel.in) * 9);
    kernel.bias.resize(static_cast<std::size_t>(kernel.out));
    std::copy(bias.values.begin(), bias.values.end(), kernel.bias.begin());
    const auto row = static_cast<std::ptrdiff_t>(in) * 9, paddedRow = static_cast<std::ptrdiff_t>(kernel.in) * 9;
    for (std::ptrdiff_t o = 0; o < found; ++o) {
        std::copy_n(weight.values.begin() + o * row, row, kernel.weights.begin() + o * paddedRow);
    }
    return kernel;
}

}  // namespace

struct DenoiseNetwork::Layers {
    ConvolutionKernel enc0, enc1, enc2, enc3, enc4, enc5a, enc5b;
    ConvolutionKernel dec4a, dec4b, dec3a, dec3b, dec2a, dec2b, dec1a, dec1b, dec0;

    Layers(const Tensors& weights, const std::string& file)
    {
        const auto make = [&](const char* layer, int in, int out = 0) {
            return makeKernel(weights, layer, in, out, file);
        };
        enc0 = make("enc_conv0", inputs);
        enc1 = make("enc_conv1", enc0.out);
        enc2 = make("enc_conv2", enc1.out);
        enc3 = make("enc_conv3", enc2.out);
        enc4 = make("enc_conv4", enc3.out);
        enc5a = make("enc_conv5a", enc4.out);
        enc5b = make("enc_conv5b", enc5a.out);
        dec4a = make("dec_conv4a", enc5b.out + enc3.out);
        dec4b = make("dec_conv4b", dec4a.out);
        dec3a = make("dec_conv3a", dec4b.out + enc2.out);
        dec3b = make("dec_conv3b", dec3a.out);
        dec2a = make("dec_conv2a", dec3b.out + enc1.out);
        dec2b = make("dec_conv2b", dec2a.out);
        dec1a = make("dec_conv1a", dec2b.out + inputs);
        dec1b = make("dec_conv1b", dec1a.out);
        dec0 = make("dec_conv0", dec1b.out, outputs);
    }

    /// Of the levels, each at half of the resolution of the one before. A level's scratch holds the encoder's result
    /// until it is pooled, then the decoder's first result; the second one replaces the input.
    std::array<LevelChannels, levels> channels() const
    {
        return {{{dec2b.out + padded(inputs), std::max(enc0.out + enc1.out, dec1a.out)},
                 {dec3b.out + enc1.out, std::max(enc2.out, dec2a.out)},
                 {dec4b.out + enc2.out, std::max(enc3.out, dec3a.out)},
                 {enc5b.out + enc3.out, std::max(enc4.out, dec4a.out)},
                 {enc5b.out, enc4.out + enc5a.out}}};
    }
};

/// The network for one size of tile: its memory and the list of operations.
class DenoiseNetwork::Tile {
public:
    Tile(const Layers& layers, int width, int height) : m_width(width), m_height(height), m_format(blockedFormat())
    {
        const Layers& l = layers;
        const std::array<LevelChannels, levels> channels = l.channels();
        const auto makeLevel = [&](int i) { return level(i, channels[static_cast<std::size_t>(i)]); };
        const Level full = makeLevel(0), half = makeLevel(1), quarter = makeLevel(2), eighth = makeLevel(3),
                    deepest = makeLevel(4);

        m_input = full.skip(l.dec2b.out, padded(inputs));
        const Region skip1 = half.skip(l.dec3b.out, l.enc1.out), skip2 = quarter.skip(l.dec4b.out, l.enc2.out);
        const Region skip3 = eighth.skip(l.enc5b.out, l.enc3.out);
        const Region first = full.at(0, l.enc0.out), second = full.at(l.enc0.out, l.enc1.out);
        convolve(l.enc0, m_input, first);
        convolve(l.enc1, first, second);
        pool(second, skip1);
        convolve(l.enc2, skip1, half.at(0, l.enc2.out));
        pool(half.at(0, l.enc2.out), skip2);
        convolve(l.enc3, skip2, quarter.at(0, l.enc3.out));
        pool(quarter.at(0, l.enc3.out), skip3);
        convolve(l.enc4, skip3, eighth.at(0, l.enc4.out));
        pool(eighth.at(0, l.enc4.out), deepest.at(0, l.enc4.out));
        convolve(l.enc5a, deepest.at(0, l.enc4.out), deepest.at(l.enc4.out, l.enc5a.out));
        convolve(l.enc5b, deepest.at(l.enc4.out, l.enc5a.out), deepest.skip(0, l.enc5b.out));

        decode(l.dec4a, l.dec4b, deepest.skip(0, l.enc5b.out), eighth);
        decode(l.dec3a, l.dec3b, eighth.skip(0, l.dec4b.out), quarter);
        decode(l.dec2a, l.dec2b, quarter.skip(0, l.dec3b.out), half);
        decode(l.dec1a, l.dec1b, half.skip(0, l.dec2b.out), full);
        m_output = full.at(0, l.dec0.out);
        convolve(l.dec0, full.skip(0, l.dec1b.out), m_output, /*rectify*/ false);
    }

    bool hasSize(int width, int height) const { return m_width == width && m_height == height; }

    std::vector<float> run(const std::vector<float>& input)
    {
        fill(input);
        for (Operation& operation : m_operations) operation.primitive.execute(m_stream, operation.arguments);
        m_stream.wait();
        return result();
    }

private:
    /// Channels of a level's memory.
    struct Region {
        float* data = nullptr;
        int channels = 0, width = 0, height = 0;
        std::size_t pixels() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
    };
    struct Level {
        Region input, scratch;
        static Region part(const Region& of, int first, int count)
        {
            Region result = of;
            result.data += static_cast<std::size_t>(first) * of.pixels();
            result.channels = count;
            return result;
        }
        Region skip(int first, int count) const { return part(input, first, count); }
        Region at(int first, int count) const { return part(scratch, first, count); }
    };
    struct Operation {
        dnnl::primitive primitive;
        std::unordered_map<int, memory> arguments;
    };

    Level level(int shift, const LevelChannels& counts)
    {
        const auto allocate = [&](int channels) {
            Region region{nullptr, channels, m_width >> shift, m_height >> shift};
            m_memory.emplace_back(
                memory::desc({1, channels, region.height, region.width}, memory::data_type::f32, m_format), m_engine);
            region.data = static_cast<float*>(m_memory.back().get_data_handle());
            return region;
        };
        return {allocate(counts.input), allocate(counts.scratch)};
    }

    memory::desc describe(const Region& region) const
    {
        return {{1, region.channels, region.height, region.width}, memory::data_type::f32, m_format};
    }
    memory asMemory(const Region& region) { return {describe(region), m_engine, region.data}; }

    void convolve(const ConvolutionKernel& kernel, const Region& from, const Region& to, bool rectify = true)
    {
        const memory::dims shape = {kernel.out, kernel.in, 3, 3};
        const memory::desc anyWeights(shape, memory::data_type::f32, memory::format_tag::any);
        const memory::desc bias({kernel.out}, memory::data_type::f32, memory::format_tag::x);
        dnnl::primitive_attr attributes;
        if (rectify) {
            dnnl::post_ops operations;
            operations.append_eltwise(1, dnnl::algorithm::eltwise_relu, 0, 0);
            attributes.set_post_ops(operations);
        }
        const dnnl::convolution_forward::desc description(dnnl::prop_kind::forward_inference,
                                                          dnnl::algorithm::convolution_direct, describe(from),
                                                          anyWeights, bias, describe(to), {1, 1}, {1, 1}, {1, 1});
        const dnnl::convolution_forward::primitive_desc chosen(description, attributes, m_engine);

        memory plain({shape, memory::data_type::f32, memory::format_tag::oihw}, m_engine,
                     const_cast<float*>(kernel.weights.data()));
        memory weights(chosen.weights_desc(), m_engine);
        dnnl::reorder(plain, weights).execute(m_stream, plain, weights);
        m_stream.wait();
        const memory biases(bias, m_engine, const_cast<float*>(kernel.bias.data()));
        m_operations.push_back({dnnl::convolution_forward(chosen),
                                {{DNNL_ARG_SRC, asMemory(from)},
                                 {DNNL_ARG_WEIGHTS, weights},
                                 {DNNL_ARG_BIAS, biases},
                                 {DNNL_ARG_DST, asMemory(to)}}});
    }

    void pool(const Region& from, const Region& to)
    {
        const dnnl::pooling_v2_forward::desc description(dnnl::prop_kind::forward_inference,
                                                         dnnl::algorithm::pooling_max, describe(from), describe(to),
                                                         {2, 2}, {2, 2}, {0, 0}, {0, 0}, {0, 0});
        m_operations.push_back({dnnl::pooling_v2_forward({description, m_engine}),
                                {{DNNL_ARG_SRC, asMemory(from)}, {DNNL_ARG_DST, asMemory(to)}}});
    }

    void enlarge(const Region& from, const Region& to)
    {
        const dnnl::resampling_forward::desc description(
            dnnl::prop_kind::forward_inference, dnnl::algorithm::resampling_nearest, describe(from), describe(to));
        m_operations.push_back({dnnl::resampling_forward({description, m_engine}),
                                {{DNNL_ARG_SRC, asMemory(from)}, {DNNL_ARG_DST, asMemory(to)}}});
    }

    /// One level up: `below` is enlarged, joins what skipped, and passes two convolutions.
    void decode(const ConvolutionKernel& a, const ConvolutionKernel& b, const Region& below, const Level& level)
    {
        enlarge(below, level.skip(0, below.channels));
        convolve(a, level.skip(0, a.in), level.at(0, a.out));
        convolve(b, level.at(0, a.out), level.skip(0, b.out));
    }

    void fill(const std::vector<float>& input)
    {
        const std::size_t pixels = m_input.pixels();
        const auto group = static_cast<std::size_t>(groupSize());
        for (std::size_t c = 0; c < static_cast<std::size_t>(m_input.channels); ++c) {
            float* const to = m_input.data + c / group * group * pixels + c % group;
            for (std::size_t p = 0; p < pixels; ++p) to[p * group] = c < inputs ? input[c * pixels + p] : 0;
        }
    }

    std::vector<float> result() const
    {
        const std::size_t pixels = m_output.pixels();
        const auto group = static_cast<std::size_t>(groupSize());
        std::vector<float> result(outputs * pixels);
        for (std::size_t c = 0; c < outputs; ++c) {
            const float* const from = m_output.data + c / group * group * pixels + c % group;
            for (std::size_t p = 0; p < pixels; ++p) result[c * pixels + p] = from[p * group];
        }
        return result;
    }

    int m_width, m_height;
    memory::format_tag m_format;
    dnnl::engine m_engine{dnnl::engine::kind::cpu, 0};
    dnnl::stream m_stream{m_engine};
    std::vector<memory> m_memory;
    Region m_input, m_output;
    std::vector<Operation> m_operations;
};

DenoiseNetwork::DenoiseNetwork(const Tensors& weights, const std::string& name)
    : m_layers(std::make_unique<Layers>(weights, name))
{
}

DenoiseNetwork::~DenoiseNetwork() = default;

std::vector<float> DenoiseNetwork::run(int width, int height, const std::vector<float>& input)
{
    omp_set_num_threads(tbb::this_task_arena::max_concurrency());
    if (!m_tile || !m_tile->hasSize(width, height)) {
        m_tile.reset();  // the memory of the last size goes first
        m_tile = std::make_unique<Tile>(*m_layers, width, height);
    }
    return m_tile->run(input);
}

double DenoiseNetwork::bytesPerPixel() const
{
    double channels = inputs + outputs, pixels = 1;
    for (const LevelChannels& level : m_layers->channels()) {
        channels += pixels * (level.input + level.scratch);
        pixels /= 4;
    }
    return sizeof(float) * channels;
}

}  // namespace firn
