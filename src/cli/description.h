// What the commands take, as data: the manual page and the completions of shells are written from
// it, so that they cannot differ from what the commands really read.
//
// Commands declare their arguments inside the function that runs them. To get at the declarations
// without running anything, a command is called with kDescribe as its last word, and
// Arguments::parse() answers by throwing a Described. It is an InputError, so that a user who types
// that word gets a sentence.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/error.h"

namespace berth::cli {

inline constexpr const char* kDescribe = "\x01 describe";

struct ArgumentDescription {
  std::vector<std::string> names;  // "-o", "--output"; of a positional its one name: "MODEL"
  std::string value;               // the word for its value; empty for a flag
  std::string sentence;
  bool required = false;
  bool repeatable = false;
};

struct CommandDescription {
  std::string name;  // "place", "bench search"
  std::string summary;
  std::vector<ArgumentDescription> positionals;
  std::vector<ArgumentDescription> options;
  std::vector<std::string> notes;  // one paragraph each; one that has "\n  " keeps its lines
  std::vector<std::pair<std::string, std::string>> examples;  // a line, and what it is about
};

class Described : public InputError {
 public:
  explicit Described(CommandDescription described)
      : InputError("this word is kept for Berth's own use"), description(std::move(described)) {}
  CommandDescription description;
};

// Every command of the overview, each followed by the commands below it.
std::vector<CommandDescription> describe_commands();

}  // namespace berth::cli
