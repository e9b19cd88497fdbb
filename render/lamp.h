#pragma once

#include "render/light.h"

namespace firn {

/// A light at a place.
class Lamp : public Light {
public:
    Lamp(const Vec3f& center, bool isVisible) : m_center(center), m_isVisible(isVisible) {}

    bool isAtInfinity() const final { return false; }
    bool isVisible() const final { return m_isVisible; }
    std::optional<LightMiddle> middle(const Vec3f& from) const final
    {
        const Vec3f offset = m_center - from;
        const float distance = offset.norm();
        return distance > 0 ? LightMiddle{offset / distance, distance} : LightMiddle{Vec3f::UnitY(), 0};
    }

protected:
    const Vec3f& center() const { return m_center; }

private:
    Vec3f m_center;
    bool m_isVisible;
};

}  // namespace firn
