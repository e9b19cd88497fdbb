#include "common/io/stopwatch.h"

#include <catch2/catch.hpp>
#include <thread>

using namespace firn;

TEST_CASE("A stopwatch counts from its last restart, and a timed scope adds to what its counter holds")
{
    Stopwatch watch;
    double counter = 1;
    {
        const Timed timed(counter);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    CHECK(counter >= 1.02);
    const double before = watch.seconds();
    CHECK(before >= 0.02);
    watch.restart();
    CHECK(watch.seconds() < before);
}
