// The berth program: finds the command, and turns whatever goes wrong into one sentence.
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"
#include "base/map_guard.h"
#include "base/outside_error.h"
#include "cli/commands.h"
#include "cli/console.h"

namespace {

int fail(int status, const std::string& sentence) {
  berth::cli::print_error(sentence);
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace berth;       // NOLINT(google-build-using-namespace)
  using namespace berth::cli;  // NOLINT(google-build-using-namespace)
  // A file that grows beyond what the user may write is an error like a full disk, not the end.
  std::signal(SIGXFSZ, SIG_IGN);
  install_map_guard();
  try {
    const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
    const int status = run_command_line(words);
    flush_stdout();
    return status;
  } catch (const InputError& error) {
    return fail(kBadInput, error.what());
  } catch (const OutsideError& error) {
    return fail(kOutsideFailed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(
        kOutsideFailed,
        "the memory this process may have is not enough for this model, cluster and method");
  } catch (const std::system_error& error) {
    return fail(kOutsideFailed, std::string("the operating system reported: ") + error.what());
  } catch (const std::exception& error) {
    return fail(kOurBug, std::string("this is a bug in berth, please report it: ") + error.what());
  }
}
