// The berth program: finds the command, and turns whatever goes wrong into one sentence and an exit
// status (cli/exit_status.h).
#include <csignal>
#include <exception>
#include <string>
#include <vector>

#include "base/map_guard.h"
#include "cli/commands.h"
#include "cli/console.h"
#include "cli/exit_status.h"

int main(int argc, char** argv) {
  using namespace berth::cli;  // NOLINT(google-build-using-namespace)
  // A file that grows beyond what the user may write is an error like a full disk, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  berth::install_map_guard();
  install_bug_handler();
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    const int status = run_command_line(words);
    flush_stdout();
    return status;
  } catch (...) {
    const Ending ending = ending_of(std::current_exception());
    print_error(ending.sentence);
    return ending.status;
  }
}
