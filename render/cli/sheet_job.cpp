#include "render/cli/sheet_job.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <iterator>
#include <optional>
#include <set>

#include "common/cli/program.h"
#include "common/image/resize.h"
#include "common/image/text.h"
#include "common/io/frame_range.h"
#include "common/io/own_file.h"
#include "render/cli/sequences.h"

namespace firn {

namespace {

using Color = std::array<std::uint8_t, 3>;
constexpr Color ground{24, 25, 27}, frameGround{36, 38, 41}, bright{238, 240, 242}, dim{158, 164, 172};
constexpr int margin = 16, gap = 12;  // pixels
constexpr std::int64_t mostPixels = static_cast<std::int64_t>(1) << 28;

struct Cell {
    const PictureFolder* folder;
    int frame;
};

/// The frames to show: those of --frames, or `count` of them, evenly spaced from the first to the last.
std::vector<int> chosenFrames(const std::vector<PictureFolder>& folders, const SheetJob& job)
{
    std::set<int> all;
    for (const PictureFolder& folder : folders) {
        for (const auto& [frame, path] : folder.pictures) all.insert(frame);
    }
    std::vector<int> frames(all.begin(), all.end());
    if (!job.frames.empty()) {
        std::vector<int> wanted = parseFrames(job.frames), missing;
        std::ranges::copy_if(wanted, std::back_inserter(missing), [&](int frame) { return all.count(frame) == 0; });
        std::erase_if(wanted, [&](int frame) { return all.count(frame) == 0; });
        std::ranges::sort(missing);
        if (!wanted.empty()) {
            if (!missing.empty()) warn("warning: no pictures of " + framesText(missing) + ": left out");
            return wanted;
        }
        throw Error(ExitCode::Usage,
                    "--frames " + clampText(job.frames) + ": no such frames; available: " + formatFrames(frames));
    }
    const int count = job.count > 0 ? job.count : folders.size() > 1 ? 6 : 24;
    if (static_cast<int>(frames.size()) <= count) return frames;
    std::vector<int> chosen;
    for (int i = 0; i < count; ++i) {
        const double place = count == 1 ? 1.0 : static_cast<double>(i) / (count - 1);
        chosen.push_back(frames[static_cast<std::size_t>(std::lround(place * static_cast<double>(frames.size() - 1)))]);
    }
    return chosen;
}

std::string frameText(const Cell& cell)
{
    std::string text = "frame " + std::to_string(cell.frame);
    const auto time = cell.folder->time_s.find(cell.frame);
    if (time == cell.folder->time_s.end()) return text;
    char seconds[40];
    std::snprintf(seconds, sizeof seconds, "  %.3f s", time->second);
    return text + seconds;
}

std::string settingsText(const PictureFolder& folder)
{
    std::string text;
    for (const std::string& setting : folder.settings) text += (text.empty() ? "" : "  ") + setting;
    return text;
}

/// The layout of the sheet, and drawing it.
class Sheet {
public:
    Sheet(const std::vector<PictureFolder>& folders, const SheetJob& job)
        : m_isRowPerFolder(false), m_scale(job.width >= 200 ? 2 : 1), m_width(job.width)
    {
        const std::vector<int> frames = chosenFrames(folders, job);
        m_isRowPerFolder = folders.size() > 1 && frames.size() > 1;
        for (const PictureFolder& folder : folders) {
            for (const int frame : frames) m_cells.push_back({&folder, frame});
        }
        const int count = static_cast<int>(m_cells.size());
        const int wished = job.columns > 0 ? job.columns : static_cast<int>(std::ceil(std::sqrt(1.2 * count)));
        m_columns = m_isRowPerFolder ? static_cast<int>(frames.size()) : std::min(wished, count);
        m_rows = (count + m_columns - 1) / m_columns;
        readAll();
        warnOfOtherSizes();
        measure();
    }

