// berth completion and berth manual: what packages install beside the program.
#include <fmt/format.h>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/console.h"
#include "cli/manual.h"

namespace berth::cli {

int completion_command(Words words) {
  std::string shell;
  Arguments arguments("completion", "Prints the completion script of a shell.");
  arguments.positional("SHELL", shell, "bash or zsh.");
  arguments.example("source <(berth completion bash)", "in this shell");
  if (!arguments.parse(words)) return kDone;
  const bool bash = shell == "bash";
  if (!bash && shell != "zsh") {
    throw InputError(fmt::format("berth completion supports bash and zsh, not {}", quoted(shell)));
  }
  const std::vector<CommandDescription> commands = describe_commands();
  Console().answer(bash ? bash_completion(commands) : zsh_completion(commands));
  return kDone;
}

int manual_command(Words words) {
  Arguments arguments("manual", "Prints the manual page.");
  arguments.example("berth manual | man -l -", "read it");
  if (!arguments.parse(words)) return kDone;
  Console().answer(manual_page(describe_commands()));
  return kDone;
}

}  // namespace berth::cli
