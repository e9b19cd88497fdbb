#include "render/lights.h"

#include <algorithm>
#include <utility>

#include "render/environment.h"
#include "render/sun.h"

namespace firn {
namespace {

std::vector<std::shared_ptr<const Light>> makeLights(const std::vector<LightSpec>& specs)
{
    std::shared_ptr<Environment> environment;
    std::vector<std::shared_ptr<const Light>> lights;
    for (const LightSpec& spec : specs) {
        switch (spec.kind) {
            case LightKind::Sun:
                lights.push_back(std::make_shared<Sun>(spec));
                break;
            case LightKind::Constant:
            case LightKind::Sky:
                if (!environment) environment = std::make_shared<Environment>();
                environment->add(spec);
                break;
        }
    }
    if (environment) lights.insert(lights.begin(), environment);
    return lights;
}

}  // namespace

Lights::Lights(const std::vector<LightSpec>& specs) : Lights(makeLights(specs)) {}

Lights::Lights(std::vector<std::shared_ptr<const Light>> lights) : m_all(std::move(lights))
{
    for (const auto& light : m_all) {
        if (light->foundBy() != FoundBy::Scattering) m_sampled.push_back(light.get());
    }
    m_anyInSpace = std::any_of(m_all.begin(), m_all.end(), [](const auto& light) { return !light->isAtInfinity(); });
}

}  // namespace firn
