// Errors of the user, as data and as a sentence.
//
// what() is one complete sentence (or a few) for a person: it names the file and the place, what
// was found and what would be right. The command line prints it and exits with status 2. A program
// that calls Berth can decide by the data that comes with it (kind of error, subject, place) and
// never has to search the sentence. Layers below the command line name no flags: they give the
// subject, and the command line adds the flag that sets it (cli/flag_errors.h).
//
// Bugs in Berth are assertions, and results (infeasible, budget spent) are data, not errors.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth {

// Only kinds that some caller distinguishes; everything else is bad_input.
enum class ErrorCode {
  bad_input,
  unknown_name,    // the subject is the name that was not found
  bad_file,        // a file cannot be read, or breaks its format; the place says where
  bad_option,      // the subject is the option, such as "dims", "optimizer" or "gpu"
  open_dimension,  // a dimension has no size yet; the subject is its name
  too_large,       // a size or a sum of sizes does not fit 63 bits
  invalid_plan,    // a plan breaks a rule of the problem
  conflict,        // inputs that are valid on their own contradict each other
  does_not_apply   // the method has no plan for this problem; the subject is the method
};

struct ErrorFacts {
  ErrorCode code = ErrorCode::bad_input;
  std::string subject = {};  // what it is about: a device, an op, a dimension, an option
  std::string place = {};    // "file:line:column", or the file alone; empty where there is none
};

class [[gnu::visibility("default")]] InputError : public std::runtime_error {
 public:
  explicit InputError(const std::string& sentence, ErrorFacts facts = {})
      : std::runtime_error(sentence), facts_(std::move(facts)) {}

  const ErrorFacts& facts() const { return facts_; }
  ErrorCode code() const { return facts_.code; }
  const std::string& subject() const { return facts_.subject; }
  const std::string& place() const { return facts_.place; }

  // The same error with another sentence, for a caller that knows more than the function that
  // threw.
  InputError reworded(const std::string& sentence) const { return InputError(sentence, facts_); }
  // With "SOURCE: " before the sentence, and the source as its place unless it has one already.
  InputError in(const std::string& source) const;

 private:
  ErrorFacts facts_;
};

// "a, b and c", for messages that list what would be right. Past `most` names the rest is counted.
std::string join_names(const std::vector<std::string>& names, std::size_t most = 20);

// `; did you mean "x"?` for the known name with the nearest spelling, or else one that is an
// abbreviation or extension of the text; empty if none is near.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

// The text in double quotes, control characters and broken UTF-8 escaped, long text shortened, so
// that a hostile name in a file cannot garble the terminal.
std::string quoted(std::string_view text);
// Exact matches, or a std::string would find std::quoted of <iomanip> instead.
inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }
inline std::string quoted(const char* text) { return quoted(std::string_view(text)); }

}  // namespace berth
