#pragma once
// How many threads a run may use, and running it with that number.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace firn {

struct ThreadCount {
    int count = 1;
    std::string source;  // "--threads", "SLURM_CPUS_PER_TASK", "cgroup limit", "processors"
};

/// `requested` if positive, otherwise SLURM_CPUS_PER_TASK, otherwise the smaller of the control group's limit and the
/// processors that this process may run on.
ThreadCount chooseThreads(int requested);

/// Processors granted by control groups (version 2 or 1), rounded up; nothing when unlimited.
std::optional<int> cgroupThreads(const std::filesystem::path& root = "/sys/fs/cgroup",
                                 const std::filesystem::path& membership = "/proc/self/cgroup");

/// Runs `work` with TBB using exactly `count` threads, also more than there are processors.
void runWithThreads(int count, const std::function<void()>& work);

}  // namespace firn
