#include "common/io/threads.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "tests/temporary_folder.h"

using namespace firn;

namespace {

void put(const std::filesystem::path& path, const std::string& text)
{
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text << '\n';
}

}  // namespace

TEST_CASE("--threads wins over Slurm, and Slurm over what the machine has")
{
    setenv("SLURM_CPUS_PER_TASK", "3", 1);
    CHECK(chooseThreads(5).count == 5);
    CHECK(chooseThreads(0).count == 3);
    CHECK(chooseThreads(0).source == "SLURM_CPUS_PER_TASK");
    setenv("SLURM_CPUS_PER_TASK", "many", 1);
    CHECK(chooseThreads(0).source != "SLURM_CPUS_PER_TASK");
    unsetenv("SLURM_CPUS_PER_TASK");
    CHECK(chooseThreads(0).count >= 1);
}

TEST_CASE("A version 2 control group grants quota over period, rounded up, and the tightest on the way up counts")
{
    TemporaryFolder folder;
    put(folder / "self", "0::/batch/job");
    CHECK_FALSE(cgroupThreads(folder.path, folder / "self"));
    put(folder / "batch/job/cpu.max", "max 100000");
    CHECK_FALSE(cgroupThreads(folder.path, folder / "self"));
    put(folder / "batch/job/cpu.max", "350000 100000");
    CHECK(cgroupThreads(folder.path, folder / "self") == 4);  // 3.5 processors
    put(folder / "batch/cpu.max", "200000 100000");
    CHECK(cgroupThreads(folder.path, folder / "self") == 2);
}

TEST_CASE("A version 1 control group grants quota over period")
{
    TemporaryFolder folder;
    put(folder / "self", "9:name=systemd:/\n4:cpu,cpuacct:/job\n0::/");
    put(folder / "cpu/job/cpu.cfs_period_us", "100000");
    put(folder / "cpu/job/cpu.cfs_quota_us", "-1");
    CHECK_FALSE(cgroupThreads(folder.path, folder / "self"));
    put(folder / "cpu/job/cpu.cfs_quota_us", "50000");
    CHECK(cgroupThreads(folder.path, folder / "self") == 1);  // half a processor: one thread
}

TEST_CASE("Work runs with the number of threads asked for, also where there are fewer processors")
{
    for (const int count : {1, 2, 7}) {
        int found = 0;
        std::atomic<int> running = 0;
        std::atomic<bool> all_run = false;
        runWithThreads(count, [&] {
            found = tbb::this_task_arena::max_concurrency();
            const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
            // Each task holds its thread until as many run at once.
            const auto hold = [&](int) {
                if (++running == count) all_run = true;
                while (!all_run && std::chrono::steady_clock::now() < end)
                    std::this_thread::sleep_for(std::chrono::milliseconds(1));
                --running;
            };
            tbb::parallel_for(0, count, hold, tbb::simple_partitioner());
        });
        CHECK(found == count);
        CHECK(all_run);
    }
}
