#include "plan/tasks.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/decimal.h"
#include "base/error.h"

namespace berth {

Tasks parse_tasks(std::string_view text) {
  Tasks tasks;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string_view task = trimmed(text.substr(begin, end - begin));
    begin = end + 1;
    // Always decided; naming it changes nothing.
    if (task == "placement" || task == "place") continue;
    if (task == "schedule") {
      tasks.schedule = true;
    } else if (task == "fusion" || task == "fuse") {
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
