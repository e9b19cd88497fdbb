#pragma once
// A program, its commands and their options, as tables. program.cpp alone includes the library that parses them.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common/error.h"

namespace firn {

/// Where the value of an option goes. bool: a flag. Vectors: an option that may be repeated, or an argument with
/// several values; numbers in a vector are separated by commas.
using OptionTarget = std::variant<bool*, int*, double*, std::string*, std::filesystem::path*, std::optional<int>*,
                                  std::optional<double>*, std::optional<std::uint64_t>*, std::vector<std::string>*,
                                  std::vector<std::filesystem::path>*, std::vector<double>*>;

struct Option {
    std::string name;  // "--frames", or without dashes an argument by its position
    OptionTarget target;
    std::string help;
    std::string value = {};  // what the help calls the value, such as "DIR"; empty: by its type
    bool is_required = false;
    double least = std::numeric_limits<double>::lowest(), greatest = std::numeric_limits<double>::max();  // of numbers
    std::string limits_hint = {};           // added to the message about a number outside them
    std::vector<std::string> choices = {};  // of texts; empty: any
    std::string one_of = {};  // heading in the help; at most one of the options with the same heading may be given
    int most_values = 0;      // of an argument; 0: any number
};

struct Command {
    std::string name;
    std::string description;  // its first line is also shown in the list of commands
    std::vector<Option> options;
    std::function<ExitCode()> run;              // after parsing; throws Error
    std::vector<std::string> log_folders = {};  // of the log without --log-file, as the help says it; empty: no log
    bool is_resumable = false;                  // after a signal; the help then shows Program::signals
};

struct Program {
    std::string name;           // "firn-sim"
    std::string description;    // and examples
    std::string footer;         // of the help
    std::string signals;        // what follows it in the help of commands that are resumable
    std::string memory_advice;  // what needs less memory, told when there is not enough
    std::vector<Command> commands;
};

/// Adds options to the others.
inline void append(std::vector<Option>& options, const std::vector<Option>& more)
{
    options.insert(options.end(), more.begin(), more.end());
}

}  // namespace firn
