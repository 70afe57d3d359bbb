// Reads the policy format. Checks come in the order in which they can be trusted: what kind of file
// and version it is, then the checksum of the whole, then the header, then the lengths it claims.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_set>

#include "base/error.h"
#include "base/json_format.h"
#include "base/quantity.h"
#include "learn/policy_file.h"
#include "learn/policy_layout.h"

namespace berth::learn {
namespace {

using namespace policy_layout;

constexpr std::size_t kHeaderAt = kMagic.size() + kVersionBytes + kLengthBytes;

std::uint64_t little_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (std::size_t i = bytes.size(); i-- > 0;) {
    number = number << 8 | static_cast<unsigned char>(bytes[i]);
  }
  return number;
}

[[noreturn]] void fail(const std::string& source, const std::string& sentence) {
  throw InputError(fmt::format("{}: {}", source, sentence));
}

[[noreturn]] void fail_short(std::string_view bytes, const std::string& source) {
  fail(source, fmt::format("the policy file is cut short after {} bytes; use a whole copy of it, "
                           "or train again",
                           bytes.size()));
}

void check_kind(std::string_view bytes, const std::string& source) {
  constexpr const char* kRight = "one that berth train writes begins with \"berth-policy\"";
  if (bytes.empty()) fail(source, fmt::format("the file is empty; {}", kRight));
  if (bytes.size() < kMagic.size() && kMagic.starts_with(bytes)) fail_short(bytes, source);
  if (bytes.starts_with(kMagic)) return;
  fail(source, fmt::format("this is not a policy file: it begins with {}; {}",
                           quoted(bytes.substr(0, kMagic.size())), kRight));
}

void check_version(std::string_view bytes, const std::string& source) {
  if (bytes.size() < kMagic.size() + kVersionBytes) fail_short(bytes, source);
  const std::uint64_t version = little_endian(bytes.substr(kMagic.size(), kVersionBytes));
  if (version == kVersion) return;
  if (version < kVersion) {
    fail(source, fmt::format("the policy file is damaged: its version is {}, where {} is the first",
                             version, kVersion));
  }
  fail(source, fmt::format("the policy was written by a newer Berth: its file is of version {} and "
                           "this program reads version {}; use the newer one, or train again",
                           version, kVersion));
}

// What lies between the fixed fields and the checksum, once that is known to be right.
std::string_view checked_content(std::string_view bytes, const std::string& source) {
  if (bytes.size() < kHeaderAt + kChecksumBytes) fail_short(bytes, source);
  const std::string_view summed = bytes.substr(0, bytes.size() - kChecksumBytes);
  if (checksum_of(summed) != bytes.substr(summed.size())) {
    fail(source, fmt::format("the policy file is damaged or cut short: the SHA-256 at its end is "
                             "not that of the {} bytes before; use a whole copy of it, or train "
                             "again",
                             summed.size()));
  }
  return summed.substr(kHeaderAt);
}

class HeaderReader {
 public:
  HeaderReader(std::string_view header, std::string_view source) : reader_(header, source) {}

  PolicyFile read() {
    keys_.begin(reader_);
    while (const auto key = keys_.next(reader_)) read_value(static_cast<HeaderKey>(*key));
    for (std::size_t key = 0; key < kHeaderKeys.size(); ++key) keys_.require(reader_, key);
    reader_.expect_end();
    return std::move(file_);
  }

 private:
  void read_value(HeaderKey key) {
    switch (key) {
      case kMethod:
        file_.method = reader_.read_string();
        break;
      case kBerthVersion:
        file_.berth_version = reader_.read_string();
        break;
      case kSeed:
        file_.seed = read_unsigned(reader_, "\"seed\"");
        break;
      case kBudget:
        file_.budget = reader_.read_string();
        break;
      case kEvaluations:
        file_.evaluations = read_amount("evaluations");
        break;
      case kUpdates:
        file_.updates = reader_.read_integer(0, kMostUpdates, "\"updates\"");
        break;
      case kTrainSeconds:
        file_.train_seconds = read_amount("train_seconds");
        break;
      case kCurveBytes:
        file_.curve_bytes = read_unsigned(reader_, "\"curve_bytes\"");
        break;
      case kVocabulary:
        read_vocabulary();
        break;
      case kCases:
        reader_.begin_array();
        while (reader_.next_element()) read_case();
        break;
      case kArrays:
        reader_.begin_array();
        while (reader_.next_element()) read_array();
        break;
    }
  }

