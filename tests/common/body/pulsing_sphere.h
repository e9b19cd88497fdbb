#pragma once
// A body piece that deforms: a ball whose radius swings. It is sticky below its centre and without friction above.
// Every point of it moves radially, in proportion to its distance from the centre.

#include <cmath>

#include "common/body/body_piece.h"
#include "common/body/shapes.h"

namespace firn {

class PulsingSphere final : public BodyPiece {
public:
    PulsingSphere(const Vec3d& center, double mean_m, double amplitude_m)
        : m_center(center), m_mean(mean_m), m_amplitude(amplitude_m)
    {
    }

    static constexpr double omega = 5;  // rad/s

    double radius(double time_s) const { return m_mean + m_amplitude * std::sin(omega * time_s); }

    bool isStatic() const override { return false; }

    std::unique_ptr<const PlacedPiece> place(double start_s, double length_s) const override
    {
        return std::make_unique<Placed>(m_center, radius(start_s), radius(start_s + length_s), length_s);
    }

    double maxSpeed(double time_s) const override
    {
        return std::abs(m_amplitude * omega * std::cos(omega * time_s)) + m_amplitude * omega * omega * 1e-3;
    }

    Box3d bounds(double, double) const override
    {
        const Vec3d half = Vec3d::Constant(m_mean + m_amplitude);
        return {m_center - half, m_center + half};
    }

    PieceSurface surface(double time_s) const override
    {
        return PosedMesh{std::make_shared<const TriangleMesh>(makeSphere(radius(time_s))->mesh()),
                         {Quatd::Identity(), m_center}};
    }

private:
    class Placed final : public PlacedPiece {
    public:
        Placed(const Vec3d& center, double start_m, double end_m, double length_s)
            : m_center(center), m_start(start_m), m_end(end_m), m_length_s(length_s)
        {
        }

        double distance(const Vec3d& point, Vec3d& normal) const override
        {
            const Vec3d out = point - m_center;
            normal = out.norm() > 0 ? Vec3d(out.normalized()) : Vec3d::UnitY();
            return out.norm() - m_end;
        }
        Vec3d velocity(const Vec3d& point) const override
        {
            if (m_length_s == 0) return Vec3d::Zero();
            return (point - m_center) * (1 - m_start / m_end) / m_length_s;
        }
        Friction friction(const Vec3d& point, const Vec3d&) const override { return {0, point.y() < m_center.y()}; }
        bool mayTouch(const Vec3d& center, double radius_m) const override
        {
            return (center - m_center).norm() <= m_end + radius_m;
        }

    private:
        Vec3d m_center;
        double m_start, m_end, m_length_s;
    };

    Vec3d m_center;
    double m_mean, m_amplitude;
};

}  // namespace firn
