#include "common/cli/program.h"

#include <poll.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <new>
#include <system_error>

#include "common/cli/commit.h"
#include "common/cli/manual.h"
#include "common/cli/option_values.h"
#include "common/instruction_set.h"
#include "common/io/log.h"
#include "common/io/stop.h"
#include "common/io/suggest.h"

namespace firn {

namespace {

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Lists commands by the first line of their descriptions. The help of each command shows the rest.
class BriefFormatter : public CLI::Formatter {
public:
    std::string make_subcommand(const CLI::App* sub) const override
    {
        return "  " + sub->get_name() + ": " + firstLine(sub->get_description()) + "\n";
    }

    /// "DIR [DIR2]" where two values are possible.
    std::string make_option_usage(const CLI::Option* option) const override
    {
        const int most = option->get_expected_max();
        if (most < 2 || most >= CLI::detail::expected_max_vector_size) return Formatter::make_option_usage(option);
        const std::string name = make_option_name(option, true);
        std::string text = name;
        for (int i = 2; i <= most; ++i) text += " [" + name + std::to_string(i) + "]";
        return text;
    }
};

/// The program that runs, and what its command line says about the log.
struct Invocation {
    std::string program = "firn";
    std::string version = {};
    std::string command_line = {};
    std::string log_file = {};
    std::string log_level = "info";
};

Invocation& invocation()
{
    static Invocation current;
    return current;
}

void openProgramLog(const std::filesystem::path& path)
{
    openLog(path, parseLogLevel(invocation().log_level));
    log(LogLevel::Info, invocation().version + ": " + invocation().command_line);
}

/// Refuses names that results have: the log would be in their way.
void checkLogName(const std::filesystem::path& file)
{
    static constexpr std::array<std::string_view, 12> ofResults = {
        ".vdb", ".firn", ".exr", ".png", ".usda", ".json", ".html", ".mp4", ".toml", ".jsonl", ".film", ".scene"};
    const std::string extension = file.extension().string();
    if (std::ranges::find(ofResults, extension) != ofResults.end() || file.filename() == ".firn-lock")
        throw Error(ExitCode::Usage, "--log-file " + clampText(file.string(), 300) +
                                         ": the name of a log file cannot end in " +
                                         (extension.empty() ? ".firn-lock" : extension) +
                                         ", as Firn's other files do; expected a name such as run.log");
}

struct AddOption {
    CLI::App& app;
    const Option& option;

    CLI::Option* operator()(bool* target) const { return app.add_flag(option.name, *target, option.help); }

    CLI::Option* operator()(int* target) const { return shown(add(target), *target != 0); }
    CLI::Option* operator()(double* target) const { return shown(add(target), *target != 0); }
    CLI::Option* operator()(std::string* target) const { return shown(add(target), !target->empty()); }
    CLI::Option* operator()(std::filesystem::path* target) const { return add(target); }

    template <class Value>
    CLI::Option* operator()(std::optional<Value>* target) const
    {
        return app.add_option_function<Value>(
            option.name, [target](const Value& value) { *target = value; }, option.help);
    }

