#include "base/json_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

#include "base/error.h"

namespace berth {
namespace {

constexpr std::int64_t kVersion = 1;
constexpr std::size_t kMostWarnings = 20;
constexpr auto kLargestNumber =
    static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());

// "a graph file" for "berth.graph".
std::string file_of(std::string_view format) {
  return fmt::format("a {} file", format.substr(format.find('.') + 1));
}

void check_format_value(JsonReader& reader, std::string_view format) {
  const std::string_view found = reader.read_string();
  if (found == format) return;
  reader.fail(fmt::format("\"format\" is {}; {} has \"format\": {}", quoted(found), file_of(format),
                          quoted(format)));
}

void check_version_value(JsonReader& reader) {
  constexpr std::int64_t kAnyVersion = 1'000'000;
  const std::int64_t found = reader.read_integer(0, kAnyVersion, "\"version\"");
  if (found == kVersion) return;
  reader.fail(fmt::format("\"version\" is {}; this program reads version {}", found, kVersion));
}

}  // namespace

void check_format(std::string_view text, std::string_view source, std::string_view format) {
  JsonReader reader(text, source);
  reader.begin_object();
  const std::size_t start = reader.position();
  bool has_format = false;
  // A version can only be judged when the format is known.
  std::optional<JsonReader> version;
  while (!has_format || !version) {
    const auto key = reader.next_key();
    if (!key) break;
    if (*key == "format" && !has_format) {
      check_format_value(reader, format);
      has_format = true;
    } else if (*key == "version" && !version) {
      version = reader;
      reader.skip();
    } else {
      reader.skip();
    }
  }
  const auto fail_missing = [&](std::string_view key, const std::string& value) {
    reader.fail_at(start, fmt::format("\"{}\" is missing; {} has \"{}\": {}", key, file_of(format),
                                      key, value));
  };
  if (!has_format) fail_missing("format", quoted(format));
  if (!version) fail_missing("version", std::to_string(kVersion));
  check_version_value(*version);
}

void write_unsigned(JsonWriter& json, std::string_view key, std::uint64_t number) {
  if (number <= kLargestNumber) {
    json.field(key, number);
  } else {
    json.field(key, std::to_string(number));
  }
}

std::uint64_t read_unsigned(JsonReader& reader, std::string_view what) {
  if (reader.peek() != JsonReader::Kind::string) {
    return static_cast<std::uint64_t>(
        reader.read_integer(0, std::numeric_limits<std::int64_t>::max(), what));
  }
  const std::string_view text = reader.read_string();
  std::uint64_t number = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) {
    reader.fail(fmt::format("{} must be a whole number of 64 bits but is {}", what, quoted(text)));
  }
  return number;
}

void judge_unknown_key(const JsonReader& reader, std::string_view key, std::string_view owner,
                       const std::vector<std::string>& known, UnknownKeys unknown_keys) {
  if (unknown_keys == UnknownKeys::warn) return;
  const std::string hint = did_you_mean(key, known);
  if (hint.empty() && unknown_keys == UnknownKeys::refuse_misspelt) return;
  reader.fail(fmt::format("the key {} of {} is unknown{}", quoted(key), owner,
                          hint.empty() ? "; known are " + join_names(known) : hint));
}

void ObjectKeys::begin(JsonReader& reader) {
  reader.begin_object();
  object_position_ = reader.position();
  ++object_;
  seen_ = 0;
}

std::optional<std::size_t> ObjectKeys::next(JsonReader& reader) {
  while (const auto key = reader.next_key()) {
    const auto found = std::find(known_.begin(), known_.end(), *key);
    if (found == known_.end()) {
      note_unknown(reader, *key);
      reader.skip();
      continue;
    }
    const auto number = static_cast<std::size_t>(found - known_.begin());
    if (has(number)) fail_repeated(reader, *key);
    seen_ |= 1u << number;
    return number;
  }
  return std::nullopt;
}

void ObjectKeys::require(const JsonReader& reader, std::size_t key) const {
  if (has(key)) return;
  reader.fail_at(object_position_, fmt::format("the key {} is missing; {} must have it",
                                               quoted(known_[key]), owner_));
}

void ObjectKeys::note_unknown(const JsonReader& reader, std::string_view key) {
  if (unknown_keys_ != UnknownKeys::warn) {
    judge_unknown_key(reader, key, owner_, {known_.begin(), known_.end()}, unknown_keys_);
  }
  Unknown& unknown = unknown_[std::string(key)];
  if (unknown.last_object == object_) fail_repeated(reader, key);
  if (unknown.count++ == 0) unknown.first_position = reader.position();
  unknown.last_object = object_;
}

void ObjectKeys::fail_repeated(const JsonReader& reader, std::string_view key) const {
  reader.fail(fmt::format("the key {} of {} is given twice; give it once", quoted(key), owner_));
}

void ObjectKeys::add_warnings(const JsonReader& reader, std::vector<std::string>* warnings) const {
  if (!warnings) return;
  std::vector<const std::pair<const std::string, Unknown>*> entries;
  for (const auto& entry : unknown_) entries.push_back(&entry);
  std::sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
    return a->second.first_position < b->second.first_position;
  });
  const std::vector<std::string> names(known_.begin(), known_.end());
  for (std::size_t i = 0; i < std::min(entries.size(), kMostWarnings); ++i) {
    const auto& [key, unknown] = *entries[i];
    warnings->push_back(fmt::format(
        "{}: the key {} of {} is unknown and ignored{}{}", reader.locate(unknown.first_position),
        quoted(key), owner_, unknown.count == 1 ? "" : fmt::format(" ({} times)", unknown.count),
        did_you_mean(key, names)));
  }
  if (entries.size() <= kMostWarnings) return;
  warnings->push_back(fmt::format("{}: {} more keys of {} are unknown and ignored",
                                  reader.locate(entries[kMostWarnings]->second.first_position),
                                  entries.size() - kMostWarnings, owner_));
}

}  // namespace berth