  double read_amount(std::string_view what) {
    const double amount = reader_.read_double();
    if (amount < 0) {
      reader_.fail(fmt::format("\"{}\" must not be negative but is {}", what, amount));
    }
    return amount + 0.0;  // a minus zero becomes a plain one
  }

  void read_vocabulary() {
    std::unordered_set<std::string_view> known;
    reader_.begin_array();
    while (reader_.next_element()) {
      const std::string_view type = reader_.read_string();
      if (!known.insert(type).second) {
        reader_.fail(fmt::format("the op type {} is in \"vocabulary\" twice; it must be there once",
                                 quoted(type)));
      }
      file_.vocabulary.emplace_back(type);
    }
  }

  void read_case() {
    StoredCase one;
    case_keys_.begin(reader_);
    while (const auto key = case_keys_.next(reader_)) {
      std::string& target = *key == kModel     ? one.model
                            : *key == kCluster ? one.cluster
                                               : one.fingerprint;
      target = reader_.read_string();
    }
    for (std::size_t key = 0; key < kCaseKeys.size(); ++key) case_keys_.require(reader_, key);
    file_.cases.push_back(std::move(one));
  }

  void read_array() {
    StoredArray array;
    array_keys_.begin(reader_);
    while (const auto key = array_keys_.next(reader_)) {
      if (*key == kName) {
        array.name = read_name();
      } else if (*key == kType) {
        array.type = read_type();
      } else {
        read_shape(array);
      }
    }
    for (std::size_t key = 0; key < kArrayKeys.size(); ++key) array_keys_.require(reader_, key);
    file_.arrays.push_back(std::move(array));
  }

  std::string_view read_name() {
    const std::string_view name = reader_.read_string();
    if (name.empty()) reader_.fail("the name of an array is empty; it must have one");
    if (!array_names_.insert(name).second) {
      reader_.fail(
          fmt::format("there are two arrays named {}; names must be unique", quoted(name)));
    }
    return name;
  }

  StoredArray::Type read_type() {
    const std::string_view name = reader_.read_string();
    const auto found = std::find(kTypeNames.begin(), kTypeNames.end(), name);
    if (found == kTypeNames.end()) {
      reader_.fail(
          fmt::format("the number type {} is unknown; the types are {}", quoted(name),
                      join_names(std::vector<std::string>(kTypeNames.begin(), kTypeNames.end()))));
    }
    return static_cast<StoredArray::Type>(found - kTypeNames.begin());
  }

  void read_shape(StoredArray& array) {
    reader_.begin_array();
    while (reader_.next_element()) {
      array.shape.push_back(reader_.read_integer(0, std::numeric_limits<std::int64_t>::max(),
                                                 "a dimension in \"shape\""));
    }
  }

  JsonReader reader_;
  ObjectKeys keys_{"the header of a policy file", kHeaderKeys};
  ObjectKeys case_keys_{"a case", kCaseKeys};
  ObjectKeys array_keys_{"an array", kArrayKeys};
  std::unordered_set<std::string_view> array_names_;  // views that the reader keeps
  PolicyFile file_;
};

void read_arrays(PolicyFile& file, std::string_view numbers, const std::string& source) {
  for (StoredArray& array : file.arrays) {
    const auto length = array_bytes(array.type, array.shape, numbers.size());
    if (!length) {
      fail(source, fmt::format("the array {} is longer by its shape than the {} bytes of numbers "
                               "that are left for it",
                               quoted(std::string_view(array.name)), numbers.size()));
    }
    array.data = numbers.substr(0, *length);
    numbers.remove_prefix(*length);
  }
  if (numbers.empty()) return;
  fail(source, fmt::format("{} bytes of numbers are left over after the arrays that the header "
                           "lists; there must be none",
                           numbers.size()));
}

}  // namespace

PolicyFile policy_from_bytes(std::string_view bytes, const std::string& source) {
  check_kind(bytes, source);
  check_version(bytes, source);
  const std::string_view content = checked_content(bytes, source);
  const std::uint64_t length =
      little_endian(bytes.substr(kMagic.size() + kVersionBytes, kLengthBytes));
  if (length > content.size()) {
    fail(source, fmt::format("the header should be {} bytes long, but the file has {} for it",
                             length, content.size()));
  }
  const std::string name = source + " (header)";
  PolicyFile file = HeaderReader(content.substr(0, length), name).read();
  read_arrays(file, content.substr(length), source);
  return file;
}

}  // namespace berth::learn
