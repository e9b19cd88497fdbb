#include <stdexcept>

#include "common/body/motion.h"
#include "common/body/shapes.h"
#include "common/error.h"

namespace firn {
namespace {

[[noreturn]] void refuse(const Scene& scene, const BodySpec& spec, const std::string& what)
{
    throw Error(ExitCode::Usage, scene.file.string() + ": body \"" + clampText(spec.name) + "\": " + what);
}

void requirePositive(const Scene& scene, const BodySpec& spec, const char* key, double value)
{
    if (!(value > 0)) refuse(scene, spec, std::string(key) + " = " + std::to_string(value) + "; expected more than 0");
}

std::shared_ptr<const Shape> makeShape(const Scene& scene, const BodySpec& spec)
{
    switch (spec.shape) {
        case BodyShape::Plane:
            requirePositive(scene, spec, "length of normal", spec.normal.norm());
            return makePlane(spec.normal);
        case BodyShape::Box:
            requirePositive(scene, spec, "size", spec.size.minCoeff());
            if (spec.rounding_m > 0.5 * spec.size.minCoeff())
                refuse(scene, spec,
                       "rounding_m = " + std::to_string(spec.rounding_m) +
                           "; expected at most half the shortest edge, " + std::to_string(0.5 * spec.size.minCoeff()));
            return makeBox(spec.size, spec.rounding_m);
        case BodyShape::Sphere:
            requirePositive(scene, spec, "radius_m", spec.radius_m);
            return makeSphere(spec.radius_m);
        case BodyShape::Capsule:
            requirePositive(scene, spec, "radius_m", spec.radius_m);
            if (!(spec.length_m >= 0)) refuse(scene, spec, "length_m is negative");
            return makeCapsule(spec.radius_m, spec.length_m);
        default:
            refuse(scene, spec, "this shape is not known");
    }
}

std::shared_ptr<const Motion> makeMotion(const Scene& scene, const BodySpec& spec)
{
    if (spec.keys.empty()) return makeStaticMotion({rotationFromEuler(spec.rotation_deg), spec.position});
    try {
        return makeKeyframeMotion(spec.keys);
    } catch (const std::invalid_argument& error) {
        refuse(scene, spec, error.what());
    }
}

}  // namespace

std::vector<Body> makeBodies(const Scene& scene)
{
    std::vector<Body> bodies;
    for (const BodySpec& spec : scene.bodies) {
        Body body{spec.name, spec.friction, spec.sticky, spec.visible, spec.color, {}};
        body.pieces.push_back({spec.name, makeShape(scene, spec), makeMotion(scene, spec)});
        bodies.push_back(std::move(body));
    }
    return bodies;
}

}  // namespace firn
