// Where the output of a command goes. The answer for people goes to stdout; with --json stdout
// holds one JSON object and nothing else; warnings and remarks go to stderr, so that pipes stay
// clean.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "report/text.h"

namespace berth::cli {

class Console {
 public:
  void declare(Arguments& arguments);       // --json and --quiet
  void declare_json(Arguments& arguments);  // --json alone

  bool json() const { return json_; }
  bool quiet() const { return quiet_; }
  // A file is being written to stdout, so the answer for people moves to stderr.
  void yield_stdout();

  // Whether the answer is visible while it is produced, on a terminal where it can be erased.
  bool live() const;
  // Makes the answer so far visible.
  void flush() const;

  // Silent with --json or --quiet.
  void answer(std::string_view text) const;
  // The one JSON object; to be called only with --json.
  void object(std::string_view text) const;
  // A sentence is printed only once.
  void warn(std::string_view sentence) const;
  void warn_all(const std::vector<std::string>& sentences) const;

  report::Ink ink() const;

 private:
  bool json_ = false;
  bool quiet_ = false;
  bool stdout_taken_ = false;
  mutable std::set<std::string, std::less<>> warned_;
};

// "berth: error: ..." on stderr.
void print_error(std::string_view sentence);

// Throws InputError when what was printed did not reach stdout (a full disk).
void flush_stdout();

}  // namespace berth::cli
