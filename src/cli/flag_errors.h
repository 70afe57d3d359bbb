// Errors of the layers below, in the words of the command line.
//
// Those layers do not know the flags: they say what is wrong and, as the subject of the error
// (base/error.h), which option or dimension it is about. Here the flag that sets it is added, so
// that the user reads what to type. A program that calls the library reads the sentence without it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace berth::cli {

// "--finetune: SENTENCE", for text that came from this flag.
InputError with_flag(std::string_view flag, const InputError& error);

// The flag that sets an option of the layers below, by the subject that errors about it have.
struct OptionFlag {
  std::string_view subject;
  std::string_view flag;
};
// With the flag before the sentence where the error is a bad_option with one of these subjects;
// else the error as it is.
InputError with_flags(const std::vector<OptionFlag>& flags, const InputError& error);

// For errors about a model: what --dim could fix, with the words to type for dimensions without a
// size. `dims_given`: sizes were given already, so they may be what is too large.
InputError with_dim_flags(const InputError& error, bool dims_given);

// Calls `work` and adds the flag to the error it may throw.
template <class Work>
auto naming_flag(std::string_view flag, const Work& work) {
  try {
    return work();
  } catch (const InputError& error) {
    throw with_flag(flag, error);
  }
}

}  // namespace berth::cli
