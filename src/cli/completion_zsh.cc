// Completion for zsh, by its own _arguments.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion.h"

namespace berth::cli {
namespace {

// Inside single quotes, where brackets and colons would end a part.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
    out += c;
  }
  return out;
}

std::string action(const CommandDescription& command, const ArgumentDescription& argument) {
  const std::string kind = kind_of(command, argument);
  if (kind.empty()) return " ";
  if (kind == "files") return "_files";
  return (takes_list(argument) ? "_sequence _berth_" : "_berth_") + kind;
}

std::string option_line(const CommandDescription& command, const ArgumentDescription& option) {
  const bool flag = option.value.empty();
  std::vector<std::string> forms;
  for (const std::string& name : option.names) {
    const bool is_long = name.starts_with("--");
    forms.push_back(name + (flag ? "" : is_long ? "=" : "+"));
  }
  std::string line = "        ";
  line += option.repeatable          ? "'*'"
          : option.names.size() == 1 ? ""
                                     : fmt::format("'({})'", fmt::join(option.names, " "));
  line += forms.size() == 1 ? forms.front() : fmt::format("{{{}}}", fmt::join(forms, ","));
  line += fmt::format("'[{}]", escaped(option.sentence));
  if (!flag) line += fmt::format(":{}:{}", escaped(option.value), action(command, option));
  return line + "'";
}

std::string command_case(const CommandDescription& command) {
  std::string out = fmt::format("    '{}')\n      _arguments", command.name);
  for (const ArgumentDescription& argument : command.positionals) {
    out += fmt::format(" \\\n        '{}:{}:{}'", argument.required ? "" : ":",
                       escaped(argument.names.front()), action(command, argument));
  }
  for (const ArgumentDescription& option : command.options) {
    out += " \\\n" + option_line(command, option);
  }
  return out + " ;;\n";
}

}  // namespace

std::string zsh_completion(std::span<const CommandDescription> commands) {
  std::string out = "#compdef berth\n# Made by `berth completion zsh`.\n";
  for (const ValueKind& kind : value_kinds()) {
    out += fmt::format("\n_berth_{}() {{\n  compadd \"$@\" -- {}\n{}}}\n", kind.name,
                       fmt::join(kind.words, " "), kind.files ? "  _files\n" : "");
  }
  std::string names, below, cases;
  for (const CommandDescription& command : commands) {
    cases += command_case(command);
    if (command.name.find(' ') == std::string::npos) {
      names += fmt::format("    '{}:{}'\n", command.name, escaped(command.summary));
    } else {
      below += (below.empty() ? "'" : "|'") + command.name + "'";
    }
  }
  out += fmt::format(R"(
_berth() {{
  local -a commands
  local command
  commands=(
{}  )
  if (( CURRENT == 2 )); then
    _describe command commands
    return
  fi
  command=$words[2]
  shift words
  (( CURRENT-- ))
  case "$command $words[2]" in
    {})
      if (( CURRENT > 2 )); then
        command+=" $words[2]"
        shift words
        (( CURRENT-- ))
      fi ;;
  esac
  case $command in
{}  esac
}}

_berth "$@"
)",
                     names, below, cases);
  return out;
}

}  // namespace berth::cli
