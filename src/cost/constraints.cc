#include "cost/constraints.h"

#include <fmt/format.h>

#include <array>
#include <unordered_set>

#include "base/error.h"
#include "base/json_format.h"
#include "base/json_reader.h"
#include "base/utf8.h"

namespace berth {
namespace {

enum ConstraintsKey : std::size_t { kFormat, kVersion, kPin, kForbid, kColocate };
constexpr std::array<std::string_view, 5> kConstraintsKeys = {"format", "version", "pin", "forbid",
                                                              "colocate"};

std::string read_name(JsonReader& reader, std::string_view what) {
  const std::string_view name = reader.read_string();
  if (name.empty()) reader.fail(fmt::format("{} is empty", what));
  return std::string(name);
}

std::vector<std::string> read_list(JsonReader& reader, std::string_view item,
                                   std::string_view list) {
  std::vector<std::string> names;
  reader.begin_array();
  const std::size_t position = reader.position();
  while (reader.next_element()) names.push_back(read_name(reader, item));
  if (names.empty()) reader.fail_at(position, fmt::format("{} is empty; name at least one", list));
  return names;
}

void read_pins(JsonReader& reader, Constraints& constraints) {
  std::unordered_set<std::string_view> seen;
  reader.begin_object();
  while (const auto key = reader.next_key()) {
    if (key->empty()) reader.fail("an op or pattern in \"pin\" is empty");
    if (!seen.insert(*key).second) {
      reader.fail(
          fmt::format("{} is pinned twice; give all its devices in one list", quoted(*key)));
    }
    Constraints::Pin pin{.pattern = std::string(*key), .devices = {}};
    constexpr std::string_view kItem = "a device in \"pin\"";
    if (reader.peek() == JsonReader::Kind::array) {
      pin.devices = read_list(reader, kItem, "the list of devices of " + quoted(*key));
    } else {
      pin.devices.push_back(read_name(reader, kItem));
    }
    constraints.pins.push_back(std::move(pin));
  }
}

void read_forbidden(JsonReader& reader, Constraints& constraints) {
  reader.begin_array();
  while (reader.next_element()) {
    constraints.forbidden_devices.push_back(read_name(reader, "a device in \"forbid\""));
  }
}

void read_colocated(JsonReader& reader, Constraints& constraints) {
  reader.begin_array();
  while (reader.next_element()) {
    constraints.colocated.push_back(
        read_list(reader, "an op or pattern in \"colocate\"", "a list in \"colocate\""));
  }
}

// One of the characters in brackets, ranges such as a-z included. `at` stands behind the opening
// bracket and is moved behind the closing one, which must be there.
bool set_matches(std::string_view pattern, std::size_t& at, char32_t character) {
  bool found = false;
  const auto next = [&] {
    const CodePoint point = decode_utf8(pattern, at);
    at += point.length == 0 ? 1 : point.length;
    return point.value;
  };
  do {
    const char32_t low = next();
    char32_t high = low;
    const bool range = at + 1 < pattern.size() && pattern[at] == '-' && pattern[at + 1] != ']';
    if (range) {
      ++at;
      high = next();
    }
    found = found || (low <= character && character <= high);
  } while (pattern[at] != ']');
  ++at;
  return found;
}

// Whether an opening bracket at `at` begins a set: it must be closed, with something inside.
bool begins_set(std::string_view pattern, std::size_t at) {
  return pattern[at] == '[' && pattern.find(']', at + 2) != std::string_view::npos;
}

// Matches one character of `name` at `name_at` against the pattern at `pattern_at`, and moves both.
bool match_one(std::string_view pattern, std::size_t& pattern_at, std::string_view name,
               std::size_t& name_at) {
  const CodePoint point = decode_utf8(name, name_at);
  const std::size_t length = point.length == 0 ? 1 : point.length;
  bool matches = true;
  if (pattern[pattern_at] == '?') {
    ++pattern_at;
  } else if (begins_set(pattern, pattern_at)) {
    ++pattern_at;
    matches = set_matches(pattern, pattern_at, point.value);
  } else {
    matches = pattern.substr(pattern_at).starts_with(name.substr(name_at, length));
    pattern_at += length;
  }
  name_at += length;
  return matches;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view name) {
  if (pattern == name) return true;  // names may hold brackets and stars of their own
  std::size_t pattern_at = 0;
  std::size_t name_at = 0;
  // Only the last star needs to be reconsidered: a later one can take up whatever an earlier did.
  std::size_t star = std::string_view::npos;
  std::size_t star_name = 0;
  while (name_at < name.size()) {
    if (pattern_at < pattern.size() && pattern[pattern_at] == '*') {
      star = pattern_at++;
      star_name = name_at;
      continue;
    }
    if (pattern_at < pattern.size() && match_one(pattern, pattern_at, name, name_at)) continue;
    if (star == std::string_view::npos) return false;
    pattern_at = star + 1;
    const std::size_t length = decode_utf8(name, star_name).length;
    star_name += length == 0 ? 1 : length;
    name_at = star_name;
  }
  while (pattern_at < pattern.size() && pattern[pattern_at] == '*') ++pattern_at;
  return pattern_at >= pattern.size();
}

Constraints parse_constraints(std::string_view text, std::string_view source,
                              std::vector<std::string>* warnings) {
  check_format(text, source, "berth.constraints");
  Constraints constraints;
  constraints.source = source;
  JsonReader reader(text, source);
  ObjectKeys keys("a constraints file", kConstraintsKeys);
  keys.begin(reader);
  while (const auto key = keys.next(reader)) {
    switch (static_cast<ConstraintsKey>(*key)) {
      case kFormat:
      case kVersion:
        reader.skip();  // checked by now
        break;
      case kPin:
        read_pins(reader, constraints);
        break;
      case kForbid:
        read_forbidden(reader, constraints);
        break;
      case kColocate:
        read_colocated(reader, constraints);
        break;
    }
  }
  reader.expect_end();
  keys.add_warnings(reader, warnings);
  return constraints;
}

}  // namespace berth
