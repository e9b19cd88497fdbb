#include "common/io/folder_turn.h"

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <memory>
#include <thread>

#include "common/error.h"
#include "tests/temporary_folder.h"

using namespace firn;

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
