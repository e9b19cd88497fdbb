#include "render/path_wave.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "render/phase.h"

namespace firn {

namespace {

/// The throughput that is worth the time of a path after this many scatterings. With n paths at an order of variance V
/// and cost C, the error times the time, sum(V / n) sum(n C), is least where n goes with the root of V / C. In snow,
/// light of higher orders costs more and varies less, so the worthwhile throughput grows with the root of the order.
Floats worthwhileThroughput(Ints scatterings)
{
    constexpr int fullOrders = 16;
    static constexpr std::array<float, 32> byPowerOfTwo = [] {
        std::array<float, 32> values{0.5f};
        for (std::size_t i = 1; i < values.size(); ++i) values[i] = 1.41421356f * values[i - 1];
        return values;
    }();
    // The exponent of a float is the number of bits of its integer part.
    const Floats groups = toFloats(scatterings / fullOrders);
    const Ints bits = select(groups > 0.f, (reinterpret_cast<Ints>(groups) >> 23) - 126, Ints{});
    return gather(byPowerOfTwo.data(), bits, ints(-1), Floats{});
}

struct Directions {
    Floats x, y, z;
};

/// deflect() (phase.h) in all lanes.
Directions deflect(const Directions& axis, Floats cosine, Floats u)
{
    // An orthonormal basis without branches (Duff et al. 2017).
    const Floats sign = select(reinterpret_cast<Ints>(axis.z) < 0, floats(-1), floats(1));
    const Floats a = -1.f / (sign + axis.z), b = axis.x * axis.y * a;
    const Floats sine = squareRoot(larger(Floats{}, 1.f - cosine * cosine));
    const SineCosine phi = sineCosineOfTurn(u);
    const Floats s = sine * phi.cosine, t = sine * phi.sine;
    const Directions r = {s * (1.f + sign * axis.x * axis.x * a) + t * b + cosine * axis.x,
                          s * sign * b + t * (sign + axis.y * axis.y * a) + cosine * axis.y,
                          -s * sign * axis.x - t * axis.y + cosine * axis.z};
    const Floats length = 1.5f - 0.5f * (r.x * r.x + r.y * r.y + r.z * r.z);  // stays 1 over thousands of deflections
    return {r.x * length, r.y * length, r.z * length};
}

struct Cosines {
    Floats cosine, density;
};

/// Samples Henyey and Greenstein's phase function; the density is per steradian.
Cosines sampleHenyeyGreenstein(float g, Floats u)
{
    const Floats xi = 2.f * u - 1.f;
    if (std::abs(g) < 1e-3f) return {xi + 1.5f * g * (1.f - xi * xi), floats(0.25f / pif)};  // as in phase.h
    const Floats root = (1 - g * g) / (1.f + g * xi);  // root^2 = 1 + g^2 - 2 g cosine
    const Floats cosine = (1 + g * g - root * root) / (2 * g);
    return {larger(floats(-1), smaller(cosine, floats(1))), 0.25f / pif * (1 - g * g) / (root * root * root)};
}

}  // namespace

void SurfaceVertex::blur(float roughnessSoFar)
{
    constexpr float most = 0.4f;
    if (!material.isMatte()) material.roughness = std::max(material.roughness, std::min(most, roughnessSoFar));
}

PathWave::PathWave(const RenderScene& scene, int capacity)
    : m_scene(scene),
      m_capacity(capacity),
      m_position(capacity),
      m_direction(capacity),
      m_throughput(capacity),
      m_t(capacity),
      m_depth(capacity),
      m_density(capacity),
      m_weight(capacity),
      m_time(capacity),
      m_surfaceAlbedo(capacity),
      m_roughness(capacity),
      m_u(capacity),
      m_v(capacity),
      m_weightedCollisions(capacity),
      m_scatterings(capacity),
      m_collisions(capacity),
      m_onSurface(capacity),
      m_random(capacity),
      m_surfaces(static_cast<std::size_t>(capacity)),
      m_free(capacity),
      m_rays(capacity)
{
    for (int i = 0; i < capacity; ++i) m_rays.t_max[i] = infinity;
}

LaneBits PathWave::lanesInUse(int first) const { return firstLanes(m_count - first); }

int PathWave::add(const Ray& ray, float opticalDepth, std::uint64_t key)
{
    const int path = m_count++;
    m_position.set(path, ray.origin);
    m_direction.set(path, ray.direction);
    m_throughput.set(path, Vec3f::Ones());
    m_depth[path] = opticalDepth;
    m_density[path] = m_roughness[path] = 0;
    m_weight[path] = m_surfaceAlbedo[path] = 1;
    m_time[path] = ray.time;
    m_weightedCollisions[path] = 0;
    m_scatterings[path] = m_collisions[path] = 0;
    m_random[path] = key;
    m_free.reset(path);
    return path;
}

void PathWave::remove(int path)
{
    const int last = --m_count;
    for (VectorColumn* column : {&m_position, &m_direction, &m_throughput}) column->set(path, (*column)[last]);
    for (Column<float>* column :
         {&m_t, &m_depth, &m_density, &m_weight, &m_time, &m_surfaceAlbedo, &m_roughness, &m_weightedCollisions})
        (*column)[path] = (*column)[last];
    for (Column<std::int32_t>* column : {&m_scatterings, &m_collisions, &m_onSurface})
        (*column)[path] = (*column)[last];
    m_random[path] = m_random[last];
    m_surfaces[static_cast<std::size_t>(path)] = m_surfaces[static_cast<std::size_t>(last)];
    m_free.move(last, path);
}

void PathWave::findVertices()
{
    fly();
    if (m_scene.surfaces != nullptr) meetSurfaces();
}

void PathWave::fly()
{
    const Volume* volume = m_scene.volume;
    for (int i = 0; i < m_count; i += laneCount) {
        m_onSurface.store(i, Ints{});
        if (volume == nullptr) m_t.store(i, floats(infinity));
    }
    if (volume == nullptr) return;
    m_rays.count = m_count;
    const Vec3f zero = volume->toIndex(Vec3f::Zero());
    const float scale = 1 / volume->voxelSize_m();
    for (int i = 0; i < m_count; i += laneCount) {
        m_rays.origin.x.store(i, m_position.x.lanes(i) * scale + zero.x());
        m_rays.origin.y.store(i, m_position.y.lanes(i) * scale + zero.y());
        m_rays.origin.z.store(i, m_position.z.lanes(i) * scale + zero.z());
        m_rays.direction.x.store(i, m_direction.x.lanes(i));
        m_rays.direction.y.store(i, m_direction.y.lanes(i));
        m_rays.direction.z.store(i, m_direction.z.lanes(i));
        m_rays.depth.store(i, m_depth.lanes(i));
        Words random = m_random.lanes(i);
        m_rays.key.store(i, nextWords(random));
        m_random.store(i, random);
    }
    sampleFlights(*volume, m_rays, m_t);
    for (int i = 0; i < m_count; i += laneCount) m_t.store(i, m_t.lanes(i) * volume->voxelSize_m());
}

/// Most flights in snow are short, so the medium came first.
void PathWave::meetSurfaces()
{
    for (int i = 0; i < m_count; i += laneCount) {
        const Floats x = m_position.x.lanes(i), y = m_position.y.lanes(i), z = m_position.z.lanes(i), t = m_t.lanes(i);
        const LaneBits stay =
            m_free.contain(i, x, y, z) & m_free.contain(i, x + t * m_direction.x.lanes(i),
                                                        y + t * m_direction.y.lanes(i), z + t * m_direction.z.lanes(i));
        forLanes(lanesInUse(i) & ~stay, [&](int lane) { meetSurface(i + lane); });
    }
}

void PathWave::meetSurface(int path)
{
    const Ray along = ray(path);
    SurfaceHit hit;
    if (!m_free.mayMeet(path, *m_scene.surfaces, along, m_t[path])) return;
    if (!m_scene.surfaces->intersect(along, m_t[path], hit)) return;
    m_t[path] = hit.t;
    m_onSurface[path] = -1;
    SurfaceVertex& vertex = m_surfaces[static_cast<std::size_t>(path)];
    vertex = {hit.normal, hit.emission, hit.material, hit.is_holdout, hit.catches_shadows};
    // Its shadow is a ratio of light that arrives, whatever the body is made of.
    if (hit.catches_shadows && m_scatterings[path] == 0) vertex.material = {Vec3f::Constant(0.5f)};
    vertex.blur(m_roughness[path]);
}

void PathWave::findLeaving(std::vector<int>& paths) const
{
    paths.clear();
    for (int i = 0; i < m_count; i += laneCount) forLanes(leaving(i), [&](int lane) { paths.push_back(i + lane); });
}

void PathWave::absorb()
{
    const Medium& medium = m_scene.medium;
    for (int i = 0; i < m_count; i += laneCount) {
        const Floats t = m_t.lanes(i);
        m_position.x.store(i, m_position.x.lanes(i) + t * m_direction.x.lanes(i));
        m_position.y.store(i, m_position.y.lanes(i) + t * m_direction.y.lanes(i));
        m_position.z.store(i, m_position.z.lanes(i) + t * m_direction.z.lanes(i));
        const Ints onSurface = m_onSurface.lanes(i);
        m_collisions.store(i, m_collisions.lanes(i) + 1 + onSurface);
        m_weightedCollisions.store(i, m_weightedCollisions.lanes(i) + select(onSurface, Floats{}, m_weight.lanes(i)));
        const auto absorbColour = [&](Column<float>& throughput, float mediumAlbedo) {
            throughput.store(i, throughput.lanes(i) * select(onSurface, floats(1), floats(mediumAlbedo)));
        };
        if (medium.field == nullptr) {
            absorbColour(m_throughput.x, medium.albedo.x());
            absorbColour(m_throughput.y, medium.albedo.y());
            absorbColour(m_throughput.z, medium.albedo.z());
        } else {
            forLanes(lanesInUse(i) & ~atSurfaces(i), [&](int lane) { absorbInMixture(i + lane); });
        }
        forLanes(atSurfaces(i), [&](int lane) { absorbAtSurface(i + lane); });
    }
}

void PathWave::absorbInMixture(int path)
{
    m_throughput.set(path, m_throughput[path].cwiseProduct(m_scene.medium.field->at(m_position[path])));
}

void PathWave::absorbAtSurface(int path)
{
    const SurfaceVertex& vertex = surface(path);
    Vec3f position = m_position[path];
    position += vertex.normal * (1e-5f + 0x1p-17f * position.cwiseAbs().maxCoeff());  // off the surface
    m_position.set(path, position);
    if (!vertex.material.isMatte()) {
        m_surfaceAlbedo[path] *= vertex.seenFrom(m_direction[path]).albedo().maxCoeff();
        return;
    }
    m_throughput.set(path, m_throughput[path].cwiseProduct(vertex.material.color));
    m_surfaceAlbedo[path] *= vertex.material.color.maxCoeff();
}

Scattering PathWave::scattering(int path, const Vec3f& outgoing) const
{
    if (!isOnSurface(path)) return {henyeyGreenstein(m_direction[path].dot(outgoing), m_scene.medium.g), Vec3f::Ones()};
    const SurfaceVertex& vertex = surface(path);
    if (!vertex.material.isMatte()) return vertex.seenFrom(m_direction[path]).towards(outgoing);
    return {std::max(0.0f, vertex.normal.dot(outgoing)) / pif, Vec3f::Ones()};
}

/// A dark boot needs as many paths as snow: the albedos of surfaces do not count.
void PathWave::roulette(std::vector<int>& ends)
{
    ends.clear();
    for (int i = 0; i < m_count; i += laneCount) {
        const Floats worthwhile =
            m_scene.roulette_factor * m_surfaceAlbedo.lanes(i) * worthwhileThroughput(m_scatterings.lanes(i));
        const Floats x = m_throughput.x.lanes(i), y = m_throughput.y.lanes(i), z = m_throughput.z.lanes(i);
        const Floats value = larger(x, larger(y, z));
        const Ints isWorthwhile = (value > 0.f) & (value >= worthwhile);
        const Ints survives = isWorthwhile | (uniforms(i).first * worthwhile < value);
        const Floats factor = select(isWorthwhile, floats(1), worthwhile / value);
        m_throughput.x.store(i, x * factor);
        m_throughput.y.store(i, y * factor);
        m_throughput.z.store(i, z * factor);
        m_weight.store(i, m_weight.lanes(i) * factor);
        forLanes(lanesInUse(i) & ~bitsOf(survives), [&](int lane) { ends.push_back(i + lane); });
    }
}

void PathWave::drawForScattering()
{
    for (int i = 0; i < m_count; i += laneCount) {
        const Uniforms u = uniforms(i);
        m_u.store(i, u.first);
        m_v.store(i, u.second);
    }
}

void PathWave::chooseDirections()
{
    for (int i = 0; i < m_count; i += laneCount) {
        const Directions incoming = {m_direction.x.lanes(i), m_direction.y.lanes(i), m_direction.z.lanes(i)};
        const Cosines sampled = sampleHenyeyGreenstein(m_scene.medium.g, m_u.lanes(i));
        const Directions outgoing = deflect(incoming, sampled.cosine, m_v.lanes(i));
        m_direction.x.store(i, outgoing.x);
        m_direction.y.store(i, outgoing.y);
        m_direction.z.store(i, outgoing.z);
        m_density.store(i, sampled.density);
        m_roughness.store(i, select(m_onSurface.lanes(i), m_roughness.lanes(i), floats(1)));
        forLanes(atSurfaces(i), [&](int lane) {
            scatterAtSurface(i + lane, {incoming.x[lane], incoming.y[lane], incoming.z[lane]});
        });
        m_depth.store(i, sampleOpticalDepths(uniforms(i).first));
        m_scatterings.store(i, m_scatterings.lanes(i) + 1);
    }
}

/// At matte surfaces by the cosine of the angle to the normal.
void PathWave::scatterAtSurface(int path, const Vec3f& incoming)
{
    m_roughness[path] = std::max(m_roughness[path], surface(path).material.roughness);
    if (!surface(path).material.isMatte()) return scatterAtGloss(path, incoming);
    const float cosine = std::sqrt(1 - m_u[path]);
    m_direction.set(path, deflect(surface(path).normal, cosine, m_v[path]));
    m_density[path] = cosine / pif;
}

void PathWave::scatterAtGloss(int path, const Vec3f& incoming)
{
    const ScatteredRay next = surface(path).seenFrom(incoming).sample({m_u[path], m_v[path]});
    const bool isLost = next.scattering.density <= 0;
    m_direction.set(path, next.direction);
    m_density[path] = isLost ? 1 : next.scattering.density;
    m_throughput.set(path, m_throughput[path].cwiseProduct(next.scattering.tint));
}

Vec2f PathWave::uniform2(int path)
{
    const std::uint64_t word = nextWord(path);
    return {toUnitInterval(static_cast<std::uint32_t>(word >> 32)), toUnitInterval(static_cast<std::uint32_t>(word))};
}

Uniforms PathWave::uniforms(int first)
{
    Words state = m_random.lanes(first);
    const Uniforms result = nextUniforms(state);
    m_random.store(first, state);
    return result;
}

}  // namespace firn
