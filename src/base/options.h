// Options of methods and workloads. An option is one record (name, type, default, range, sentence)
// that drives parsing, validation, help text and documentation alike, so they cannot disagree.
//
// Both spellings mean the same; the second needs no quotes in a shell:
//   anneal(restarts=4,seed=1)      anneal:restarts=4:seed=1
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace berth {

struct OptionSpec {
  enum class Type { integer, real, boolean, text, choice };
  std::string name;
  Type type = Type::integer;
  std::string default_value;
  std::string sentence;  // what it does, for help: "Number of ops."
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  std::vector<std::string> choices = {};
};

// What values it takes, for help and messages: "a whole number from 1 to 100", "on or off".
std::string describe_values(const OptionSpec& spec);

// A name with the options written after it, not yet checked against any specification.
struct Call {
  std::string name;
  std::vector<std::pair<std::string, std::string>> options;
};

// Throws InputError on broken syntax ("anneal(restarts=4": missing parenthesis). Names are made of
// letters, digits and _ + . -; a value may hold calls of its own, auto(start=random(tries=3)). In
// the second spelling a colon begins a new option only if NAME= follows, so that
// random:device=gpu:0:tries=3 means what it seems to.
Call parse_call(std::string_view text);

// Splits at commas outside parentheses: "etf,random(tries=10),sct". Empty items are an error.
std::vector<std::string> split_list(std::string_view text);

// The values of a call: every specified option has one, given or default, and it is in range.
class Options {
 public:
  // Throws InputError for an unknown option (listing the valid ones) or a value of the wrong type
  // or range. `owner` names the method or workload in messages.
  Options(std::string_view owner, const std::vector<OptionSpec>& specs, const Call& call);
  Options() = default;

  bool has(std::string_view name) const;  // whether there is such an option at all
  std::int64_t integer(std::string_view name) const;
  double real(std::string_view name) const;
  bool boolean(std::string_view name) const;
  const std::string& text(std::string_view name) const;  // text and choice

  // The canonical call, given options only: "random(tries=10)", or the bare name.
  const std::string& canonical() const { return canonical_; }
  // The same with every option, so that it means the same when defaults change.
  std::string complete() const;

 private:
  struct Value {
    std::string name;
    OptionSpec::Type type = OptionSpec::Type::text;
    std::string text;
    double number = 0;
    std::int64_t integer = 0;
    bool given = false;
  };
  static bool parse_value(const OptionSpec& spec, std::string_view text, Value& value);
  const Value& find(std::string_view name) const;
  std::string written(bool with_defaults) const;

  std::string name_;  // as in the call
  std::vector<Value> values_;
  std::string canonical_;
};

}  // namespace berth
