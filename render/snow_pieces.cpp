#include "render/snow_pieces.h"

#include <algorithm>
#include <limits>

#include "common/mix_bits.h"

namespace firn {

std::vector<SnowPiece> piecesOf(const SnowParticles& particles, const RestState& rest)
{
    constexpr float volume = SnowPiece::size_m * SnowPiece::size_m * SnowPiece::size_m;
    constexpr std::uint64_t salt = 0x5069656365ULL;
    std::vector<SnowPiece> pieces;
    for (std::size_t i = 0; i < particles.size(); ++i) {
        const std::uint64_t bits = mixBits(salt + particles.id[i]);
        const auto part = [&](int shift) { return static_cast<float>(bits >> shift & 0xffff) / 65536; };
        if (part(0) * volume >= particles.volume0_m3[i]) continue;
        const Vec3f toRest = rest.place_m[i] - particles.position_m[i].cast<float>();
        const Vec3f random(part(16), part(32), part(48));  // m
        pieces.push_back(
            {particles.position_m[i], toRest + random, 2 * static_cast<float>(mixBits(bits) >> 40) / 16777216 - 1});
    }
    return pieces;
}

void keepNearest(const Vec3d& middle_m, double radius_m, std::vector<SnowPiece>& pieces)
{
    double nearest = std::numeric_limits<double>::infinity(), second = nearest;
    for (const SnowPiece& piece : pieces) {
        const double distance = (piece.position - middle_m).norm();
        second = std::min(second, std::max(nearest, distance));
        nearest = std::min(nearest, distance);
    }
    // Any place in the ball has two pieces within `second` + radius.
    std::erase_if(pieces,
                  [&](const SnowPiece& piece) { return (piece.position - middle_m).norm() > second + 2 * radius_m; });
}

NearestPieces nearestPieces(std::span<const SnowPiece> pieces, Floats x, Floats y, Floats z)
{
    constexpr float far = 1e30f;
    Floats nearest = floats(far), second = floats(far), shiftX{}, shiftY{}, shiftZ{}, height{};
    for (const SnowPiece& piece : pieces) {
        const Vec3f p = piece.position.cast<float>();
        const Floats dx = x - p.x(), dy = y - p.y(), dz = z - p.z();
        const Floats distance = dx * dx + dy * dy + dz * dz;
        const Ints isNearer = distance < nearest;
        second = smaller(second, larger(nearest, distance));
        nearest = smaller(nearest, distance);
        shiftX = select(isNearer, floats(piece.toNoise_m.x()), shiftX);
        shiftY = select(isNearer, floats(piece.toNoise_m.y()), shiftY);
        shiftZ = select(isNearer, floats(piece.toNoise_m.z()), shiftZ);
        height = select(isNearer, floats(piece.height), height);
    }
    return {x + shiftX, y + shiftY, z + shiftZ, height, 0.5f * (squareRoot(second) - squareRoot(nearest))};
}

}  // namespace firn
