#include "common/io/progress.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "common/error.h"
#include "common/io/log.h"

namespace firn {
namespace {

constexpr double secondsBetweenLiveLines = 0.1;
constexpr std::size_t framesOfEstimate = 5;

std::size_t terminalWidth()
{
    winsize size{};
    return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 20 ? size.ws_col : 120;
}

std::string percent(double done) { return std::to_string(static_cast<int>(100 * std::clamp(done, 0.0, 1.0))) + "%"; }

}  // namespace

ProgressMode parseProgressMode(const std::string& text)
{
    constexpr std::array names{"auto", "plain", "alf", "json", "none"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (text == names[i]) return static_cast<ProgressMode>(i);
    }
    throw Error(ExitCode::Usage, "--progress '" + clampText(text) + "': expected auto, plain, alf, json or none");
}

std::string formatDuration(double seconds)
{
    const long total = std::lround(std::clamp(seconds, 0.0, 1e9));
    char text[40];
    if (total >= 3600) {
        std::snprintf(text, sizeof text, "%ld:%02ld:%02ld", total / 3600, total / 60 % 60, total % 60);
    } else {
        std::snprintf(text, sizeof text, "%ld:%02ld", total / 60, total % 60);
    }
    return text;
}

std::string formatBytes(double bytes)
{
    constexpr std::array units{"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    for (; bytes >= 999.5 && unit + 1 < units.size(); ++unit) bytes /= 1000;
    char text[40];
    std::snprintf(text, sizeof text, unit > 0 && bytes < 9.95 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
    return text;
}

Progress::Progress(ProgressMode mode, std::ostream& out, bool terminal) : m_mode(mode), m_out(out)
{
    const char* term = std::getenv("TERM");
    const bool dumb = term && std::string(term) == "dumb";
    m_live = mode == ProgressMode::Auto && terminal && !dumb;
    m_color = terminal && !dumb && !std::getenv("NO_COLOR");
    if (mode == ProgressMode::Auto && !m_live) m_mode = ProgressMode::Plain;
    start(0);
}

Progress::Progress(ProgressMode mode) : Progress(mode, std::cerr, ::isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() { clearLine(); }

void Progress::start(double done)
{
    m_marks = {{done, 0}};
    m_sinceStart.restart();
    m_sinceLastLive.reset();
}

double Progress::secondsLeft(double done) const
{
    const Mark& first = m_marks.front();
    if (!(done > first.done)) return -1;
    return (m_sinceStart.seconds() - first.seconds) * (1 - done) / (done - first.done);
}

void Progress::clearLine()
{
    if (!m_lineShown) return;
    m_lineShown = false;
    put("\r\033[K");
}

void Progress::put(const std::string& text)
{
    m_out << text << std::flush;
    m_out.clear();  // an output that cannot be written (full disk, closed pipe) never stops the work
}

void Progress::live(double done, const std::string& text)
{
    if (!m_live || (m_sinceLastLive && m_sinceLastLive->seconds() < secondsBetweenLiveLines)) return;
    m_sinceLastLive.emplace();
    const double left = secondsLeft(done);
    std::string line = percent(done) + "  " + text + (left >= 0 ? "  ETA " + formatDuration(left) : "");
    line.resize(std::min(line.size(), terminalWidth() - 1));
    put("\r\033[K" + (m_color ? "\033[36m" + line + "\033[0m" : line));
    m_lineShown = true;
}

void Progress::frame(double done, const std::string& text, const std::string& json)
{
    clearLine();
    log(LogLevel::Info, text);
    const double left = secondsLeft(done);
    m_marks.push_back({done, m_sinceStart.seconds()});
    if (m_marks.size() > framesOfEstimate) m_marks.pop_front();
    if (m_mode == ProgressMode::None) return;
    if (m_mode == ProgressMode::Alf) return put("ALF_PROGRESS " + percent(done) + "\n");
    if (m_mode == ProgressMode::Json) return put(json + "\n");
    put(text + (left >= 0 && done < 1 ? "  ETA " + formatDuration(left) : "") + "\n");
}

void Progress::skip(double from, double to, const std::string& text)
{
    for (Mark& mark : m_marks) mark.done += to - from;
    if (m_mode != ProgressMode::Json && m_mode != ProgressMode::Alf) return message(text);
    log(LogLevel::Info, text);
    if (m_mode == ProgressMode::Alf) put("ALF_PROGRESS " + percent(to) + "\n");
}

void Progress::plain(const std::string& text)
{
    if (m_mode == ProgressMode::Plain) message(text);
}

void Progress::message(const std::string& text)
{
    if (m_mode != ProgressMode::None) return notice(text);
    log(LogLevel::Info, text);
}

void Progress::notice(const std::string& text)
{
    clearLine();
    log(LogLevel::Info, text);
    put(text + "\n");
}

void Progress::warning(const std::string& text)
{
    if (!m_warnings.insert(text).second) return;
    clearLine();
    log(LogLevel::Warning, text);
    put((m_color ? "\033[33mwarning:\033[0m " : "warning: ") + text + "\n");
}

}  // namespace firn
