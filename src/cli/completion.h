// Completion of command lines in bash and zsh: commands, options, and the values that are known by
// name (workloads, clusters, methods and so on), written from what the commands declare. The names
// are those of the program that writes the text; file names are left to the shell. Options behind a
// colon (zoo:gpt:batch=8) are not completed.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/description.h"

namespace berth::cli {

// What the value of an argument can be, by a name that becomes part of a shell function.
struct ValueKind {
  std::string name;
  std::vector<std::string> words;
  bool files = false;  // or a file
};

// All kinds that have words.
std::vector<ValueKind> value_kinds();
// The name of one of these; "files" for any file; empty where nothing is known, as of a number.
std::string kind_of(const CommandDescription& command, const ArgumentDescription& argument);
// Whether it takes several with commas between.
bool takes_list(const ArgumentDescription& argument);

std::string bash_completion(std::span<const CommandDescription> commands);
std::string zsh_completion(std::span<const CommandDescription> commands);

}  // namespace berth::cli
