#include "common/cli/manual.h"

#include <algorithm>
#include <sstream>

#include "common/cli/option_values.h"

namespace firn {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
        text.replace(at, from.size(), to);
    return text;
}

/// Text as troff prints it: backslashes and dashes as they are, and no line that begins with a request.
std::string troff(const std::string& text)
{
    std::string result = replaced(replaced(text, "\\", "\\e"), "-", "\\-");
    result = replaced(replaced(result, "\n.", "\n\\&."), "\n'", "\n\\&'");
    return !result.empty() && (result.front() == '.' || result.front() == '\'') ? "\\&" + result : result;
}

bool isPositional(const Option& option) { return !option.name.starts_with('-'); }
bool isFlag(const Option& option) { return std::holds_alternative<bool*>(option.target); }

std::string upper(std::string text)
{
    std::ranges::transform(text, text.begin(), [](char c) { return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c; });
    return text;
}

/// The description without its first line, and without the empty line between them.
std::string rest(const std::string& description)
{
    const std::size_t end = description.find('\n');
    if (end == std::string::npos) return "";
    const std::size_t begin = description.find_first_not_of('\n', end);
    return begin == std::string::npos ? "" : description.substr(begin);
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

/// As it is, without filled lines.
std::string verbatim(const std::string& text)
{
    if (text.empty()) return "";
    return ".PP\n.nf\n" + troff(text) + (text.ends_with('\n') ? "" : "\n") + ".fi\n";
}

/// What the option is if it is not given; "" where that is nothing or is told by the help.
struct DefaultText {
    std::string operator()(const int* value) const { return *value == 0 ? "" : std::to_string(*value); }
    std::string operator()(const std::string* value) const { return *value; }
    std::string operator()(const double* value) const
    {
        std::ostringstream text;
        if (*value != 0) text << *value;
        return text.str();
    }
    template <class Other>
    std::string operator()(const Other*) const
    {
        return "";
    }
};

std::string entry(const Option& option)
{
    const std::string value = isFlag(option) || isPositional(option) ? "" : valueName(option);
    std::string text = ".TP\n\\fB" + troff(option.name) + "\\fR";
    if (!value.empty()) text += " \\fI" + troff(value) + "\\fR";
    const std::string given = std::visit(DefaultText(), option.target);
    return text + "\n" + troff(option.help) + (given.empty() ? "" : ". Default: " + troff(given)) + "\n";
}

std::string usage(const Program& program, const Command& command)
{
    std::string text = program.name + " " + command.name + " [OPTION ...]";
    for (const Option& option : command.options) {
        if (!isPositional(option)) continue;
        const std::string name = upper(option.name);
        text += option.is_required ? " " + name : " [" + name + "]";
    }
    return text;
}

std::string section(const Program& program, const Command& command)
{
    std::string text = ".SH " + upper(command.name) + "\n\\fB" + troff(usage(program, command)) + "\\fR\n.PP\n" +
                       troff(firstLine(command.description)) + ".\n" + verbatim(rest(command.description));
    for (const Option& option : command.options) text += entry(option);
    return text;
}

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

/// What bash offers as the value of an option: its choices, or folders; "" where it offers files.
std::string valueCase(const Option& option)
{
    if (isFlag(option) || isPositional(option)) return "";
    const std::string names = replaced(option.name, ",", " | ");
    if (!option.choices.empty())
        return "        " + names + ") COMPREPLY=($(compgen -W \"" + joined(option.choices) +
               "\" -- \"$word\")); return ;;\n";
    const bool isFolder = option.value == "DIR";
    return "        " + names + ") " + (isFolder ? "COMPREPLY=($(compgen -d -- \"$word\")); " : "") + "return ;;\n";
}

std::string commandCase(const Command& command)
{
    std::vector<std::string> names{"--help"};
    std::string values;
    for (const Option& option : command.options) {
        if (!isPositional(option)) names.push_back(replaced(option.name, ",", " "));
        values += valueCase(option);
    }
    return "    " + command.name + ")\n      options=\"" + joined(names) + "\"\n      case $before in\n" + values +
           "      esac ;;\n";
}

}  // namespace

std::string manualPage(const Program& program, const std::string& version)
{
    std::string text = ".TH " + upper(program.name) + " 1 \"\" \"Firn " + version + "\" \"Firn\"\n";
    std::string what = firstLine(program.description);
    if (what.ends_with('.')) what.pop_back();
    const std::size_t colon = what.find(": ");
    text += ".SH NAME\n" + troff(program.name) + " \\- " +
            troff(colon == std::string::npos ? what : what.substr(colon + 2)) + "\n";
    text += ".SH SYNOPSIS\n\\fB" + troff(program.name) +
            "\\fR \\fICOMMAND\\fR [\\fIOPTION\\fR ...] [\\fIARGUMENT\\fR ...]\n";
    text += ".SH DESCRIPTION\n" + troff(program.name) + " has these commands:\n";
    for (const Command& command : program.commands)
        text += ".TP\n\\fB" + troff(command.name) + "\\fR\n" + troff(firstLine(command.description)) + ".\n";
    text += verbatim(rest(program.description));
    for (const Command& command : program.commands) text += section(program, command);
    text += ".SH EXIT STATUS AND SIGNALS\n" + troff(program.footer.substr(program.footer.find_first_not_of('\n'))) +
            "\n.PP\n" + troff(program.signals) + "\n";
    return text;
}

std::string bashCompletion(const Program& program)
{
    std::vector<std::string> words;
    for (const Command& command : program.commands) words.push_back(command.name);
    std::string cases;
    for (const Command& command : program.commands) cases += commandCase(command);
    const std::string function = "_" + replaced(program.name, "-", "_");
    return "# Completes the arguments of " + program.name + " in bash. Written by " + program.name +
           " --completion.\n" + function +
           "() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} options=\n"
           "  COMPREPLY=()\n"
           "  if ((COMP_CWORD == 1)); then\n"
           "    COMPREPLY=($(compgen -W \"" +
           joined(words) +
           " --help --version --man --completion\" -- \"$word\"))\n"
           "    return\n"
           "  fi\n"
           "  [[ $word == = ]] && word=\n"
           "  [[ $before == = ]] && before=${COMP_WORDS[COMP_CWORD - 2]}\n"
           "  case ${COMP_WORDS[1]} in\n" +
           cases +
           "  esac\n"
           "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\")); fi\n"
           "}\n"
           "complete -o bashdefault -o default -F " +
           function + " " + program.name + "\n";
}

}  // namespace firn
