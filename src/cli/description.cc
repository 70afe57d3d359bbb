#include "cli/description.h"

#include <cassert>

#include "cli/commands.h"

namespace berth::cli {
namespace {

CommandDescription describe(const Command& command, Words words) {
  try {
    command.run(words);
  } catch (const Described& answer) {
    return answer.description;
  }
  assert(false && "a command reads its words through Arguments");
  return {};
}

}  // namespace

std::vector<CommandDescription> describe_commands() {
  std::vector<CommandDescription> all;
  for (const Command& command : commands()) {
    if (command.hidden) continue;
    const std::string request[] = {kDescribe};
    all.push_back(describe(command, request));
    for (const std::string& below : command.below) {
      const std::string request_below[] = {below, kDescribe};
      all.push_back(describe(command, request_below));
    }
  }
  return all;
}

}  // namespace berth::cli
