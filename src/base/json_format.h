// What all files of Berth have in common: a header that names their format and version, and objects
// with a fixed set of keys, each given at most once. What an unknown key means differs: in a record
// of provenance it is a note of another tool and gives a warning; in an op or a device it is a
// misspelt number, and a plan computed without that number would be wrong.
//
//   check_format(text, source, "berth.plan");
//   ObjectKeys keys("a plan", kPlanKeys);
//   keys.begin(reader);
//   while (const auto key = keys.next(reader)) switch (*key) { ... }
//   keys.require(reader, kPlacement);
//   keys.add_warnings(reader, warnings);
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json_reader.h"
#include "base/json_writer.h"

namespace berth {

// Fails unless the text is an object with that "format" and "version": 1, wherever these keys are,
// so that a cluster given as a graph gets a clear message. Reads no further than necessary: in the
// files that Berth writes, one line.
void check_format(std::string_view text, std::string_view source, std::string_view format);

// Seeds and similar numbers have 64 bits, which many JSON readers cannot represent. Numbers above
// 2^63 - 1 are written as strings, and read from either. `what` names the number in messages
// ("\"seed\"").
void write_unsigned(JsonWriter& json, std::string_view key, std::uint64_t number);
std::uint64_t read_unsigned(JsonReader& reader, std::string_view what);

// What happens with an unknown key: a warning; a warning unless it is spelt like a known one, which
// is an error; always an error.
enum class UnknownKeys { warn, refuse_misspelt, refuse };

// `the key "mem" of a device is unknown; did you mean "memory"?`, or the known keys if none is
// near. Fails, or returns where the key only gives a warning.
void judge_unknown_key(const JsonReader& reader, std::string_view key, std::string_view owner,
                       const std::vector<std::string>& known, UnknownKeys unknown_keys);

// The keys of one kind of object. One instance serves all objects of the kind in a file, one after
// the other; they must not be nested in each other.
class ObjectKeys {
 public:
  // `owner` as messages call the object: "an op". The known keys, at most 32, must outlive this.
  ObjectKeys(std::string_view owner, std::span<const std::string_view> known,
             UnknownKeys unknown_keys = UnknownKeys::warn)
      : owner_(owner), known_(known), unknown_keys_(unknown_keys) {}

  void begin(JsonReader& reader);
  // The number of the next known key, its value to be read by the caller; unknown keys are
  // refused, or skipped and counted. Fails when a key is repeated in the object. nullopt once the
  // object has ended.
  std::optional<std::size_t> next(JsonReader& reader);

  // About the object begun last.
  bool has(std::size_t key) const { return (seen_ >> key & 1u) != 0; }
  void require(const JsonReader& reader, std::size_t key) const;
  std::size_t position() const { return object_position_; }

  // One sentence per unknown key, in order of first appearance; nothing when `warnings` is null.
  void add_warnings(const JsonReader& reader, std::vector<std::string>* warnings) const;

 private:
  struct Unknown {
    std::uint64_t count = 0;
    std::size_t first_position = 0;
    std::uint64_t last_object = 0;
  };
  void note_unknown(const JsonReader& reader, std::string_view key);
  [[noreturn]] void fail_repeated(const JsonReader& reader, std::string_view key) const;

  std::string_view owner_;
  std::span<const std::string_view> known_;
  UnknownKeys unknown_keys_;
  std::uint32_t seen_ = 0;
  std::uint64_t object_ = 0;  // counts the objects, from 1
  std::size_t object_position_ = 0;
  std::unordered_map<std::string, Unknown> unknown_;
};

}  // namespace berth
