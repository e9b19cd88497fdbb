#pragma once
// Which bodies a pixel shows, and how much of it each one covers: a Cryptomatte (Friedman and Jones, Fully automatic ID
// mattes with support for motion blur and transparency, SIGGRAPH posters 2015; specification 1.2). Compositing programs
// select bodies by name with it.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace firn {

/// MurmurHash3 (x86, 32 bits, seed 0) of a text.
std::uint32_t murmurHash(const std::string& text);

/// The number of a name: its hash, changed where its bits would not be a normal float. Never 0.
std::uint32_t matteId(const std::string& name);

/// How many samples of a pixel show each thing. Does not depend on the order of the samples.
class MatteCounts {
public:
    /// A pixel that shows more things keeps those with the smallest numbers.
    static constexpr std::size_t most = 8;

    void add(std::uint32_t id, std::uint32_t samples = 1);
    void add(const MatteCounts& other);

    struct Count {
        std::uint32_t id, samples;
    };
    /// The most frequent first; of equal ones that with the smaller number.
    std::vector<Count> ranked() const;

private:
    std::array<Count, most> m_counts{};  // in ascending order of the numbers; 0 = free, at the end
};

/// How the names of that metadata begin.
constexpr const char* matteAttributes = "cryptomatte/";

/// The metadata of the layers CryptoObject00, CryptoObject01, ... of things with these names.
std::map<std::string, std::string> matteMetadata(const std::vector<std::string>& names);

}  // namespace firn
