#include "cost/constraints.h"

#include <fmt/format.h>

#include <array>
#include <unordered_set>

#include "base/error.h"
#include "base/json_format.h"
#include "base/json_reader.h"

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
    // The second list would silently replace or narrow the first; neither is certain to be meant.
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

}  // namespace

Constraints parse_constraints(std::string_view text, std::string_view source,
                              std::vector<std::string>* warnings) {
  check_format(text, source, "berth.constraints");
  Constraints constraints;
  constraints.source = source;
  JsonReader reader(text, source);
  ObjectKeys keys("a constraints file", kConstraintsKeys, UnknownKeys::refuse_misspelt);
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
