#include <catch2/catch.hpp>

#include <limits>

#include "common/error.h"
#include "common/image/view.h"

using namespace firn;

TEST_CASE("The sRGB encoding meets the values of IEC 61966-2-1")
{
    CHECK(srgbEncode(0) == 0);
    CHECK(srgbEncode(1) == Approx(1));
    CHECK(srgbEncode(0.0031308f) == Approx(0.04045).margin(1e-5));   // where the straight part ends
    CHECK(srgbEncode(0.2158605f) == Approx(0.501961).margin(1e-5));  // 8-bit 128
}

TEST_CASE("The filmic curve keeps highlights apart that sRGB clips")
{
    // x (2.51 x + .03) / (x (2.43 x + .59) + .14): 2.54 / 3.16 at 1, 10.1 / 11.04 at 2.
    CHECK(toneCurve(View::Filmic, 1) == Approx(2.54 / 3.16));
    CHECK(toneCurve(View::Filmic, 2) == Approx(10.1 / 11.04));
    CHECK(toneCurve(View::Srgb, 2) == 1);
    float last = 0;
    for (int i = 0; i < 140; ++i) {
        const float x = 0.01f + 0.05f * static_cast<float>(i);  // to 7
        CHECK(toneCurve(View::Filmic, x) > last);
        last = toneCurve(View::Filmic, x);
    }
    CHECK(toneCurve(View::Filmic, 1e30f) == 1);
    CHECK(toneCurve(View::Filmic, -1) == 0);
    CHECK(toneCurve(View::Filmic, std::numeric_limits<float>::quiet_NaN()) == 0);
}

TEST_CASE("Exposure is in stops")
{
    // 0.25 two stops up is 1, which sRGB shows as 255; one stop up is 0.5: 255 (1.055 * 0.5^(1/2.4) - 0.055) = 187.5.
    Image image(1, 1);
    for (const char* name : {"R", "G", "B"}) image.add(name).pixels = {0.25f};
    CHECK(displayImage(image, View::Srgb, 2).pixels == std::vector<std::uint8_t>{255, 255, 255});
    CHECK(displayImage(image, View::Srgb, 1).pixels == std::vector<std::uint8_t>{188, 188, 188});
}

TEST_CASE("An unknown view names the known ones")
{
    CHECK_THROWS_WITH(viewByName("agx"), Catch::Contains("agx") && Catch::Contains("filmic"));
}
