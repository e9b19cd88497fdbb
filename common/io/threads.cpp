#include "common/io/threads.h"

#include <sched.h>
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <thread>

namespace firn {
namespace {

namespace fs = std::filesystem;

int usableProcessors()
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string firstLine(const fs::path& path)
{
    std::ifstream in(path);
    std::string line;
    std::getline(in, line);
    return line;
}

/// quota / period in microseconds of processor time; "max" and -1 mean unlimited.
std::optional<int> processors(const std::string& quota, const std::string& period)
{
    const double q = std::atof(quota.c_str()), p = std::atof(period.c_str());
    if (!(q > 0) || !(p > 0)) return std::nullopt;
    return std::max(1, static_cast<int>(std::min(std::ceil(q / p), 1e6)));
}

std::optional<int> limitOfGroup(const fs::path& group, bool version2)
{
    if (!version2) return processors(firstLine(group / "cpu.cfs_quota_us"), firstLine(group / "cpu.cfs_period_us"));
    std::istringstream words(firstLine(group / "cpu.max"));
    std::string quota, period;
    words >> quota >> period;
    return processors(quota, period);
}

/// The smallest limit on the way from `group` up to `root`.
std::optional<int> limitAlong(const fs::path& root, const fs::path& group, bool version2)
{
    std::optional<int> least;
    for (fs::path relative = group.relative_path();; relative = relative.parent_path()) {
        const std::optional<int> limit = limitOfGroup(root / relative, version2);
        if (limit) least = std::min(*limit, least.value_or(*limit));
        if (relative.empty()) return least;
    }
}

}  // namespace

std::optional<int> cgroupThreads(const fs::path& root, const fs::path& membership)
{
    std::optional<int> least;
    std::ifstream in(membership);
    for (std::string line; std::getline(in, line);) {  // hierarchy:controllers:/path
        const std::size_t first = line.find(':'), second = line.find(':', first + 1);
        if (first == std::string::npos || second == std::string::npos) continue;
        const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
        const bool version2 = controllers == ",,";
        if (!version2 && controllers.find(",cpu,") == std::string::npos) continue;
        const auto limit = limitAlong(version2 ? root : root / "cpu", line.substr(second + 1), version2);
        if (limit) least = std::min(*limit, least.value_or(*limit));
    }
    return least;
}

ThreadCount chooseThreads(int requested)
{
    if (requested > 0) return {requested, "--threads"};
    if (const char* text = std::getenv("SLURM_CPUS_PER_TASK")) {
        int count = 0;
        const std::string_view view(text);
        const auto [end, error] = std::from_chars(view.data(), view.data() + view.size(), count);
        if (error == std::errc() && end == view.data() + view.size() && count > 0) {
            return {count, "SLURM_CPUS_PER_TASK"};
        }
    }
    const int processors = usableProcessors();
    const std::optional<int> limit = cgroupThreads();
    if (limit && *limit < processors) return {*limit, "cgroup limit"};
    return {processors, "processors"};
}

void runWithThreads(int count, const std::function<void()>& work)
{
    const tbb::global_control control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(count));
    tbb::task_arena arena(count);
    arena.execute(work);
}

}  // namespace firn
