#include "base/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>

#include "base/decimal.h"
#include "base/error.h"

namespace berth {
namespace {

using Type = OptionSpec::Type;

std::string describe_range(const OptionSpec& spec) {
  const bool has_low = std::isfinite(spec.low);
  const bool has_high = std::isfinite(spec.high);
  if (has_low && has_high) return fmt::format(" from {} to {}", spec.low, spec.high);
  if (has_low) return fmt::format(" of at least {}", spec.low);
  if (has_high) return fmt::format(" of at most {}", spec.high);
  return {};
}

bool parse_real(std::string_view text, double& number) {
  const Decimal decimal = parse_decimal(text);
  if (decimal.length == 0 || decimal.length != text.size()) return false;
  if (!std::isfinite(decimal.value)) return false;
  number = decimal.value;
  return true;
}

bool parse_boolean(std::string_view text, bool& flag) {
  constexpr std::string_view kOn[] = {"on", "true", "yes", "1"};
  constexpr std::string_view kOff[] = {"off", "false", "no", "0"};
  flag = std::find(std::begin(kOn), std::end(kOn), text) != std::end(kOn);
  return flag || std::find(std::begin(kOff), std::end(kOff), text) != std::end(kOff);
}

bool has_outer_comma(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (c == ',' && depth == 0) return true;
  }
  return false;
}

}  // namespace

std::string describe_values(const OptionSpec& spec) {
  switch (spec.type) {
    case Type::integer:
      return "a whole number" + describe_range(spec);
    case Type::real:
      return "a number" + describe_range(spec);
    case Type::boolean:
      return "on or off";
    case Type::text:
      return "text";
    case Type::choice:
      return "one of " + join_names(spec.choices);
  }
  return {};
}

// Puts what `text` means into `value`; false if it is not what the option takes.
bool Options::parse_value(const OptionSpec& spec, std::string_view text, Value& value) {
  value.text = text;
  switch (spec.type) {
    case Type::integer:
      if (const auto integer = parse_whole_number(text)) {
        value.integer = *integer;
      } else {
        return false;
      }
      value.number = static_cast<double>(value.integer);
      value.text = fmt::format("{}", value.integer);
      break;
    case Type::real:
      if (!parse_real(text, value.number)) return false;
      break;
    case Type::boolean: {
      bool flag = false;
      if (!parse_boolean(text, flag)) return false;
      value.integer = flag ? 1 : 0;
      value.text = flag ? "on" : "off";
      return true;
    }
    case Type::text:
      return true;
    case Type::choice:
      return std::find(spec.choices.begin(), spec.choices.end(), text) != spec.choices.end();
  }
  return value.number >= spec.low && value.number <= spec.high;
}

Options::Options(std::string_view owner, const std::vector<OptionSpec>& specs, const Call& call) {
  std::vector<std::string> names;
  for (const OptionSpec& spec : specs) {
    names.push_back(spec.name);
    Value& value = values_.emplace_back();
    value.name = spec.name;
    value.type = spec.type;
    const bool default_is_right = parse_value(spec, spec.default_value, value);
    assert(default_is_right && "the default of an option must be in its own range");
    (void)default_is_right;
  }
  for (const auto& [name, text] : call.options) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      throw InputError(
          names.empty() ? fmt::format("{} has no options; leave out {}", owner, quoted(name))
                        : fmt::format("{} has no option {}; its options are {}{}", owner,
                                      quoted(name), join_names(names), did_you_mean(name, names)),
          {.code = ErrorCode::unknown_name, .subject = std::string(name)});
    }
    const auto index = static_cast<std::size_t>(found - names.begin());
    Value& value = values_[index];
    if (value.given) {
      throw InputError(
          fmt::format("option {} of {} is given twice; give it once", quoted(name), owner));
    }
    if (!parse_value(specs[index], text, value)) {
      throw InputError(fmt::format("option {} of {} must be {} but is {}{}", quoted(name), owner,
                                   describe_values(specs[index]), quoted(text),
                                   did_you_mean(text, specs[index].choices)),
                       {.code = ErrorCode::bad_option, .subject = std::string(name)});
    }
    value.given = true;
  }
  name_ = call.name.empty() ? owner : std::string_view(call.name);
  canonical_ = written(false);
}

std::string Options::complete() const { return written(true); }

std::string Options::written(bool with_defaults) const {
  const auto shown = [&](const Value& value) { return with_defaults || value.given; };
  // A value with a comma can only have come in the spelling with colons.
  const bool colons = std::any_of(values_.begin(), values_.end(), [&](const Value& value) {
    return shown(value) && has_outer_comma(value.text);
  });
  bool first = true;
  std::string text = name_;
  for (const Value& value : values_) {
    if (!shown(value)) continue;
    text += colons ? ':' : first ? '(' : ',';
    text += value.name;
    text += '=';
    text += value.text;
    first = false;
  }
  if (!first && !colons) text += ')';
  return text;
}

const Options::Value& Options::find(std::string_view name) const {
  const auto found = std::find_if(values_.begin(), values_.end(),
                                  [&](const Value& value) { return value.name == name; });
  assert(found != values_.end() && "an option is read that was not specified");
  return *found;
}

bool Options::has(std::string_view name) const {
  return std::any_of(values_.begin(), values_.end(),
                     [&](const Value& value) { return value.name == name; });
}

std::int64_t Options::integer(std::string_view name) const {
  const Value& value = find(name);
  assert(value.type == Type::integer);
  return value.integer;
}

double Options::real(std::string_view name) const {
  const Value& value = find(name);
  assert(value.type == Type::real || value.type == Type::integer);
  return value.number;
}

bool Options::boolean(std::string_view name) const {
  const Value& value = find(name);
  assert(value.type == Type::boolean);
  return value.integer != 0;
}

const std::string& Options::text(std::string_view name) const {
  const Value& value = find(name);
  assert(value.type == Type::text || value.type == Type::choice);
  return value.text;
}

}  // namespace berth
