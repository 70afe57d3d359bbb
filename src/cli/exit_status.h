// How the program ends: the exit statuses, and which failure ends with which.
//
//   0   done
//   1   something outside failed: no memory, no threads, a full disk
//   2   the input is wrong; the sentence says what would be right
//   3   no plan was found that fits in memory
//   70  a bug in Berth (EX_SOFTWARE of sysexits.h); the sentence asks for a report
//
// Scripts decide by these numbers, so a bug must never look like wrong input. Every exception that
// is not known to mean something else counts as a bug. Assertions stay on in Release and end in
// abort(); install_bug_handler() turns that into status 70 as well. It does not catch signals such
// as SIGSEGV: after one of these nothing the process says can be trusted.
#pragma once

#include <exception>
#include <string>

namespace berth::cli {

inline constexpr int kDone = 0;
inline constexpr int kOutsideFailed = 1;
inline constexpr int kBadInput = 2;
inline constexpr int kNoFeasiblePlan = 3;
inline constexpr int kOurBug = 70;

struct Ending {
  int status = kDone;
  std::string sentence;  // for stderr
};

// How the program ends on an exception that no command has caught.
Ending ending_of(const std::exception_ptr& failure);

// From now on a failed assertion, or an exception that nothing can catch, prints a sentence that
// asks for a report and exits with kOurBug. Called once, by main(): signals belong to the process.
void install_bug_handler();

}  // namespace berth::cli
