#pragma once
// Progress on stderr, for people, farms and scripts: on a terminal one live line, elsewhere a line per frame. What
// stays on the screen is also written to the log (log.h).

#include <deque>
#include <optional>
#include <ostream>
#include <set>
#include <string>

#include "common/io/stopwatch.h"

namespace firn {

enum class ProgressMode { Auto, Plain, Alf, Json, None };

/// "auto", "plain", "alf", "json" or "none". Throws Error(Usage).
ProgressMode parseProgressMode(const std::string& text);

/// "1:02:03", "4:05" (minutes and seconds).
std::string formatDuration(double seconds);

/// "1.4 GB", "312 MB"; decimal units.
std::string formatBytes(double bytes);

class Progress {
public:
    /// `terminal`: whether `out` is a terminal. With one, Auto means a live line, otherwise Plain. Terminals have
    /// colour unless NO_COLOR is set. With TERM=dumb there is neither live line nor colour.
    Progress(ProgressMode mode, std::ostream& out, bool terminal);
    /// The same on stderr.
    explicit Progress(ProgressMode mode);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    /// `done`: the share of the work, 0 to 1, that was done before this run. The time left is estimated from the last
    /// five frames.
    void start(double done);
    /// Updates the live line, at most ten times a second; does nothing where there is none.
    void live(double done, const std::string& text);
    /// A frame is done: prints a plain line, ALF_PROGRESS, or `json` (an object) as a line.
    void frame(double done, const std::string& text, const std::string& json);
    /// Counts the work between two shares as done without computing. Prints a line without the time left, or
    /// ALF_PROGRESS; nothing in the modes Json and None.
    void skip(double from, double to, const std::string& text);
    /// Prints a line in mode Plain only. In the other modes the live line shows the same, or it is not wanted.
    void plain(const std::string& text);
    /// Prints a message that stays, above the live line. Not in mode None.
    void message(const std::string& text);
    /// Like message(), but in every mode. For the outcome of something that a warning has announced.
    void notice(const std::string& text);
    /// Prints a warning, in every mode; the same text only once.
    void warning(const std::string& text);

    /// Estimated seconds left when the share `done` is done; negative while unknown.
    double secondsLeft(double done) const;

private:
    void clearLine();
    void put(const std::string& text);

    ProgressMode m_mode;
    std::ostream& m_out;
    bool m_live = false;
    bool m_color = false;
    bool m_lineShown = false;
    std::set<std::string> m_warnings;  // that were printed
    struct Mark {
        double done, seconds;  // share of the work; since the start
    };
    std::deque<Mark> m_marks;  // the start and ends of frames, as many as the time left is estimated from
    Stopwatch m_sinceStart;
    std::optional<Stopwatch> m_sinceLastLive;
};

}  // namespace firn
