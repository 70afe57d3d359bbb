#include "cli/manual.h"

#include <fmt/format.h>

#include <string_view>

namespace berth::cli {
namespace {

// Text escaped for roff: a backslash begins a command, so does a period at the beginning of a line,
// and a bare hyphen may be printed as a dash that cannot be copied into a shell.
std::string roff(std::string_view text) {
  std::string out;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) out += "\\&";
    begins_line = c == '\n';
    switch (c) {
      case '\\':
        out += "\\e";
        break;
      case '-':
        out += "\\-";
        break;
      case '\'':
        out += "\\(aq";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string lines_as_they_are(std::string_view text) {
  return fmt::format(".PP\n.nf\n{}\n.fi\n", roff(text));
}

std::string synopsis(const CommandDescription& command) {
  std::string line = bold("berth " + command.name);
  for (const ArgumentDescription& argument : command.positionals) {
    const std::string name = italic(argument.names.front());
    line += argument.required ? " " + name : " [" + name + "]";
  }
  for (const ArgumentDescription& option : command.options) {
    if (!option.required) continue;
    line += fmt::format(" {} {}", bold(option.names.back()), italic(option.value));
  }
  return line + " [" + italic("options") + "]";
}

std::string argument_text(const ArgumentDescription& argument, bool positional) {
  std::string names;
  for (const std::string& name : argument.names) {
    names += (names.empty() ? "" : ", ") + (positional ? italic(name) : bold(name));
  }
  if (!argument.value.empty()) names += " " + italic(argument.value);
  return fmt::format(".TP\n{}\n{}\n", names, roff(argument.sentence));
}

std::string command_text(const CommandDescription& command) {
  std::string out = fmt::format(".SS berth {}\n{}\n.PP\n{}\n", roff(command.name),
                                synopsis(command), roff(command.summary));
  for (const ArgumentDescription& argument : command.positionals) {
    out += argument_text(argument, true);
  }
  for (const ArgumentDescription& option : command.options) out += argument_text(option, false);
  for (const std::string& paragraph : command.notes) {
    const bool table = paragraph.find("\n  ") != std::string::npos;
    out += table ? lines_as_they_are(paragraph) : fmt::format(".PP\n{}\n", roff(paragraph));
  }
  for (const auto& [line, sentence] : command.examples) {
    out += fmt::format(".PP\nExample: {}\n.PP\n.nf\n.RS 4\n{}\n.RE\n.fi\n", roff(sentence),
                       roff(line));
  }
  return out;
}

constexpr std::pair<const char*, const char*> kStatuses[] = {
    {"0", "Done."},
    {"1", "Something outside Berth failed, such as a full disk or a limit on memory."},
    {"2", "Bad input. One sentence on standard error says what is wrong and what is expected."},
    {"3", "No plan was found that fits in memory; the best is reported all the same."},
    {"70", "A bug in Berth. Please report it."}};

constexpr std::pair<const char*, const char*> kVariables[] = {
    {"BERTH_POLICY_PATH",
     "Folders in which --policy NAME looks for policies, separated by colons. They are searched "
     "before the folder of the installation."},
    {"BERTH_LEARN_MODULE",
     "The module of the learned methods, used instead of libberth_learn.so of the installation."},
    {"NO_COLOR", "If it is set and not empty, nothing is printed in colour."}};

}  // namespace

std::string manual_page(std::span<const CommandDescription> commands) {
  std::string out =
      ".\\\" Made by `berth manual`.\n"
      ".TH BERTH 1 \"\" \"berth " BERTH_VERSION
      "\" \"User Commands\"\n"
      ".SH NAME\n"
      "berth \\- find the device of every op of a neural network\n"
      ".SH SYNOPSIS\n";
  out += bold("berth") + " " + italic("COMMAND") + " ...\n.SH DESCRIPTION\n";
  out +=
      "Berth finds the device of every op of a model, so that a step is as short as possible and "
      "fits in memory. It simulates the step, so neither the weights of the model nor the devices "
      "are needed.\n.SH COMMANDS\n";
  for (const CommandDescription& command : commands) out += command_text(command);
  out += ".SH EXIT STATUS\n";
  for (const auto& [status, sentence] : kStatuses) {
    out += fmt::format(".TP\n{}\n{}\n", bold(status), roff(sentence));
  }
  out += ".SH ENVIRONMENT\n";
  for (const auto& [name, sentence] : kVariables) {
    out += fmt::format(".TP\n{}\n{}\n", bold(name), roff(sentence));
  }
  return out;
}

}  // namespace berth::cli
