// The end of `place`, `simulate` and `compare`: one plan explained, written and shown.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/outputs.h"
#include "cli/setting.h"
#include "report/analysis.h"
#include "report/comparison.h"
#include "report/html/html_origin.h"

namespace berth::cli {

// A file that was written, and what it is for.
struct Written {
  std::string path;
  std::string what;
};

// Writes the pictures that were asked for.
std::vector<Written> write_pictures(const PictureArguments& pictures,
                                    const report::Heading& heading,
                                    const report::Analysis& analysis,
                                    std::span<const report::Reference> references,
                                    std::span<const report::ComparisonRow> rows,
                                    const Console& console);

// "wrote FILE  what it is for", a line each.
std::string written_text(const std::vector<Written>& written);

// What was written where, and how to go on from there. `plan_path` may be empty.
std::string what_next(const std::vector<Written>& written, const SettingArguments& arguments,
                      const std::string& plan_path);

// MODEL, --cluster and how to read them, as a command line has them.
std::string setting_words(const SettingArguments& arguments);

// The command line of `berth COMMAND ...`, as a shell takes it.
std::string command_line(std::string_view command, std::span<const std::string> words);

// What a page says it comes from, with the time of the clock.
report::Origin origin_now(const std::string& command);

}  // namespace berth::cli
