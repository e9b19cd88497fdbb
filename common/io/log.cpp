#include "common/io/log.h"

#include <fcntl.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/rotating_file_sink.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdio>
#include <memory>
#include <mutex>
#include <stdexcept>

#include "common/error.h"
#include "common/io/checked_file.h"
#include "common/io/own_file.h"

namespace firn {
namespace {

namespace fs = std::filesystem;

constexpr const char* firstLine = "Log of Firn\n";
constexpr const char* lineForm = "%Y-%m-%d %H:%M:%S.%e  %P  %-7l  %v";  // time, process, level, text
constexpr std::size_t filesKept = 1;                                    // besides the one that is written

std::mutex mutex;                        // guards `logger`
std::shared_ptr<spdlog::logger> logger;  // null while no log is open
std::atomic<bool> hasFailed = false;     // the open log could not be written

spdlog::level::level_enum spdlogLevel(LogLevel level)
{
    constexpr std::array levels{spdlog::level::debug, spdlog::level::info, spdlog::level::warn, spdlog::level::err,
                                spdlog::level::off};
    return levels[static_cast<std::size_t>(level)];
}

std::shared_ptr<spdlog::logger> current()
{
    const std::lock_guard lock(mutex);
    return logger;
}

void tellFailure(const std::string& path, const std::string& reason)
{
    if (hasFailed.exchange(true)) return;
    std::fprintf(stderr, "warning: cannot write the log %s (%s); the program continues without it\n", path.c_str(),
                 clampText(reason).c_str());
}

/// Whether the file can become or continue a log.
bool isFree(const fs::path& path)
{
    std::error_code error;
    return !fs::exists(path, error) || !fs::is_regular_file(path, error) || fs::file_size(path, error) == 0 ||
           beginsWith(path, firstLine);
}

fs::path rotatedPath(const fs::path& path)
{
    return path.parent_path() / (path.stem().string() + ".1" + path.extension().string());
}

/// Opening a pipe that no program reads would wait for ever.
void requireReader(const fs::path& pipe)
{
    const int fd = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0) throw std::runtime_error("no program reads the pipe");
    ::close(fd);
}

spdlog::sink_ptr makeSink(const fs::path& path)
{
    // Devices and pipes are neither renamed nor marked.
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
        if (fs::is_fifo(path, error)) requireReader(path);
        return std::make_shared<spdlog::sinks::basic_file_sink_mt>(path.string());
    }
    spdlog::file_event_handlers handlers;
    handlers.after_open = [](const spdlog::filename_t&, std::FILE* file) {
        if (std::fseek(file, 0, SEEK_END) == 0 && std::ftell(file) == 0) std::fputs(firstLine, file);
    };
    return std::make_shared<spdlog::sinks::rotating_file_sink_mt>(path.string(), logBytes, filesKept, false, handlers);
}

}  // namespace

LogLevel parseLogLevel(const std::string& text)
{
    constexpr std::array names{"debug", "info", "warning", "error", "off"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (text == names[i]) return static_cast<LogLevel>(i);
    }
    throw Error(ExitCode::Usage, "--log-level '" + clampText(text) + "': expected debug, info, warning, error or off");
}

void openLog(const fs::path& path, LogLevel level)
{
    closeLog();
    if (level == LogLevel::Off) return;
    hasFailed = false;
    try {
        for (const fs::path& file : {path, rotatedPath(path)}) {
            if (!isFree(file)) return tellFailure(file.string(), "it " + std::string(foreignText));
        }
        const auto opened = std::make_shared<spdlog::logger>("firn", makeSink(path));
        opened->set_level(spdlogLevel(level));
        opened->set_pattern(lineForm);
        opened->flush_on(spdlog::level::trace);
        opened->set_error_handler([name = path.string()](const std::string& reason) { tellFailure(name, reason); });
        const std::lock_guard lock(mutex);
        logger = opened;
    } catch (const std::exception& error) {
        tellFailure(path.string(), error.what());
    }
}

bool isLogged(LogLevel level)
{
    const auto open = current();
    return open && !hasFailed && open->should_log(spdlogLevel(level));
}

void log(LogLevel level, const std::string& text)
{
    if (!isLogged(level)) return;
    if (const auto open = current()) open->log(spdlogLevel(level), text);
}

void closeLog()
{
    const std::lock_guard lock(mutex);
    logger.reset();
}

}  // namespace firn
