// Completion for bash. bash also splits the line at = and :, so words are taken from the line
// itself, and the part that bash treats as complete words already is removed from the answer.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/completion.h"

namespace berth::cli {
namespace {

// Reads `command`, and sets `options` to what the command takes.
constexpr const char* kOptionsHead = R"(
_berth_options() {
  case $command in
)";

// Sets `kind` of the argument $1 of the command: "flag" when it takes no value, "value" when
// nothing is known about the value; `list` when there may be several, with commas between.
constexpr const char* kKindHead = R"(  esac
}

_berth_kind() {
  kind= list=
  case "$command $1" in
)";

constexpr const char* kWordsHead = R"(  esac
}

_berth_words() {
  case $kind in
)";

constexpr const char* kRest = R"(  esac
}

# The words of $3 that begin with $2, each behind $1, without what bash has as complete.
_berth_reply() {
  local candidate typed=$1$2 colon= equals= cut
  for candidate in $3; do
    [[ $candidate == "$2"* ]] && COMPREPLY+=("$1$candidate")
  done
  [[ $COMP_WORDBREAKS == *:* && $typed == *:* ]] && colon=${typed%"${typed##*:}"}
  [[ $COMP_WORDBREAKS == *=* && $typed == *=* ]] && equals=${typed%"${typed##*=}"}
  cut=$colon
  (( ${#equals} > ${#colon} )) && cut=$equals
  COMPREPLY=("${COMPREPLY[@]#"$cut"}")
}

# The value $2 of a kind, behind the text $1.
_berth_value() {
  local before=$1 value=$2 words= files=
  if [[ $kind == files ]]; then return; fi
  _berth_words
  if [[ -n $list && $value == *,* ]]; then
    before+=${value%,*},
    value=${value##*,}
  fi
  _berth_reply "$before" "$value" "$words"
  # Without an answer bash completes file names.
  if [[ -z $files ]]; then
    compopt +o default 2>/dev/null
  elif (( ${#COMPREPLY[@]} > 0 )) && [[ -n $value && $value != *:* && -z $before ]]; then
    mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$value")
  fi
}

_berth() {
  local IFS=$' \t\n' line=${COMP_LINE:0:COMP_POINT}
  local words current command options= kind= list= i positional=0 previous=
  COMPREPLY=()
  read -r -a words <<< "$line"
  [[ $line == *[[:space:]] ]] && words+=("")
  current=${words[-1]}
  if (( ${#words[@]} <= 2 )); then
    compopt +o default 2>/dev/null
    _berth_reply "" "$current" "$_berth_commands"
    return
  fi
  command=${words[1]}
  i=2
  if (( ${#words[@]} > 3 )) && [[ " $_berth_below " == *" $command/${words[2]} "* ]]; then
    command+=" ${words[2]}"
    i=3
  fi
  # Which of the words are options, their values, and positionals.
  for (( ; i < ${#words[@]} - 1; i++ )); do
    previous=
    if [[ ${words[i]} == -?* ]]; then
      _berth_kind "${words[i]}"
      [[ -n $kind && $kind != flag ]] && previous=${words[i]} && (( ++i ))
    else
      (( ++positional ))
    fi
  done
  if [[ -n $previous && $i -eq ${#words[@]} ]]; then
    _berth_kind "$previous"
    _berth_value "" "$current"
  elif [[ $current == --*=* ]]; then
    _berth_kind "${current%%=*}"
    _berth_value "${current%%=*}=" "${current#*=}"
  elif [[ $current == -* ]]; then
    compopt +o default 2>/dev/null
    _berth_options
    _berth_reply "" "$current" "$options"
  else
    _berth_kind "$positional"
    _berth_value "" "$current"
  fi
}

complete -o default -F _berth berth
)";

std::string pattern_of(const CommandDescription& command, const std::string& argument) {
  return fmt::format("\"{} {}\"", command.name, argument);
}

std::string kind_line(const std::string& pattern, const std::string& kind, bool list) {
  return fmt::format("    {}) kind={}{} ;;\n", pattern, kind, list ? " list=yes" : "");
}

std::string kind_lines(const CommandDescription& command) {
  std::string out;
  for (std::size_t i = 0; i < command.positionals.size(); ++i) {
    const std::string kind = kind_of(command, command.positionals[i]);
    out += kind_line(pattern_of(command, std::to_string(i)), kind.empty() ? "value" : kind, false);
  }
  for (const ArgumentDescription& option : command.options) {
    std::string pattern;
    for (const std::string& name : option.names) {
      pattern += (pattern.empty() ? "" : "|") + pattern_of(command, name);
    }
    const std::string kind = kind_of(command, option);
    out += kind_line(pattern,
                     option.value.empty() ? "flag"
                     : kind.empty()       ? "value"
                                          : kind,
                     takes_list(option));
  }
  return out;
}

std::string option_names(const CommandDescription& command) {
  std::vector<std::string> names;
  for (const ArgumentDescription& option : command.options) {
    names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return fmt::format("{}", fmt::join(names, " "));
}

}  // namespace

std::string bash_completion(std::span<const CommandDescription> commands) {
  std::string names, below, options, kinds, words;
  for (const CommandDescription& command : commands) {
    const std::size_t space = command.name.find(' ');
    if (space == std::string::npos) {
      names += (names.empty() ? "" : " ") + command.name;
    } else {
      below += (below.empty() ? "" : " ") + std::string(command.name).replace(space, 1, "/");
    }
    options += fmt::format("    \"{}\") options=\"{}\" ;;\n", command.name, option_names(command));
    kinds += kind_lines(command);
  }
  for (const ValueKind& kind : value_kinds()) {
    words += fmt::format("    {}) words=\"{}\"{} ;;\n", kind.name, fmt::join(kind.words, " "),
                         kind.files ? " files=yes" : "");
  }
  return "# Completion of berth for bash, made by `berth completion bash`.\n" +
         fmt::format("_berth_commands=\"{}\"\n_berth_below=\"{}\"\n", names, below) + kOptionsHead +
         options + kKindHead + kinds + kWordsHead + words + kRest;
}

}  // namespace berth::cli
