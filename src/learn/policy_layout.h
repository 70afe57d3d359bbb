// What the writer and the reader of policy files agree on (policy_file.h has the layout).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "learn/policy_file.h"

namespace berth::learn::policy_layout {

inline constexpr std::string_view kMagic = "berth-policy\n";
inline constexpr std::uint32_t kVersion = 1;
inline constexpr std::size_t kVersionBytes = 4;
inline constexpr std::size_t kLengthBytes = 8;
inline constexpr std::size_t kChecksumBytes = 32;
// What a double counts exactly: other programs read the header with doubles.
inline constexpr std::int64_t kMostUpdates = std::int64_t{1} << 53;

enum HeaderKey : std::size_t {
  kMethod,
  kBerthVersion,
  kSeed,
  kBudget,
  kEvaluations,
  kUpdates,
  kTrainSeconds,
  kCurveBytes,
  kVocabulary,
  kCases,
  kArrays
};
inline constexpr std::array<std::string_view, 11> kHeaderKeys = {
    "method",        "berth_version", "seed",       "budget", "evaluations", "updates",
    "train_seconds", "curve_bytes",   "vocabulary", "cases",  "arrays"};

enum CaseKey : std::size_t { kModel, kCluster, kFingerprint };
inline constexpr std::array<std::string_view, 3> kCaseKeys = {"model", "cluster", "fingerprint"};

enum ArrayKey : std::size_t { kName, kType, kShape };
inline constexpr std::array<std::string_view, 3> kArrayKeys = {"name", "type", "shape"};

// In the order of StoredArray::Type.
inline constexpr std::array<std::string_view, 3> kTypeNames = {"f32", "f64", "i64"};
inline constexpr std::array<std::uint64_t, 3> kTypeBytes = {4, 8, 8};

// Bytes of the numbers of such an array; nullopt when they are more than `most`. No dimension may
// be negative.
std::optional<std::uint64_t> array_bytes(StoredArray::Type type,
                                         std::span<const std::int64_t> shape, std::uint64_t most);

std::string checksum_of(std::string_view bytes);  // SHA-256, raw

}  // namespace berth::learn::policy_layout
