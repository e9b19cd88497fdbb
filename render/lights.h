#pragma once
// The lights of a scene as one list, which light sampling and scattered rays go over.

#include <memory>
#include <vector>

#include "common/scene/scene.h"
#include "render/light.h"

namespace firn {

class Lights {
public:
    Lights() = default;
    /// The scene's lights. All skies together are one light.
    explicit Lights(const std::vector<LightSpec>& specs);
    explicit Lights(std::vector<std::shared_ptr<const Light>> lights);

    const std::vector<std::shared_ptr<const Light>>& all() const { return m_all; }
    /// Those that light sampling finds, in the order of all().
    const std::vector<const Light*>& sampled() const { return m_sampled; }
    /// Whether a ray that ends at tMax may meet a light.
    bool mayMeet(float tMax) const { return m_anyInSpace || !(tMax < infinity); }

private:
    std::vector<std::shared_ptr<const Light>> m_all;
    std::vector<const Light*> m_sampled;
    bool m_anyInSpace = false;
};

}  // namespace firn
