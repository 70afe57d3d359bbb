// Writes the policy format.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "base/error.h"
#include "base/json_format.h"
#include "base/json_writer.h"
#include "learn/policy_file.h"
#include "learn/policy_layout.h"

namespace berth::learn {
namespace {

using namespace policy_layout;

// What could not be read back must not reach the disk: it would replace a file that could be.
void require_writable(const PolicyFile& file) {
  for (const double number : {file.evaluations, file.train_seconds}) {
    if (!std::isfinite(number) || number < 0) {
      throw std::logic_error(fmt::format("a policy file cannot count to {}", number));
    }
  }
  if (file.updates < 0 || file.updates > kMostUpdates) {
    throw std::logic_error(fmt::format("a policy file cannot count {} updates", file.updates));
  }
  const std::set<std::string_view> types(file.vocabulary.begin(), file.vocabulary.end());
  if (types.size() != file.vocabulary.size()) {
    throw std::logic_error("an op type is in the vocabulary of a policy twice");
  }
  for (const StoredArray& array : file.arrays) {
    const bool sound = std::all_of(array.shape.begin(), array.shape.end(),
                                   [](std::int64_t dimension) { return dimension >= 0; });
    if (!sound || array_bytes(array.type, array.shape, array.data.size()) != array.data.size()) {
      throw std::logic_error(
          fmt::format("{} bytes are not the shape of array {}", array.data.size(), array.name));
    }
    if (array.name.empty() || file.find(array.name) != &array) {
      throw std::logic_error(
          fmt::format("there are two arrays {}, or it has no name", quoted(array.name)));
    }
  }
}

void append_little_endian(std::string& out, std::uint64_t number, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) out += static_cast<char>(number >> (8 * i) & 0xff);
}

void write_cases(JsonWriter& json, const PolicyFile& file) {
  json.key(kHeaderKeys[kCases]).begin_array();
  for (const StoredCase& one : file.cases) {
    json.begin_object().field(kCaseKeys[kModel], one.model).field(kCaseKeys[kCluster], one.cluster);
    json.field(kCaseKeys[kFingerprint], one.fingerprint).end_object();
  }
  json.end_array();
}

void write_arrays(JsonWriter& json, const PolicyFile& file) {
  json.key(kHeaderKeys[kArrays]).begin_array();
  for (const StoredArray& array : file.arrays) {
    json.begin_object().field(kArrayKeys[kName], array.name);
    json.field(kArrayKeys[kType], kTypeNames[static_cast<std::size_t>(array.type)]);
    json.key(kArrayKeys[kShape]).begin_array();
    for (const std::int64_t dimension : array.shape) json.value(dimension);
    json.end_array().end_object();
  }
  json.end_array();
}

std::string header_of(const PolicyFile& file) {
  JsonWriter json(JsonWriter::Style::compact);
  json.begin_object().field(kHeaderKeys[kMethod], file.method);
  json.field(kHeaderKeys[kBerthVersion], file.berth_version);
  write_unsigned(json, kHeaderKeys[kSeed], file.seed);
  json.field(kHeaderKeys[kBudget], file.budget).field(kHeaderKeys[kEvaluations], file.evaluations);
  json.field(kHeaderKeys[kUpdates], file.updates);
  json.field(kHeaderKeys[kTrainSeconds], file.train_seconds);
  write_unsigned(json, kHeaderKeys[kCurveBytes], file.curve_bytes);
  json.key(kHeaderKeys[kVocabulary]).begin_array();
  for (const std::string& type : file.vocabulary) json.value(type);
  json.end_array();
  write_cases(json, file);
  write_arrays(json, file);
  json.end_object();
  return json.take();
}

}  // namespace

std::string to_bytes(const PolicyFile& file) {
  require_writable(file);
  const std::string header = header_of(file);
  std::string bytes(kMagic);
  append_little_endian(bytes, kVersion, kVersionBytes);
  append_little_endian(bytes, header.size(), kLengthBytes);
  bytes += header;
  for (const StoredArray& array : file.arrays) bytes += array.data;
  return bytes + checksum_of(bytes);
}

}  // namespace berth::learn
