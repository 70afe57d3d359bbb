// The only exception that functions of the library throw.
//
// what() is one sentence for people: it names the file or the value, what was found and what is
// expected. code() tells a program what to do about it.
//
// A plan that does not fit and a search that was stopped are results, not errors: functions return
// them as values. An exception of a callback (a progress function, your own placer) passes through
// unchanged.
#pragma once

#include <stdexcept>
#include <string>

#include "berth/export.h"

namespace berth::v1 {

enum class ErrorCode {
  // Errors of the caller: what() says what is expected.
  bad_input,       // a value is wrong, in a way that has no code of its own
  unknown_name,    // the subject is the name that was not found
  bad_file,        // a file cannot be read, or breaks its format; the place says where
  bad_option,      // the subject is the option
  open_dimension,  // a dimension of an ONNX file has no size yet; the subject is its name
  too_large,       // a size or a sum of sizes does not fit in 63 bits
  invalid_plan,    // a plan breaks a rule of the problem
  conflict,        // inputs that are valid on their own contradict each other
  does_not_apply,  // the method has no plan for this problem; the subject is the method
  // Other errors.
  outside,        // such as a full disk; a later attempt may work
  out_of_memory,  // there is not enough memory
  internal        // a bug in Berth
};

class BERTH_API Error : public std::runtime_error {
 public:
  Error(ErrorCode code, const std::string& sentence, std::string subject = "",
        std::string place = "");
  Error(const Error&);
  Error& operator=(const Error&);
  ~Error() override;

  ErrorCode code() const noexcept { return code_; }
  // What the error is about: a file, a preset, an op, a device, a method. Empty only for internal.
  const std::string& subject() const noexcept { return subject_; }
  // Where it was found: "graph.json:3:17"; empty if there is none.
  const std::string& place() const noexcept { return place_; }

 private:
  ErrorCode code_;
  std::string subject_;
  std::string place_;
};

}  // namespace berth::v1
