#include "cli/exit_status.h"

#include <gtest/gtest.h>

#include <cassert>
#include <functional>
#include <new>
#include <stdexcept>
#include <system_error>

#include "base/error.h"
#include "base/outside_error.h"

namespace berth::cli {
namespace {

template <class Failure>
Ending ending(const Failure& failure) {
  return ending_of(std::make_exception_ptr(failure));
}

TEST(ExitStatus, WrongInputIsTwo) {
  const Ending wrong = ending(InputError("no such file", {.code = ErrorCode::unknown_name}));
  EXPECT_EQ(wrong.status, 2);
  EXPECT_EQ(wrong.sentence, "no such file");
}

TEST(ExitStatus, WhatFailsOutsideIsOne) {
  EXPECT_EQ(ending(OutsideError("the disk is full")).status, 1);
  EXPECT_EQ(ending(OutsideError("the disk is full")).sentence, "the disk is full");
  EXPECT_EQ(ending(std::bad_alloc()).status, 1);
  EXPECT_EQ(ending(std::system_error(std::make_error_code(std::errc::io_error))).status, 1);
}

TEST(ExitStatus, EverythingElseIsABug) {
  const Ending bug = ending(std::logic_error("an op has no device"));
  EXPECT_EQ(bug.status, 70);
  EXPECT_EQ(bug.sentence, "this is a bug in berth, please report it: an op has no device");
  EXPECT_EQ(ending(std::runtime_error("odd")).status, 70);
  EXPECT_EQ(ending(std::out_of_range("odd")).status, 70);
  EXPECT_EQ(ending(42).status, 70);
  EXPECT_NE(ending(42).sentence.find("please report it"), std::string::npos);
}

TEST(ExitStatusDeathTest, AFailedAssertionIsABug) {
  const auto fail = [] {
    install_bug_handler();
    const int ops = 1;
    assert(ops == 2);
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(70), "ops == 2.*\n.*please report it");
}

TEST(ExitStatusDeathTest, AnExceptionThatNothingCatchesIsABug) {
  const std::function<void()> thrower = [] { throw InputError("nothing can catch this"); };
  const auto fail = [&]() noexcept {
    install_bug_handler();
    thrower();
  };
  EXPECT_EXIT(fail(), testing::ExitedWithCode(70), "please report it");
}

}  // namespace
}  // namespace berth::cli