    Rgb8Image draw() const
    {
        Rgb8Image sheet{sheetWidth(), sheetHeight(), {}};
        for (std::size_t i = 0; i < static_cast<std::size_t>(sheet.width) * static_cast<std::size_t>(sheet.height);
             ++i) {
            sheet.pixels.insert(sheet.pixels.end(), ground.begin(), ground.end());
        }
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            const int column = static_cast<int>(i) % m_columns, row = static_cast<int>(i) / m_columns;
            const int x = margin + column * (m_width + gap), y = margin + row * rowHeight();
            if (m_isRowPerFolder && column == 0) drawHeading(sheet, *m_cells[i].folder, y);
            drawCell(sheet, i, x, y + m_headingLines * lineHeight());
        }
        return sheet;
    }

private:
    int lineHeight() const { return (textCellHeight + 2) * m_scale; }
    int textColumns(int width) const { return std::max(4, width / (textCellWidth * m_scale)); }
    int rowHeight() const { return (m_headingLines + m_captionLines) * lineHeight() + m_height + rowGap(); }
    int rowGap() const { return m_isRowPerFolder ? 2 * gap : gap; }
    int sheetWidth() const { return 2 * margin + m_columns * m_width + (m_columns - 1) * gap; }
    int sheetHeight() const { return 2 * margin + m_rows * rowHeight() - rowGap(); }

    /// The picture of a cell; null if it is missing.
    static const std::filesystem::path* pathOf(const Cell& cell)
    {
        const auto found = cell.folder->pictures.find(cell.frame);
        return found == cell.folder->pictures.end() ? nullptr : &found->second;
    }

    /// Reads every picture and shrinks it to the size in which it is shown.
    void readAll()
    {
        m_pictures.resize(m_cells.size());
        m_sizes.resize(m_cells.size());
        tbb::parallel_for(static_cast<std::size_t>(0), m_cells.size(), [&](std::size_t i) {
            const std::filesystem::path* const path = pathOf(m_cells[i]);
            if (!path) return;
            const Rgb8Image picture = readPreview(*path);
            m_sizes[i] = {picture.width, picture.height};
            m_pictures[i] = shrunk(picture, fittedSize(picture, m_width, 4 * m_width));
        });
    }

    /// The sheet shows all pictures in one width, so it does not show that their sizes differ.
    void warnOfOtherSizes() const
    {
        const auto text = [&](std::size_t i) {
            return pathOf(m_cells[i])->string() + " has " + std::to_string(m_sizes[i].width) + " x " +
                   std::to_string(m_sizes[i].height) + " pixels";
        };
        std::optional<std::size_t> first;
        for (std::size_t i = 0; i < m_cells.size(); ++i) {
            if (!pathOf(m_cells[i])) continue;
            if (!first) first = i;
            if (m_sizes[i].width == m_sizes[*first].width && m_sizes[i].height == m_sizes[*first].height) continue;
            warn("warning: the pictures have different sizes: " + text(*first) + ", " + text(i));
            return;
        }
    }

    /// The lines below a picture.
    std::vector<std::string> caption(const Cell& cell) const
    {
        std::vector<std::string> lines;
        if (!m_isRowPerFolder) {
            lines = wrapText(cell.folder->title, textColumns(m_width), 2);
            for (const std::string& line : wrapText(settingsText(*cell.folder), textColumns(m_width), 5)) {
                lines.push_back(line);
            }
        }
        for (const std::string& line : wrapText(frameText(cell), textColumns(m_width), 2)) lines.push_back(line);
        return lines;
    }

    void measure()
    {
        int widest = 1;
        for (const Rgb8Image& picture : m_pictures) {
            widest = std::max(widest, picture.width);
            m_height = std::max(m_height, picture.height);
        }
        m_width = std::max(widest, std::min(m_width, 160));
        for (const Cell& cell : m_cells)
            m_captionLines = std::max(m_captionLines, static_cast<int>(caption(cell).size()));
        m_headingLines = m_isRowPerFolder ? 1 : 0;
        if (static_cast<std::int64_t>(sheetWidth()) * sheetHeight() > mostPixels) {
            throw Error(ExitCode::Usage,
                        "the sheet would have " + std::to_string(sheetWidth()) + " x " + std::to_string(sheetHeight()) +
                            " pixels, and at most 2^28 are possible: choose fewer --frames or a smaller --width");
        }
    }

