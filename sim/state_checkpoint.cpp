// What a checkpoint holds of the solver's state.

#include <cstring>
#include <nlohmann/json.hpp>
#include <span>

#include "common/error.h"
#include "common/io/json.h"
#include "sim/state.h"

namespace firn {

namespace {

using nlohmann::json;

/// Calls f(name, member) for all members that the header holds.
template <class State, class F>
void forEachMember(State& state, F&& f)
{
    f("frame", state.frame);
    f("time_in_frame_s", state.time_in_frame);
    f("steps", state.steps);
    f("max_speed_m_s", state.max_speed);
    f("max_wave_speed_m_s", state.max_wave_speed);
    f("implicit", state.implicit);
    f("iterations_per_courant", state.iterations_per_courant);
    f("limits", state.limits);
    auto& s = state.stats;
    f("stats.frame", s.frame);
    f("stats.time_s", s.time_s);
    f("stats.substeps", s.substeps);
    f("stats.dt_min_s", s.dt_min_s);
    f("stats.dt_max_s", s.dt_max_s);
    f("stats.dt_limit", s.dt_limit);
    f("stats.integrator", s.integrator);
    f("stats.integrator_reason", s.integrator_reason);
    f("stats.particles", s.particles);
    f("stats.sleeping", s.sleeping);
    f("stats.frozen", s.frozen);
    f("stats.leaves", s.leaves);
    f("stats.cr_iterations", s.cr_iterations);
    f("stats.cr_failures", s.cr_failures);
    f("stats.rollbacks", s.rollbacks);
    f("stats.seconds", s.seconds);
    f("stats.mass_kg", s.mass_kg);
    for (int a = 0; a < 3; ++a) f("stats.momentum." + std::to_string(a), s.momentum[a]);
    f("stats.max_speed_m_s", s.max_speed_m_s);
}

Error bad(const std::string& what) { return Error(ExitCode::File, "checkpoint: " + what); }

Error badHeader(const json::exception& error)
{
    return bad("this version cannot read the header: " + clampText(error.what()));
}

json readHeader(const Checkpoint& checkpoint, SolverState& state)
{
    try {
        json header = parseJson(checkpoint.header);
        forEachMember(state, [&](const std::string& name, auto& member) { header.at(name).get_to(member); });
        return header;
    } catch (const json::exception& error) {
        throw badHeader(error);
    }
}

std::size_t countIn(const json& header, const char* particles)
{
    try {
        return header.at(particles).get<std::size_t>();
    } catch (const json::exception& error) {
        throw badHeader(error);
    }
}

}  // namespace

CheckpointView checkpointView(const Particles& awake, const Particles& asleep, const Particles& frozen,
                              const SolverState& state)
{
    json header{{"particles", awake.size()}, {"sleeping", asleep.size()}, {"frozen", frozen.size()}};
    forEachMember(state, [&](const std::string& name, const auto& member) { header[name] = member; });
    CheckpointView view{jsonText(header), {}};
    const auto add = [&](const std::string& prefix, const Particles& particles) {
        Particles::forEachColumn(particles, [&](const std::string& name, const auto& column) {
            view.blocks.emplace_back(prefix + name, std::as_bytes(std::span(column)));
        });
    };
    add("", awake);
    if (asleep.size() > 0) add("sleeping.", asleep);
    if (frozen.size() > 0) add("frozen.", frozen);
    return view;
}

bool isWithinFrame(const Checkpoint& checkpoint)
{
    SolverState state;
    readHeader(checkpoint, state);
    return state.time_in_frame > 0;
}

void restore(const Checkpoint& checkpoint, Particles& awake, Particles& asleep, Particles& frozen, SolverState& state)
{
    const auto read = [&](const std::string& prefix, std::size_t count, Particles& particles) {
        if (count == 0) return;
        Particles::forEachColumn(particles, [&](const std::string& name, auto& column) {
            const auto block = checkpoint.blocks.find(prefix + name);
            if (block == checkpoint.blocks.end()) throw bad("block '" + prefix + name + "' is missing");
            const std::size_t expected = count * sizeof(column[0]);
            if (block->second.size() != expected)
                throw bad("block '" + prefix + name + "' has " + std::to_string(block->second.size()) +
                          " bytes, expected " + std::to_string(expected));
            column.resize(count);
            std::memcpy(column.data(), block->second.data(), expected);
        });
    };
    const json header = readHeader(checkpoint, state);
    read("", countIn(header, "particles"), awake);
    read("sleeping.", countIn(header, "sleeping"), asleep);
    read("frozen.", countIn(header, "frozen"), frozen);
}

}  // namespace firn
