#include "plan/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace berth {
namespace {

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

Tasks parse_tasks(std::string_view text) {
  Tasks tasks;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view task = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    if (task == "placement" || task == "place") continue;
    if (task == "schedule") {
      tasks.schedule = true;
    } else if (task == "fusion") {
      tasks.fusion = true;
    } else {
      const std::vector<std::string> known = {"placement", "schedule", "fusion"};
      throw InputError(fmt::format("there is no task {}; the tasks are {}{}", quoted(task),
                                   join_names(known), did_you_mean(task, known)),
                       {.code = ErrorCode::unknown_name, .subject = std::string(task)});
    }
  }
  return tasks;
}

std::string format_tasks(Tasks tasks) {
  std::string text = "placement";
  if (tasks.schedule) text += ",schedule";
  if (tasks.fusion) text += ",fusion";
  return text;
}

}  // namespace berth
