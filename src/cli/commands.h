// The commands, one source file each. A command gets the words after its name and returns the exit
// status (exit_status.h); what the user did wrong it throws as InputError, which main() turns into
// a sentence and status 2.
//
// To add one: name_command.cc with its function, the declaration here, a line in commands.cc.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/exit_status.h"

namespace berth::cli {

using Words = std::span<const std::string>;

int place_command(Words words);
int simulate_command(Words words);
int compare_command(Words words);
int sweep_command(Words words);
int bench_command(Words words);
int train_command(Words words);
int inspect_command(Words words);
int lint_command(Words words);
int convert_command(Words words);
int methods_command(Words words);
int zoo_command(Words words);
int clusters_command(Words words);
int completion_command(Words words);
int manual_command(Words words);

struct Command {
  std::string name;
  std::string summary;  // one line for the overview
  int (*run)(Words words);
  std::vector<std::string> below = {};  // words behind its name that have options of their own
  bool hidden = false;                  // from the overview: what packages are made with
};

// In the order of the overview, then the hidden ones.
const std::vector<Command>& commands();

// The whole command line without the program's name; returns the exit status. Throws InputError.
int run_command_line(Words words);

}  // namespace berth::cli
