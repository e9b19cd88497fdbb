#include "render/sky/direction_table.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace firn {

namespace {

/// The unit vector at a height above the horizontal plane and a column (0 to 1) of the picture.
Vec3f directionAt(float y, float column)
{
    const float r = std::sqrt(std::max(0.0f, 1 - y * y)), longitude = 2 * pif * (column - 0.5f);
    return {r * std::sin(longitude), y, -r * std::cos(longitude)};
}

/// The height of a row's upper edge above the horizontal plane.
double heightOfEdge(int row, int rows) { return std::cos(pi * row / rows); }

}  // namespace

Eigen::Vector2f placeInPicture(const Vec3f& direction)
{
    const float column = 0.5f + std::atan2(direction.x(), -direction.z()) / (2 * pif);
    return {column, std::acos(std::clamp(direction.y(), -1.0f, 1.0f)) / pif};
}

DirectionTable::DirectionTable(int width, int height, std::vector<float> brightness)
    : m_width(width), m_height(height), m_density(std::move(brightness))
{
    std::vector<double> rowCdf(static_cast<std::size_t>(height) + 1);
    m_columnCdf.resize(m_density.size());
    for (int row = 0; row < height; ++row) {
        double sum = 0;
        for (int column = 0; column < width; ++column) sum += static_cast<double>(m_density[cellOf(row, column)]);
        double part = 0;
        for (int column = 0; column < width; ++column) {
            part += static_cast<double>(m_density[cellOf(row, column)]);
            m_columnCdf[cellOf(row, column)] = sum > 0 ? static_cast<float>(part / sum) : 0;
        }
        const double cellSolidAngle = 2 * pi / width * (heightOfEdge(row, height) - heightOfEdge(row + 1, height));
        const auto r = static_cast<std::size_t>(row);
        rowCdf[r + 1] = rowCdf[r] + sum * cellSolidAngle;
    }
    const double total = rowCdf.back();
    if (!(total > 0)) return;
    for (double& value : rowCdf) value /= total;
    for (float& value : m_density) value = static_cast<float>(static_cast<double>(value) / total);
    m_rowCdf = std::move(rowCdf);
}

ChosenDirection DirectionTable::sample(float u, float v) const
{
    const auto above = std::upper_bound(m_rowCdf.begin() + 1, m_rowCdf.end(), static_cast<double>(u));
    const int row = static_cast<int>(above - m_rowCdf.begin()) - 1;
    const auto r = static_cast<std::size_t>(row);
    const auto inRow = static_cast<float>((static_cast<double>(u) - m_rowCdf[r]) / (m_rowCdf[r + 1] - m_rowCdf[r]));
    const auto first = m_columnCdf.begin() + static_cast<std::ptrdiff_t>(cellOf(row, 0));
    const auto column = static_cast<int>(std::upper_bound(first, first + m_width, v) - first);
    const float before = column > 0 ? first[column - 1] : 0;
    const float inColumn = (v - before) / (first[column] - before);
    const auto top = static_cast<float>(heightOfEdge(row, m_height)),
               bottom = static_cast<float>(heightOfEdge(row + 1, m_height));
    const float y = std::clamp(top + (bottom - top) * std::clamp(inRow, 0.0f, 1.0f), -1.0f, 1.0f);
    const float place = (static_cast<float>(column) + std::clamp(inColumn, 0.0f, 1.0f)) / static_cast<float>(m_width);
    return {directionAt(y, place), m_density[cellOf(row, column)]};
}

float DirectionTable::density(const Vec3f& direction) const
{
    const Eigen::Vector2f place = placeInPicture(direction);
    const int column = std::clamp(static_cast<int>(place.x() * static_cast<float>(m_width)), 0, m_width - 1);
    const int row = std::clamp(static_cast<int>(place.y() * static_cast<float>(m_height)), 0, m_height - 1);
    return m_density[cellOf(row, column)];
}

Vec3f DirectionTable::mean() const
{
    Vec3d sum = Vec3d::Zero();
    for (int row = 0; row < m_height; ++row) {
        const double top = heightOfEdge(row, m_height), bottom = heightOfEdge(row + 1, m_height);
        const double solidAngle = 2 * pi / m_width * (top - bottom);
        for (int column = 0; column < m_width; ++column) {
            const float density = m_density[cellOf(row, column)];
            if (density <= 0) continue;
            const float middle = (static_cast<float>(column) + 0.5f) / static_cast<float>(m_width);
            sum += static_cast<double>(density) * solidAngle *
                   directionAt(static_cast<float>(0.5 * (top + bottom)), middle).cast<double>();
        }
    }
    return sum.cast<float>();
}

}  // namespace firn
