#include "cli/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.h"
#include "base/file.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;

bool is_stdout(const std::string& path) {
  return path == "-" || path == "/dev/stdout" || path == "/dev/fd/1";
}

bool same_file(const std::string& left, const std::string& right) {
  std::error_code failed;
  if (fs::equivalent(left, right, failed) && !failed) return true;
  const fs::path whole_left = fs::weakly_canonical(fs::absolute(left, failed), failed);
  const fs::path whole_right = fs::weakly_canonical(fs::absolute(right, failed), failed);
  return !whole_left.empty() && whole_left == whole_right;
}

void require_place(const OutputFile& output) {
  const fs::path path(output.path);
  std::error_code failed;
  if (fs::is_directory(path, failed)) {
    throw InputError(
        fmt::format("{} {} is a directory; name a file in it", output.option, quoted(output.path)));
  }
  const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
  if (!fs::is_directory(directory, failed)) {
    throw InputError(fmt::format("{} {} cannot be written: there is no directory {}", output.option,
                                 quoted(output.path), quoted(directory.string())));
  }
  // An existing pipe or device is written to as it is; anything else needs room beside it.
  const bool special = fs::exists(path, failed) && !fs::is_regular_file(path, failed);
  if (!special && ::access(directory.c_str(), W_OK) != 0) {
    throw InputError(fmt::format("{} {} cannot be written: the directory {} is not writable",
                                 output.option, quoted(output.path), quoted(directory.string())));
  }
}

void require_apart(const OutputFile& output, std::span<const OutputFile> others,
                   std::span<const std::string> inputs) {
  for (const std::string& input : inputs) {
    if (!same_file(output.path, input)) continue;
    throw InputError(fmt::format("{} {} would overwrite the input {}; choose another name",
                                 output.option, quoted(output.path), quoted(input)));
  }
  for (const OutputFile& other : others) {
    if (other.path.empty() || !same_file(output.path, other.path)) continue;
    throw InputError(fmt::format("{} and {} both write to {}; choose two names", other.option,
                                 output.option, quoted(output.path)));
  }
}

}  // namespace

void check_outputs(std::span<const OutputFile> outputs, std::span<const std::string> inputs,
                   Console& console) {
  const OutputFile* on_stdout = nullptr;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const OutputFile& output = outputs[i];
    if (output.path.empty()) continue;
    if (is_stdout(output.path)) {
      if (on_stdout) {
        throw InputError(
            fmt::format("{} and {} both write to standard output; name a file for one of them",
                        on_stdout->option, output.option));
      }
      on_stdout = &output;
      console.yield_stdout();
      continue;
    }
    require_place(output);
    require_apart(output, outputs.first(i), inputs);
  }
}

void require_file(const OutputFile& output) {
  if (!is_stdout(output.path)) return;
  throw InputError(fmt::format("{} cannot write to standard output; name a file", output.option));
}

OutputLock::OutputLock(const OutputFile& output) {
  if (output.path.empty()) return;
  lock_.emplace(output.path, fmt::format("{} {}", output.option, quoted(output.path)));
}

void write_output(const OutputFile& output, const std::function<std::string()>& content) {
  if (output.path.empty()) return;
  write_file(is_stdout(output.path) ? "/dev/stdout" : output.path, content());
}

void PictureArguments::declare(Arguments& arguments) {
  arguments.option("--report", "FILE", report.path, "Write an HTML page about the plan.");
  arguments.option("--trace", "FILE", trace.path, "Write the step as a trace for ui.perfetto.dev.");
  arguments.option("--dot", "FILE", dot.path, "Write the graph for Graphviz (small graphs).");
}

}  // namespace berth::cli