    template <class Value>
    CLI::Option* operator()(std::vector<Value>* target) const
    {
        CLI::Option* added = add(target);
        if (!added->get_positional()) return added->take_all()->expected(1)->allow_extra_args(false);
        return option.most_values > 0 ? added->expected(1, option.most_values) : added;
    }
    CLI::Option* operator()(std::vector<double>* target) const
    {
        return add(target)->delimiter(',')->allow_extra_args(false);
    }

private:
    template <class Value>
    CLI::Option* add(Value* target) const
    {
        return app.add_option(option.name, *target, option.help);
    }
    /// With its default in the help, if it has one.
    static CLI::Option* shown(CLI::Option* added, bool hasDefault)
    {
        return hasDefault ? added->capture_default_str() : added;
    }
};

void addOption(CLI::App& app, const Option& option)
{
    CLI::Option* added = std::visit(AddOption{app, option}, option.target);
    if (const std::string name = valueName(option); !name.empty()) added->type_name(name);
    if (option.is_required) added->required();
    if (!option.one_of.empty()) added->group(option.one_of);
    const auto check = [option](const std::string& text) {
        checkValue(option, text);
        return std::string();
    };
    added->check(check, "");
}

/// "DIR/firn-sim.log", "OUT/firn-render.log, for a wedge OUT/TAKE/firn-render.log", "none".
std::string logPlace(const Program& program, const Command& command)
{
    std::string places;
    for (const std::string& folder : command.log_folders) {
        places += (places.empty() ? "" : ", ") + folder + "/" + program.name + ".log";
    }
    return places.empty() ? "none" : places;
}

/// The program with the options that every command has.
Program withLogOptions(Program program)
{
    for (Command& command : program.commands) {
        command.options.push_back({.name = "--log-level",
                                   .target = &invocation().log_level,
                                   .help = "Log only messages of this level and above",
                                   .choices = {"debug", "info", "warning", "error", "off"}});
        command.options.push_back({.name = "--log-file",
                                   .target = &invocation().log_file,
                                   .help = "Log file; default: " + logPlace(program, command),
                                   .value = "FILE"});
    }
    return program;
}

/// "firn-sim 0.1.0 (0a1b2c3, AVX-512)": with the commit, where it was built from one, and the instruction set.
std::string versionOf(const Program& program)
{
    const std::string commit = commitOfSources();
    return program.name + " " FIRN_VERSION " (" + (commit.empty() ? "" : commit + ", ") + instructionSet + ")";
}

CLI::App* addCommand(CLI::App& app, const Program& program, const Command& command)
{
    CLI::App* added = app.add_subcommand(command.name, command.description);
    if (command.is_resumable) added->footer(program.footer + "\n" + program.signals);
    for (const Option& option : command.options) addOption(*added, option);
    return added;
}

/// A flag that prints a text and ends the program, as --version does.
void addTextFlag(CLI::App& app, const std::string& name, const std::string& help,
                 const std::function<std::string()>& text)
{
    app.add_flag_callback(
        name, [text] { throw CLI::CallForVersion(text(), 0); }, help);
}

/// Refuses two options of one group of which at most one may be given. Throws Error(Usage).
void requireOneOf(const CLI::App& parsed, const Command& command)
{
    std::map<std::string, std::vector<std::string>> groups;
    std::map<std::string, int> given;
    for (const Option& option : command.options) {
        if (option.one_of.empty()) continue;
        groups[option.one_of].push_back(option.name);
        if (parsed.count(option.name) > 0) ++given[option.one_of];
    }
    for (const auto& [group, count] : given) {
        if (count > 1) throw Error(ExitCode::Usage, "give at most one of " + listText(groups[group], "and"));
    }
}

/// The first option of the command line that the command does not have; "": none.
std::string unknownOption(const CLI::App& app)
{
    for (const std::string& text : app.remaining(true)) {
        if (text.starts_with('-')) return text.substr(0, text.find('='));
    }
    return "";
}

std::string unknownOptionText(const std::string& name, const CLI::App& command)
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        if (!option->get_positional()) names.push_back(option->get_name());
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    return "unknown option '" + clampText(name, 60) + "'" + didYouMean(name, known);
}

/// What the parser found, in plain words.
std::string plainText(const CLI::App& app, const CLI::App& command, const CLI::ParseError& error)
{
    std::string text = error.what();
    const bool isExtra = dynamic_cast<const CLI::ExtrasError*>(&error);
    if (isExtra || dynamic_cast<const CLI::RequiredError*>(&error)) {
        if (const std::string name = unknownOption(app); !name.empty()) return unknownOptionText(name, command);
    }
    if (isExtra) return "unexpected argument '" + clampText(app.remaining(true).front(), 60) + "'";
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
        const std::string name = text.substr(0, text.find(':'));
        const CLI::Option* const option = command.get_option_no_throw(name);
        const std::size_t most = option ? static_cast<std::size_t>(option->get_expected_max()) : 0;
        if (option && option->results().size() <= most) return name + ": the value is missing";
        if (option && !option->get_positional()) return name + " is given more than once";
        if (option) return name + ": at most " + std::to_string(most) + " values are possible";
    }
    return text;
}

/// The commands with one line about each, for a command line without a known one.
std::string commandList(const Program& program)
{
    std::string text = "give one of these commands:\n";
    for (const Command& command : program.commands) {
        text += "  " + command.name + ": " + firstLine(command.description) + "\n";
    }
    return text + program.name + " --help tells more";
}

std::string unknownCommandText(const Program& program, const std::string& word)
{
    std::vector<std::string_view> known;
    for (const Command& command : program.commands) known.push_back(command.name);
    return "unknown command '" + clampText(word, 60) + "'" + didYouMean(word, known);
}

/// An option in the place of the command: not of the program, but of some command. "": it is none.
std::string earlyOptionText(const CLI::App& app, const std::vector<CLI::App*>& commands, const std::string& word)
{
    const std::string name = word.substr(0, word.find('='));
    const auto hasOption = [&](const CLI::App* command) { return command->get_option_no_throw(name) != nullptr; };
    if (!name.starts_with('-') || hasOption(&app) || std::ranges::none_of(commands, hasOption)) return "";
    return "options of a command stand after its name: " + app.get_name() + " COMMAND … " + name + " …";
}

