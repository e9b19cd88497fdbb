#include "common/io/folder_turn.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <fstream>
#include <memory>
#include <thread>

#include "common/error.h"
#include "common/io/file_times.h"
#include "tests/temporary_folder.h"

using namespace firn;
namespace fs = std::filesystem;

TEST_CASE("Turns of a folder follow each other, and leave no file")
{
    const TemporaryFolder folder;
    auto turn = std::make_unique<FolderTurn>(folder.path);
    std::atomic<bool> isSecond = false;
    std::thread second([&] {
        const FolderTurn waits(folder.path);
        isSecond = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    CHECK_FALSE(isSecond);
    turn.reset();
    second.join();
    CHECK(isSecond);
    CHECK(std::filesystem::is_empty(folder.path));
    CHECK_THROWS_AS(FolderTurn(folder / "missing"), Error);
}

TEST_CASE("A file that another program writes, makes or removes is known as changed")
{
    const TemporaryFolder folder;
    const fs::path file = folder / "a";
    FileTimes times;
    CHECK_FALSE(times.isChanged(file));  // not remembered
    times.remember(file);
    CHECK_FALSE(times.isChanged(file));
    std::ofstream(file) << "x";
    CHECK(times.isChanged(file));
    times.remember(file);
    CHECK_FALSE(times.isChanged(file));
    fs::last_write_time(file, fs::last_write_time(file) + std::chrono::seconds(1));
    CHECK(times.isChanged(file));
    times.remember(file);
    fs::remove(file);
    CHECK(times.isChanged(file));
}

TEST_CASE("A folder that was moved and made again is another one")
{
    const TemporaryFolder folder;
    fs::create_directory(folder / "a");
    const FolderIdentity before(folder / "a");
    CHECK(before == FolderIdentity(folder / "a"));
    fs::rename(folder / "a", folder / "b");
    CHECK_FALSE(before == FolderIdentity(folder / "a"));
    fs::create_directory(folder / "a");
    CHECK_FALSE(before == FolderIdentity(folder / "a"));
    CHECK(before == FolderIdentity(folder / "b"));
}
