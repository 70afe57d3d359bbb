// The files that a command writes about a plan, checked before the work begins: a search of an hour
// must not end with "no such directory", and `-o model.json` must not overwrite the model.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/file_lock.h"
#include "cli/arguments.h"
#include "cli/console.h"

namespace berth::cli {

struct OutputFile {
  std::string option;  // "--report", for messages
  std::string path;    // empty when not asked for; "-" is standard output
};

// Throws InputError when an output is an input or another output, its directory is not there, or
// two want standard output; moves the console's answer out of the way when one does.
void check_outputs(std::span<const OutputFile> outputs, std::span<const std::string> inputs,
                   Console& console);

// Throws InputError when the output is standard output, for files that are written in steps or read
// again.
void require_file(const OutputFile& output);

// Locks an output that is written in steps against a second process, until it goes out of scope.
// Throws InputError when another process has it. Does nothing where the path is empty.
class OutputLock {
 public:
  explicit OutputLock(const OutputFile& output);

 private:
  std::optional<FileLock> lock_;
};

// Writes the file completely or not at all; `content` is called only if there is a path.
void write_output(const OutputFile& output, const std::function<std::string()>& content);

// The pictures of a plan.
struct PictureArguments {
  std::string command = {};  // that asks for them, for the report to name
  OutputFile report{"--report", ""};
  OutputFile trace{"--trace", ""};
  OutputFile dot{"--dot", ""};
  void declare(Arguments& arguments);
};

}  // namespace berth::cli
