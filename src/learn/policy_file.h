// The format of policy files: a header that describes the policy, and its numbers as named arrays.
// A file holds the whole state of a training, so it is both checkpoint and result.
//
// A file is only data: reading one never runs code, allocates no more than the length of the file,
// and checks everything before it is used.
//
// Layout, all integers little-endian:
//   "berth-policy\n"       13 bytes
//   version                u32; this is version 1
//   header length          u64, then the header: a JSON object
//   arrays, one after the other, in the order of the header's list: their raw numbers
//   SHA-256                of everything before it, 32 bytes
// The header's list `arrays` gives name, type (f32, f64 or i64) and shape of each.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::learn {

struct StoredArray {
  enum class Type { f32, f64, i64 };
  std::string name;
  Type type = Type::f32;
  std::vector<std::int64_t> shape;  // no dimensions: one number
  std::string data;                 // raw, little-endian

  bool operator==(const StoredArray&) const = default;
};

struct StoredCase {
  std::string model;        // as the user named it
  std::string cluster;      // likewise
  std::string fingerprint;  // of the compiled problem; resuming needs the same

  bool operator==(const StoredCase&) const = default;
};

struct PolicyFile {
  std::string method;  // canonical
  std::string berth_version;
  std::uint64_t seed = 0;
  std::string budget;  // as format_budget writes it
  double evaluations = 0;
  std::int64_t updates = 0;
  double train_seconds = 0;
  std::uint64_t curve_bytes = 0;        // how long the curve's file was at this moment
  std::vector<std::string> vocabulary;  // op types, most frequent first
  std::vector<StoredCase> cases;
  std::vector<StoredArray> arrays;

  bool operator==(const PolicyFile&) const = default;

  // Null when there is no array of that name.
  const StoredArray* find(std::string_view name) const;
};

std::string to_bytes(const PolicyFile& file);

// `source` names the file in messages. Throws InputError, one sentence, when the text is no policy
// file, is cut short or damaged, is of a newer version, or its header or arrays make no sense.
PolicyFile policy_from_bytes(std::string_view bytes, const std::string& source);

void write_policy(const std::string& path, const PolicyFile& file);  // whole or not at all
PolicyFile read_policy(const std::string& path);

}  // namespace berth::learn