    void drawHeading(Rgb8Image& sheet, const PictureFolder& folder, int y) const
    {
        const int columns = textColumns(sheet.width - 2 * margin);
        const std::string title = wrapText(folder.title, columns, 1).at(0);
        drawText(sheet, margin, y, title, bright, m_scale);
        const int left = columns - static_cast<int>(title.size()) - 2;
        const std::string settings = settingsText(folder);
        if (left < 8 || settings.empty()) return;
        drawText(sheet, margin + (static_cast<int>(title.size()) + 2) * textCellWidth * m_scale, y,
                 wrapText(settings, left, 1).at(0), dim, m_scale);
    }

    void drawCell(Rgb8Image& sheet, std::size_t index, int x, int y) const
    {
        const Rgb8Image& picture = m_pictures[index];
        fill(sheet, x, y);
        for (int v = 0; v < picture.height; ++v) {
            const std::size_t from = static_cast<std::size_t>(v) * static_cast<std::size_t>(picture.width);
            const std::size_t to = static_cast<std::size_t>(y + (m_height - picture.height) / 2 + v) *
                                       static_cast<std::size_t>(sheet.width) +
                                   static_cast<std::size_t>(x + (m_width - picture.width) / 2);
            std::copy_n(picture.pixels.begin() + static_cast<std::ptrdiff_t>(3 * from), 3 * picture.width,
                        sheet.pixels.begin() + static_cast<std::ptrdiff_t>(3 * to));
        }
        if (picture.pixels.empty()) drawText(sheet, x + gap, y + m_height / 2, "missing", dim, m_scale);
        const std::vector<std::string> lines = caption(m_cells[index]);
        int below = y + m_height + 2 * m_scale + 2;
        for (std::size_t i = 0; i < lines.size(); ++i, below += lineHeight()) {
            const bool isTitle = i == 0 && !m_isRowPerFolder && !m_cells[index].folder->title.empty();
            drawText(sheet, x, below, lines[i], isTitle ? bright : dim, m_scale);
        }
    }

    /// Fills the place of a picture, of which a picture of another shape leaves a part free.
    void fill(Rgb8Image& sheet, int x, int y) const
    {
        for (int v = y; v < y + m_height; ++v) {
            for (int u = x; u < x + m_width; ++u) {
                const std::size_t pixel =
                    static_cast<std::size_t>(v) * static_cast<std::size_t>(sheet.width) + static_cast<std::size_t>(u);
                std::copy(frameGround.begin(), frameGround.end(),
                          sheet.pixels.begin() + static_cast<std::ptrdiff_t>(3 * pixel));
            }
        }
    }

    std::vector<Cell> m_cells;
    std::vector<Rgb8Image> m_pictures;  // as shown; empty where missing
    std::vector<PixelSize> m_sizes;     // of the files
    bool m_isRowPerFolder;
    int m_scale, m_width, m_height = 1;  // of a picture's place, pixels
    int m_columns = 1, m_rows = 1;
    int m_headingLines = 0, m_captionLines = 1;
};

}  // namespace

Rgb8Image contactSheet(const std::vector<PictureFolder>& folders, const SheetJob& job)
{
    return Sheet(folders, job).draw();
}

ExitCode makeSheet(const SheetJob& job)
{
    if (job.out.extension() != ".png") {
        throw Error(ExitCode::Usage, "--out " + clampText(job.out.string()) + ": expected the name of a .png");
    }
    requireNoFrameName(job.out);
    requireReplaceable(job.out, "sheet");
    prepareFolder(std::filesystem::absolute(job.out).parent_path());
    const std::vector<PictureFolder> folders = pictureFolders(job.folders);
    for (const PictureFolder& folder : folders) warnOfOthers(folder);
    warnOfUnlikeTakes(folders);
    writeFileChecked(job.out, withComment(encodePng(contactSheet(folders, job)), markOf("sheet")));
    std::cout << job.out.string() << std::endl;
    return ExitCode::Done;
}

}  // namespace firn
