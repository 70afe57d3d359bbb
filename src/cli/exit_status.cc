#include "cli/exit_status.h"

#include <unistd.h>

#include <csignal>
#include <new>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/outside_error.h"

namespace berth::cli {
namespace {

constexpr std::string_view kReport = "this is a bug in berth, please report it: ";

Ending bug(const std::string& what) { return {kOurBug, std::string(kReport) + what}; }

// Only what is allowed in a handler of signals. The assertion itself stands in the line before,
// where the library has printed it.
extern "C" void end_as_bug(int) {
  constexpr std::string_view kSentence =
      "berth: error: this is a bug in berth, please report it: an internal check failed; please "
      "add the command and any line above this one\n";
  (void)!::write(STDERR_FILENO, kSentence.data(), kSentence.size());
  ::_exit(kOurBug);
}

}  // namespace

Ending ending_of(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const InputError& error) {
    return {kBadInput, error.what()};
  } catch (const OutsideError& error) {
    return {kOutsideFailed, error.what()};
  } catch (const std::bad_alloc&) {
    return {kOutsideFailed,
            "there is not enough memory for this model, cluster and method; free some, or raise "
            "the limit of the process (ulimit -v)"};
  } catch (const std::system_error& error) {
    return {kOutsideFailed, std::string("the operating system reported: ") + error.what()};
  } catch (const std::exception& error) {
    return bug(error.what());
  } catch (...) {
    return bug("an exception of an unknown type");
  }
}

void install_bug_handler() { std::signal(SIGABRT, end_as_bug); }

}  // namespace berth::cli
