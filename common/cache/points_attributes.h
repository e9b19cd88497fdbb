#pragma once
// The attributes of a points file, declared once for writing and reading. See points_file.h.

#include <openvdb/points/PointDataGrid.h>

#include <cmath>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include "common/cache/particle_frame.h"

// The OpenVDB library registers these classes and so contains their members. Compiling them here too would take three
// times as long as the rest of the file.
#ifndef __clang__  // clang does not find some of the members in the library, such as those that return std::string
extern template class openvdb::Grid<openvdb::points::PointDataTree>;
extern template class openvdb::tree::Tree<openvdb::points::PointDataTree::RootNodeType>;
extern template class openvdb::points::TypedAttributeArray<openvdb::Vec3f, openvdb::points::TruncateCodec>;
extern template class openvdb::points::TypedAttributeArray<openvdb::Vec3f, openvdb::points::NullCodec>;
extern template class openvdb::points::TypedAttributeArray<float, openvdb::points::NullCodec>;
extern template class openvdb::points::TypedAttributeArray<std::int32_t, openvdb::points::NullCodec>;
extern template class openvdb::points::TypedAttributeArray<
    openvdb::Vec3f, openvdb::points::FixedPointCodec<false, openvdb::points::PositionRange>>;
#endif

namespace firn::points_file {

namespace points = openvdb::points;
using Leaf = points::PointDataTree::LeafNodeType;
using PositionCodec = points::FixedPointCodec</*one byte*/ false, points::PositionRange>;
using Half = points::TruncateCodec;

inline openvdb::Vec3f vdb(const Vec3f& v) { return {v.x(), v.y(), v.z()}; }
inline Vec3f eigen(const openvdb::Vec3f& v) { return {v.x(), v.y(), v.z()}; }

/// One attribute other than P: its name, its value for particle i, and how to store a value that was read (null: it is
/// derived from others and not read).
template <class ValueType, class CodecType = points::NullCodec>
struct Attribute {
    using Value = ValueType;
    using Codec = CodecType;
    using Array = points::TypedAttributeArray<Value, Codec>;
    const char* name;
    Value (*get)(const ParticleFrame&, std::size_t);
    void (*set)(ParticleFrame&, std::size_t, Value);
};

template <int row>
constexpr Attribute<openvdb::Vec3f, Half> elasticRow(const char* name)
{
    return {name, [](const ParticleFrame& f, std::size_t i) { return vdb(f.F_E[i].row(row).transpose()); },
            [](ParticleFrame& f, std::size_t i, openvdb::Vec3f v) { f.F_E[i].row(row) = eigen(v).transpose(); }};
}

template <auto member>
constexpr auto scalar(const char* name)
{
    return Attribute<float>{name, [](const ParticleFrame& f, std::size_t i) { return (f.*member)[i]; },
                            [](ParticleFrame& f, std::size_t i, float v) { (f.*member)[i] = v; }};
}

template <auto member>
constexpr auto integer(const char* name)
{
    using Member = typename std::decay_t<decltype(std::declval<ParticleFrame>().*member)>::value_type;
    return Attribute<std::int32_t>{
        name, [](const ParticleFrame& f, std::size_t i) { return static_cast<std::int32_t>((f.*member)[i]); },
        [](ParticleFrame& f, std::size_t i, std::int32_t v) { (f.*member)[i] = static_cast<Member>(v); }};
}

inline constexpr auto attributes = std::make_tuple(
    Attribute<openvdb::Vec3f, Half>{
        "v", [](const ParticleFrame& f, std::size_t i) { return vdb(f.velocity_m_s[i]); },
        [](ParticleFrame& f, std::size_t i, openvdb::Vec3f v) { f.velocity_m_s[i] = eigen(v); }},
    elasticRow<0>("F_E0"), elasticRow<1>("F_E1"), elasticRow<2>("F_E2"), scalar<&ParticleFrame::J_P>("Jp"),
    scalar<&ParticleFrame::mass_kg>("mass"), scalar<&ParticleFrame::volume0_m3>("vol0"),
    integer<&ParticleFrame::id>("id"), integer<&ParticleFrame::material>("material"),
    integer<&ParticleFrame::state>("state"),
    Attribute<float>{"pscale",
                     [](const ParticleFrame& f, std::size_t i) {
                         return std::cbrt(3 * f.volume0_m3[i] / static_cast<float>(4 * pi));
                     },
                     nullptr},
    Attribute<openvdb::Vec3f>{"Cd", [](const ParticleFrame&, std::size_t) { return openvdb::Vec3f(0.9f, 0.95f, 1.0f); },
                              nullptr});

/// Calls f with every attribute but P.
template <class F>
void forEachAttribute(F&& f)
{
    std::apply([&](const auto&... attribute) { (f(attribute), ...); }, attributes);
}

}  // namespace firn::points_file
