#include "common/cli/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <new>

#include "common/io/log.h"
#include "common/io/stop.h"

namespace firn {

namespace {

/// Lists commands by the first line of their descriptions. The help of each command shows the rest.
class BriefFormatter : public CLI::Formatter {
public:
    std::string make_subcommand(const CLI::App* sub) const override
    {
        const std::string description = sub->get_description();
        return "  " + sub->get_name() + ": " + description.substr(0, description.find('\n')) + "\n";
    }
};

/// The program that runs, and what its command line says about the log.
struct Invocation {
    std::string program = "firn";
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
    log(LogLevel::Info, invocation().program + " " FIRN_VERSION ": " + invocation().command_line);
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
        if (!added->get_positional()) return added->take_all()->expected(1);
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
    if (!option.value.empty()) added->type_name(option.value);
    if (option.is_required) added->required();
    if (!option.choices.empty()) added->check(CLI::IsMember(option.choices));
    if (option.least > std::numeric_limits<double>::lowest()) {
        const bool isWhole =
            std::holds_alternative<int*>(option.target) || std::holds_alternative<std::optional<int>*>(option.target);
        if (isWhole) {
            added->check(
                CLI::Range(static_cast<int>(option.least), static_cast<int>(std::min(option.greatest, 2147483647.0))));
        } else {
            added->check(CLI::Range(option.least, option.greatest));
        }
    }
}

CLI::App* addCommand(CLI::App& app, const Command& command)
{
    CLI::App* added = app.add_subcommand(command.name, command.description);
    std::map<std::string, CLI::Option_group*> groups;
    for (const Option& option : command.options) {
        if (option.one_of.empty()) {
            addOption(*added, option);
            continue;
        }
        CLI::Option_group*& group = groups[option.one_of];
        if (!group) {
            group = added->add_option_group(option.one_of, "At most one of");
            group->require_option(0, 1);
        }
        addOption(*group, option);
    }
    added->add_option("--log-level", invocation().log_level, "Least level of what is logged")
        ->check(CLI::IsMember({"debug", "info", "warning", "error", "off"}))
        ->capture_default_str();
    added->add_option("--log-file", invocation().log_file, "Log file; default: in the folder of the output")
        ->type_name("FILE");
    return added;
}

int tell(ExitCode code, const std::string& message)
{
    std::cerr << invocation().program << ": " << message << std::endl;
    log(LogLevel::Error, message);
    return static_cast<int>(code);
}

int runCommand(const Program& program, const Command& command)
{
    try {
        if (!invocation().log_file.empty()) openProgramLog(invocation().log_file);
        return static_cast<int>(command.run());
    } catch (const Error& error) {
        return tell(error.code(), error.what());
    } catch (const std::bad_alloc&) {
        return tell(ExitCode::Failed, "out of memory: " + program.memory_advice);
    } catch (const std::exception& error) {
        return tell(ExitCode::Failed, clampText(error.what(), 1000));
    }
}

}  // namespace

int runProgram(const Program& program, int argc, const char* const* argv)
{
    invocation() = {program.name};
    for (int i = 1; i < argc; ++i) invocation().command_line += (i > 1 ? " " : "") + clampText(argv[i], 1000);
    CLI::App app(program.description, program.name);
    app.formatter(std::make_shared<BriefFormatter>());
    app.set_version_flag("--version", program.name + " " FIRN_VERSION);
    app.require_subcommand(1);
    app.footer(program.footer);
    std::vector<CLI::App*> added;
    for (const Command& command : program.commands) added.push_back(addCommand(app, command));
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? static_cast<int>(ExitCode::Done) : static_cast<int>(ExitCode::Usage);
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
    log(LogLevel::Warning, text);
}

}  // namespace firn
