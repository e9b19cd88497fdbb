#include "common/scene/sun_position.h"

#include <chrono>
#include <cmath>
#include <cstdio>

namespace firn {

namespace {

constexpr double perDegree = pi / 180;

double sine(double degrees) { return std::sin(degrees * perDegree); }
double cosine(double degrees) { return std::cos(degrees * perDegree); }

/// "Z", "+01:00" or "-05:30" in days; nothing for other texts.
std::optional<double> zoneOf(const std::string& text)
{
    if (text == "Z") return 0;
    int hours = 0, minutes = 0, used = 0;
    if (text.size() != 6 || (text[0] != '+' && text[0] != '-')) return {};
    if (std::sscanf(text.c_str() + 1, "%2d:%2d%n", &hours, &minutes, &used) != 2 || used != 5) return {};
    if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59) return {};
    const double days = (hours + minutes / 60.0) / 24;
    return text[0] == '-' ? -days : days;
}

}  // namespace

Vec3d directionOf(const SunAngles& angles)
{
    const double elevation = angles.elevation_deg * perDegree, azimuth = angles.azimuth_deg * perDegree;
    return {std::cos(elevation) * std::sin(azimuth), std::sin(elevation), std::cos(elevation) * std::cos(azimuth)};
}

std::optional<double> julianDay(const std::string& when)
{
    for (const char c : when)
        if (std::string("0123456789-+:TZ").find(c) == std::string::npos) return {};
    int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0, used = 0, more = 0;
    const int found = std::sscanf(when.c_str(), "%4d-%2d-%2dT%2d:%2d%n", &year, &month, &day, &hour, &minute, &used);
    constexpr int lengthToMinutes = 16;
    if (found != 5 || used != lengthToMinutes) return {};
    std::string rest = when.substr(lengthToMinutes);
    if (std::sscanf(rest.c_str(), ":%2d%n", &second, &more) == 1 && more == 3) rest = rest.substr(3);
    const std::optional<double> zone = zoneOf(rest);
    const std::chrono::year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                                           std::chrono::day(static_cast<unsigned>(day))};
    const bool isTime = hour >= 0 && hour < 24 && minute >= 0 && minute < 60 && second >= 0 && second < 60;
    if (!zone || year < 1 || !date.ok() || !isTime) return {};
    constexpr double epoch = 2440587.5;  // 1970-01-01T00:00Z
    const auto days = std::chrono::sys_days(date).time_since_epoch().count();
    return epoch + static_cast<double>(days) + (hour + (minute + second / 60.0) / 60) / 24 - *zone;
}

SunAngles sunPosition(double julianDay, double latitude_deg, double longitude_deg)
{
    const double d = julianDay - 2451545, t = d / 36525;
    const double meanLongitude = 280.46646 + t * (36000.76983 + t * 0.0003032);
    const double anomaly = 357.52911 + t * (35999.05029 - t * 0.0001537);
    const double center = sine(anomaly) * (1.914602 - t * (0.004817 + t * 0.000014)) +
                          sine(2 * anomaly) * (0.019993 - t * 0.000101) + sine(3 * anomaly) * 0.000289;
    const double node = 125.04 - 1934.136 * t;
    const double longitude = meanLongitude + center - 0.00569 - 0.00478 * sine(node);
    const double obliquity = 23.439291 - t * (0.0130042 + t * 1.6e-7) + 0.00256 * cosine(node);
    const double declination = std::asin(sine(obliquity) * sine(longitude)) / perDegree;
    const double ascension = std::atan2(cosine(obliquity) * sine(longitude), cosine(longitude)) / perDegree;

    const double siderealTime = 280.46061837 + 360.98564736629 * d + t * t * (0.000387933 - t / 38710000);
    const double hourAngle = siderealTime + longitude_deg - ascension;
    const double up =
        sine(latitude_deg) * sine(declination) + cosine(latitude_deg) * cosine(declination) * cosine(hourAngle);
    const double east = -cosine(declination) * sine(hourAngle);
    const double north =
        cosine(latitude_deg) * sine(declination) - sine(latitude_deg) * cosine(declination) * cosine(hourAngle);
    return {std::atan2(up, std::hypot(east, north)) / perDegree, std::atan2(east, north) / perDegree};
}

SunAngles sunAngles(const LightSpec& spec)
{
    const std::optional<double> day = spec.when.empty() ? std::nullopt : julianDay(spec.when);
    if (!day) return {spec.elevation_deg, spec.azimuth_deg};
    const SunAngles compass = sunPosition(*day, spec.latitude_deg, spec.longitude_deg);
    return {compass.elevation_deg, spec.north_deg - compass.azimuth_deg};
}

}  // namespace firn
