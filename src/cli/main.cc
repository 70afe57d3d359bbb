// The berth program: finds the command, and turns whatever goes wrong into one sentence.
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "base/error.h"
#include "cli/commands.h"
#include "cli/console.h"

int main(int argc, char** argv) {
  // A file that grows beyond what the user may write is an error like a full disk, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    const int status = berth::run_command_line(words);
    berth::flush_stdout();
    return status;
  } catch (const berth::InputError& error) {
    berth::print_error(error.what());
  } catch (const std::bad_alloc&) {
    berth::print_error(
        "the memory of this machine is not enough for this model, cluster and method");
  } catch (const std::exception& error) {
    berth::print_error(std::string("this is a bug in berth, please report it: ") + error.what());
  }
  return berth::kBadInput;
}
