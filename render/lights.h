#pragma once
// The lights of a frame as one list, which light sampling and scattered rays go over, and how a scene's lights become
// such lists.

#include <memory>
#include <string>
#include <vector>

#include "common/body/motion.h"
#include "common/scene/scene.h"
#include "render/light.h"
#include "render/light_groups.h"
#include "render/sky/sky_map.h"

namespace firn {

class Lights {
public:
    Lights() = default;
    /// Lights that no body carries, as LightRig makes them.
    explicit Lights(const std::vector<LightSpec>& specs);
    explicit Lights(const std::vector<std::shared_ptr<const Light>>& lights);
    /// `groups`: the group of each light, in 0 .. groupCount - 1.
    Lights(std::vector<std::shared_ptr<const Light>> lights, std::vector<int> groups, int groupCount);

    const std::vector<std::shared_ptr<const Light>>& all() const { return m_all; }
    /// Those that light sampling finds, in the order of all().
    const std::vector<const Light*>& sampled() const { return m_sampled; }

    /// 1 where no light has a group: then all of them are in group 0.
    int groupCount() const { return m_groupCount; }
    bool hasGroups() const { return m_groupCount > 1; }
    /// The group of each of all(), and of each of sampled().
    int groupOf(std::size_t ofAll) const { return m_groups[ofAll]; }
    int groupOfSampled(std::size_t ofSampled) const { return m_sampledGroups[ofSampled]; }
    /// Whether a ray that ends at tMax may meet a light.
    bool mayMeet(float tMax) const { return m_anyInSpace || !(tMax < infinity); }

private:
    std::vector<std::shared_ptr<const Light>> m_all;
    std::vector<const Light*> m_sampled;
    std::vector<int> m_groups, m_sampledGroups;
    int m_groupCount = 1;
    bool m_anyInSpace = false;
};

class LightRig {
public:
    /// Lights that no body carries. Reads the files of environments. Throws Error: File if one cannot be read, Usage
    /// for wrong content.
    explicit LightRig(const std::vector<LightSpec>& specs);
    /// The lights of a scene. Throws also if a light's parent has no such node.
    explicit LightRig(const Scene& scene);

    /// The names of Lights::sampled(), in order; empty for lights that are switched off.
    std::vector<std::string> sampledNames() const;

    /// A lamp of the scene, and the pose of what carries it.
    struct PlacedLamp {
        LightSpec spec;
        Pose carrier;
    };
    std::vector<PlacedLamp> lampsAt(double time_s) const;

    /// The lights at a time. Skies come first; all skies of colours of a group together are one light.
    Lights at(double time_s) const;

private:
    struct AtInfinity {
        std::string name;
        std::shared_ptr<const Light> light;
        int group;
    };
    struct InSpace {
        LightSpec spec;
        std::shared_ptr<const Motion> carrier;  // null = none
    };

    void addGradients(const std::vector<LightSpec>& specs);
    void add(const LightSpec& spec, std::shared_ptr<const Motion> carrier);
    void addMap(const LightSpec& spec, SkyMap map, const Vec3f& color);
    void addEnvironment(const LightSpec& spec);
    void addDaylight(const LightSpec& spec);

    void addAtInfinity(const LightSpec& spec, std::shared_ptr<const Light> light);

    std::vector<std::string> m_groups;  // lightGroups()
    std::vector<AtInfinity> m_atInfinity;
    std::vector<InSpace> m_lamps;
};

}  // namespace firn
