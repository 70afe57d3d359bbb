// Commands of a Markdown page, so that a test can run what a reader would type.
//
// A command is a line of a fenced block. In a block with prompts every line after "$ " is one, and
// the lines below it are what it prints; in a block without prompts every line that calls berth is
// one, and nothing is said of what it prints. A backslash at the end of a line joins the next one.
// Blocks of cpp and json hold no commands.
//
// Comments directly before the block say how it is to be run:
//
//   <!-- not run: takes 18 minutes -->        nothing of the block runs
//   <!-- needs: learned methods -->           runs only where Berth is built with them
//   <!-- run with: --budget 50evals -->       replaces the values of these options
//   <!-- exit status: 3 -->                   of every command of the block, else 0
//   <!-- file: graph.json -->                 the block is this file, for the commands of the page
//   <!-- quote: examples/a.cc -->             nothing: it says which file the block is a part of
//
// A comment of another kind before a block is an error, so a misspelt one is not overlooked.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace berth::docs {

struct Command {
  int line = 0;                    // of the page, from 1
  std::string text;                // as it is run
  std::vector<std::string> shown;  // what the page says it prints; empty: nothing is said
  int exit_status = 0;
  std::string not_run;  // the reason, where it is not to be run
  bool needs_learned_methods = false;
};

struct Page {
  std::vector<Command> commands;
  std::vector<std::pair<std::string, std::string>> files;  // name and text
};

// Throws std::runtime_error with the line where a page cannot be understood.
Page read_page(const std::string& text);

// What differs between the lines a page shows and those that were printed, or nothing. Spaces count
// as one, the time of a search counts as any other, and a line "..." stands for any lines.
std::optional<std::string> difference(const std::vector<std::string>& shown,
                                      const std::string& printed);

}  // namespace berth::docs