int tell(ExitCode code, const std::string& message)
{
    std::cerr << invocation().program << ": " << message << std::endl;
    log(LogLevel::Error, message);
    return static_cast<int>(code);
}

/// Whether standard output is a pipe whose reader has ended, as "head -1" does.
bool isOutputClosed()
{
    pollfd output{STDOUT_FILENO, POLLOUT, 0};
    return ::poll(&output, 1, 0) > 0 && (output.revents & POLLERR) != 0;
}

/// File if text for standard output was lost, with a message unless nobody reads on; otherwise `code`.
ExitCode codeOfOutput(ExitCode code)
{
    if (std::cout.flush().good() && std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
    const int error = errno;
    if (isOutputClosed()) return ExitCode::File;
    throw Error(ExitCode::File, "cannot write to standard output: " + std::generic_category().message(error));
}

int runCommand(const Program& program, const Command& command)
{
    try {
        if (!invocation().log_file.empty()) {
            checkLogName(invocation().log_file);
            openProgramLog(invocation().log_file);
        }
        return static_cast<int>(codeOfOutput(command.run()));
    } catch (const Error& error) {
        return tell(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        return tell(ExitCode::Failed, "out of memory: " + program.memory_advice);
    } catch (const std::filesystem::filesystem_error& error) {
        return tell(ExitCode::File, clampText(error.path1().string(), 500) + ": " + error.code().message());
    } catch (const std::exception& error) {
        return tell(ExitCode::Failed, clampText(error.what(), 1000));
    }
}

}  // namespace

int runProgram(const Program& tables, int argc, const char* const* argv)
{
    const Program program = withLogOptions(tables);
    invocation() = {program.name, versionOf(program)};
    for (int i = 1; i < argc; ++i) invocation().command_line += (i > 1 ? " " : "") + clampText(argv[i], 1000);
    CLI::App app(program.description, program.name);
    app.formatter(std::make_shared<BriefFormatter>());
    app.set_version_flag("--version", invocation().version, "Print the version and exit");
    addTextFlag(app, "--man", "Print the manual page, as man reads it, and exit",
                [&] { return manualPage(program, FIRN_VERSION); });
    addTextFlag(app, "--completion", "Print a script that completes arguments in bash, and exit",
                [&] { return bashCompletion(program); });
    app.require_subcommand(1);
    app.footer(program.footer);
    std::vector<CLI::App*> added;
    for (const Command& command : program.commands) added.push_back(addCommand(app, program, command));
    if (argc < 2) return tell(ExitCode::Usage, commandList(program));
    const std::string word = argv[1];
    const bool isCommand = std::ranges::count(program.commands, word, &Command::name) > 0;
    if (!isCommand && !word.starts_with('-')) return tell(ExitCode::Usage, unknownCommandText(program, word));
    if (const std::string text = earlyOptionText(app, added, word); !text.empty()) return tell(ExitCode::Usage, text);
    try {
        app.parse(argc, argv);
        for (std::size_t i = 0; i < added.size(); ++i) {
            if (added[i]->parsed()) requireOneOf(*added[i], program.commands[i]);
        }
    } catch (const CLI::ParseError& error) {
        if (error.get_exit_code() == 0) return app.exit(error);  // the help or the version
        const auto parsed = app.get_subcommands();
        return tell(ExitCode::Usage, plainText(app, parsed.empty() ? app : *parsed.front(), error));
    } catch (const Error& error) {
        return tell(error.code(), error.what());
    }
    int code = static_cast<int>(ExitCode::Usage);
    for (std::size_t i = 0; i < added.size(); ++i) {
        if (added[i]->parsed()) code = runCommand(program, program.commands[i]);
    }
    log(LogLevel::Info, "exit code " + std::to_string(code));
    closeLog();
    return code;
}

int runMain(const Program& program, int argc, const char* const* argv)
{
    installStopSignals();
    return runProgram(program, argc, argv);
}

void openLogIn(const std::filesystem::path& folder)
{
    if (invocation().log_file.empty()) openProgramLog(folder / (invocation().program + ".log"));
}

void warn(const std::string& text)
{
    std::cerr << invocation().program << ": " << text << std::endl;
    constexpr std::string_view level = "warning: ";  // the log names it itself
    log(LogLevel::Warning, text.starts_with(level) ? text.substr(level.size()) : text);
}

}  // namespace firn
