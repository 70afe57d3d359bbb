#include "cli/answer.h"

#include <fmt/format.h>

#include <ctime>

#include "base/shell_word.h"
#include "report/chrome_trace.h"
#include "report/dot.h"
#include "report/html/html_report.h"
#include "report/table.h"

namespace berth::cli {

std::vector<Written> write_pictures(const PictureArguments& pictures,
                                    const report::Heading& heading,
                                    const report::Analysis& analysis,
                                    std::span<const report::Reference> references,
                                    std::span<const report::ComparisonRow> rows,
                                    const Console& console) {
  std::vector<Written> written;
  const auto write = [&](const OutputFile& output, const char* what,
                         const std::function<std::string()>& content) {
    if (output.path.empty()) return;
    write_output(output, content);
    written.push_back({output.path, what});
  };
  write(pictures.report, "the report; open it in a browser", [&] {
    return report::html_report({heading, analysis, references, rows, origin_now(pictures.command)});
  });
  write(pictures.trace, "the trace; open it at ui.perfetto.dev",
        [&] { return report::chrome_trace(analysis); });
  if (!pictures.dot.path.empty() && analysis.graph().op_count() > report::kMostOpsToDraw) {
    console.warn(fmt::format("Graphviz takes a long time for {} ops; --dot is meant for up to {}",
                             analysis.graph().op_count(), report::kMostOpsToDraw));
  }
  write(pictures.dot, "the graph; draw it with dot -Tsvg",
        [&] { return report::placement_dot(*analysis.problem, *analysis.plan); });
  return written;
}

std::string command_line(std::string_view command, std::span<const std::string> words) {
  std::string line = fmt::format("berth {}", command);
  for (const std::string& word : words) line += ' ' + shell_word(word);
  return line;
}

report::Origin origin_now(const std::string& command) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char date[32] = "";
  std::strftime(date, sizeof date, "%Y-%m-%d %H:%M UTC", &utc);
  return {command, date};
}

std::string written_text(const std::vector<Written>& written) {
  report::Table table({{""}, {""}});
  for (const Written& file : written) {
    table.add_row({"wrote " + report::plain_name(file.path, 60), file.what});
  }
  return table.to_text();
}

std::string setting_words(const SettingArguments& arguments) {
  std::string words =
      fmt::format("{} --cluster {}", shell_word(arguments.model), shell_word(arguments.cluster));
  if (!arguments.without.empty()) words += " --without " + shell_word(arguments.without);
  if (!arguments.mode.empty()) words += " --mode " + arguments.mode;
  if (!arguments.optimizer.empty()) words += " --optimizer " + arguments.optimizer;
  if (!arguments.precision.empty()) words += " --precision " + arguments.precision;
  for (const std::string& dim : arguments.dims) words += " --dim " + shell_word(dim);
  if (!arguments.constraints.empty())
    words += " --constraints " + shell_word(arguments.constraints);
  return words;
}

std::string what_next(const std::vector<Written>& written, const SettingArguments& arguments,
                      const std::string& plan_path) {
  const std::string out = written_text(written);
  if (plan_path.empty()) {
    const bool drawn = !written.empty();
    return out + fmt::format("add -o plan.json to keep the plan{}\n",
                             drawn ? "" : ", --report plan.html for a picture");
  }
  return out + fmt::format("next: berth lint {} --plan {}\n", setting_words(arguments),
                           shell_word(plan_path));
}

}  // namespace berth::cli
