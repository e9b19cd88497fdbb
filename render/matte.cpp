#include "render/matte.h"

#include <algorithm>
#include <bit>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "common/io/json.h"

namespace firn {

namespace {

std::string hexOf(std::uint32_t number)
{
    std::array<char, 9> text;
    std::snprintf(text.data(), text.size(), "%08x", number);
    return text.data();
}

}  // namespace

std::uint32_t murmurHash(const std::string& text)
{
    const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
    const auto mixed = [](std::uint32_t word) { return std::rotl(word * 0xcc9e2d51u, 15) * 0x1b873593u; };
    std::uint32_t hash = 0;
    const std::size_t whole = text.size() / 4 * 4;
    for (std::size_t i = 0; i < whole; i += 4) {
        hash ^= mixed(byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24);
        hash = std::rotl(hash, 13) * 5 + 0xe6546b64u;
    }
    std::uint32_t rest = 0;
    for (std::size_t i = text.size(); i > whole; --i) rest = rest << 8 | byte(i - 1);
    hash ^= mixed(rest) ^ static_cast<std::uint32_t>(text.size());
    hash = (hash ^ hash >> 16) * 0x85ebca6bu;
    hash = (hash ^ hash >> 13) * 0xc2b2ae35u;
    return hash ^ hash >> 16;
}

std::uint32_t matteId(const std::string& name)
{
    const std::uint32_t hash = murmurHash(name), exponent = hash >> 23 & 255;
    return exponent == 0 || exponent == 255 ? hash ^ 1u << 23 : hash;
}

void MatteCounts::add(std::uint32_t id, std::uint32_t samples)
{
    const auto isBefore = [](const Count& count, std::uint32_t number) { return count.id != 0 && count.id < number; };
    const auto place = std::lower_bound(m_counts.begin(), m_counts.end(), id, isBefore);
    if (place == m_counts.end()) return;
    if (place->id != id) {
        std::move_backward(place, m_counts.end() - 1, m_counts.end());
        *place = {id, 0};
    }
    place->samples += samples;
}

void MatteCounts::add(const MatteCounts& other)
{
    for (const Count& count : other.m_counts)
        if (count.id != 0) add(count.id, count.samples);
}

std::vector<MatteCounts::Count> MatteCounts::ranked() const
{
    std::vector<Count> counts;
    std::ranges::copy_if(m_counts, std::back_inserter(counts), [](const Count& count) { return count.id != 0; });
    std::ranges::stable_sort(counts, [](const Count& a, const Count& b) { return a.samples > b.samples; });
    return counts;
}

std::map<std::string, std::string> matteMetadata(const std::vector<std::string>& names)
{
    const std::string layer = "CryptoObject", key = matteAttributes + hexOf(murmurHash(layer)).substr(0, 7) + "/";
    nlohmann::json manifest = nlohmann::json::object();
    for (const std::string& name : names) manifest[name] = hexOf(matteId(name));
    return {{key + "name", layer},
            {key + "hash", "MurmurHash3_32"},
            {key + "conversion", "uint32_to_float32"},
            {key + "manifest", jsonText(manifest)}};
}

}  // namespace firn
