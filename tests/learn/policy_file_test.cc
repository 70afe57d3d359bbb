#include "learn/policy_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <limits>

#include "../../fuzz/policy_reader.h"
#include "base/file.h"

namespace berth::learn {
namespace {

using fuzz::little_endian;
using fuzz::policy_around;
using fuzz::sealed;

template <class Number>
std::string raw(const std::vector<Number>& numbers) {
  std::string bytes(numbers.size() * sizeof(Number), '\0');
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

PolicyFile small_policy() {
  PolicyFile file;
  file.method = "hdp(groups=8)";
  file.berth_version = BERTH_VERSION;
  file.seed = std::numeric_limits<std::uint64_t>::max();
  file.budget = "5000evals";
  file.evaluations = 0.1 + 0.2;
  file.updates = 312;
  file.train_seconds = 1.0 / 3.0;
  file.curve_bytes = 1ull << 63;
  file.vocabulary = {"MatMul", "Relu", "\"\n\xc3\xa9"};
  file.cases = {{"zoo:tiny", "2xP100", "abc"}, {"", "4xP100", ""}};
  file.arrays = {{"weights", StoredArray::Type::f32, {2, 3}, raw<float>({1, -2, 3e-40f, 4, 5, 6})},
                 {"average", StoredArray::Type::f64, {}, raw<double>({-1e-300})},
                 {"nothing", StoredArray::Type::f32, {1ll << 62, 0, 1ll << 62}, ""},
                 {"counts", StoredArray::Type::i64, {1, 1}, raw<std::int64_t>({-7})}};
  return file;
}

std::string refusal(std::string_view bytes) {
  try {
    policy_from_bytes(bytes, "x.policy");
  } catch (const InputError& error) {
    return error.what();
  }
  return "(understood)";
}

void expect_refusal(std::string_view bytes, std::string_view part) {
  const std::string sentence = refusal(bytes);
  EXPECT_TRUE(sentence.starts_with("x.policy")) << sentence;
  EXPECT_NE(sentence.find(part), std::string::npos) << part << " in " << sentence;
  EXPECT_EQ(sentence.find('\n'), std::string::npos) << sentence;
}

TEST(PolicyFile, ComesBackAsItWent) {
  const PolicyFile file = small_policy();
  const std::string bytes = to_bytes(file);
  const PolicyFile again = policy_from_bytes(bytes, "x.policy");
  EXPECT_EQ(again, file);
  EXPECT_EQ(to_bytes(again), bytes);
  ASSERT_NE(again.find("average"), nullptr);
  EXPECT_EQ(again.find("average")->data, file.arrays[1].data);
  EXPECT_EQ(again.find("averag"), nullptr);
  EXPECT_EQ(policy_from_bytes(to_bytes(PolicyFile()), "x.policy"), PolicyFile());
}

TEST(PolicyFile, GoesToTheDiskAndBack) {
  const std::string path = testing::TempDir() + "policy_file_test.policy";
  write_policy(path, small_policy());
  EXPECT_EQ(read_policy(path), small_policy());
  std::filesystem::remove(path);
  EXPECT_THROW(read_policy(path), InputError);
}

TEST(PolicyFile, WhatCouldNotBeReadIsNotWritten) {
  PolicyFile file = small_policy();
  file.arrays[0].data += '\0';
  EXPECT_THROW(to_bytes(file), std::logic_error);
  file = small_policy();
  file.arrays[1].name = file.arrays[0].name;
  EXPECT_THROW(to_bytes(file), std::logic_error);
  file = small_policy();
  file.train_seconds = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(to_bytes(file), std::logic_error);
}

TEST(PolicyFile, EveryTruncationIsRefused) {
  const std::string bytes = to_bytes(small_policy());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    expect_refusal(std::string_view(bytes).substr(0, length),
                   length == 0 ? "the file is empty" : "cut short");
  }
  expect_refusal(bytes + '\0', "damaged");
}

TEST(PolicyFile, EveryFlippedBitIsRefused) {
  const std::string bytes = to_bytes(small_policy());
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ 1 << bit);
      ASSERT_TRUE(refusal(damaged).starts_with("x.policy: ")) << at << " " << refusal(damaged);
    }
  }
}

TEST(PolicyFile, OtherFilesAndVersions) {
  expect_refusal("{\"format\": \"berth.plan\"}", "not a policy file: it begins with \"{\\\"format");
  expect_refusal(std::string(64, '\0'), "not a policy file");
  const std::string magic = "berth-policy\n";
  expect_refusal(sealed(magic + little_endian(2, 4) + "anything"),
                 "written by a newer Berth: its file is of version 2");
  expect_refusal(sealed(magic + little_endian(0, 4) + std::string(64, 'x')), "version is 0");
}

TEST(PolicyFile, LengthsThatDisagreeWithTheFile) {
  const std::string magic = "berth-policy\n" + little_endian(1, 4);
  for (const std::uint64_t length : {3ull, 1ull << 63, ~0ull}) {
    expect_refusal(sealed(magic + little_endian(length, 8) + "{}"), "the file has 2 for it");
  }
  expect_refusal(sealed(magic + little_endian(1, 8) + "{}"), "x.policy (header):1:2");
}

// A header that is right but for one part of it, in a file that is whole.
class PolicyHeader : public testing::Test {
 protected:
  static std::string header(const std::string& arrays,
                            const std::string& numbers = R"("seed":0,"curve_bytes":0,)") {
    return R"({"method":"hdp","berth_version":"1","budget":"1evals","evaluations":1,"updates":1,)"
           R"("train_seconds":1,"vocabulary":["a"],"cases":[],)" +
           numbers + R"("arrays":[)" + arrays + "]}\n";
  }
  static std::string array(const std::string& shape, const std::string& name = "w",
                           const std::string& type = "f32") {
    return R"({"name":")" + name + R"(","type":")" + type + R"(","shape":)" + shape + "}";
  }
  static void expect(const std::string& arrays, const std::string& numbers,
                     const std::string& part) {
    expect_refusal(policy_around(header(arrays), numbers), part);
  }
};

TEST_F(PolicyHeader, IsUnderstoodWhenNothingIsWrong) {
  EXPECT_EQ(refusal(policy_around(header(array("[2]")), "12345678")), "(understood)");
  EXPECT_EQ(refusal(policy_around(header(array("[]", "w", "i64")), "12345678")), "(understood)");
}

TEST_F(PolicyHeader, ShapesThatAreNotWhatIsThere) {
  expect(array("[3]"), "12345678", "array \"w\" is longer by its shape than the 8 bytes");
  expect(array("[1]"), "12345678", "4 bytes of numbers are left over");
  expect(array("[4611686018427387904]"), "", "longer by its shape");
  expect(array("[4294967296,4294967296]"), "1234", "longer by its shape");
  expect(array("[9223372036854775807,9223372036854775807,9223372036854775807]"), "1234", "longer");
  expect(array("[1]") + "," + array("[1]", "v"), "1234", "array \"v\" is longer by its shape");
  expect(array("[-1]"), "1234", "must be a whole number from 0 to 9223372036854775807 but is -1");
  expect(array("[-2,-2]"), "1234567812345678", "-2");
  expect(array("[9223372036854775808]"), "", "9223372036854775808");
  expect(array("[1.5]"), "1234", "1.5");
  expect(array("4"), "1234", "expected");
}

TEST_F(PolicyHeader, ArraysThatMakeNoSense) {
  expect(array("[1]") + "," + array("[1]"), "12341234", "there are two arrays named \"w\"");
  expect(array("[1]", "w", "f16"), "1234",
         "number type \"f16\" is unknown; the types are f32, f64");
  expect(array("[1]", ""), "1234", "name of an array is empty");
  expect(R"({"name":"w","shape":[]})", "1234", "the key \"type\" is missing");
  expect(R"({"name":"w","type":"f32"})", "1234", "the key \"shape\" is missing");
  expect(R"({"type":"f32","shape":[]})", "1234", "the key \"name\" is missing");
  expect(R"({"name":"w","name":"v","type":"f32","shape":[]})", "1234", "given twice");
}

TEST_F(PolicyHeader, KeysThatAreMissingOrWrong) {
  const auto with = [](const std::string& numbers) {
    return policy_around(header("", numbers), "");
  };
  expect_refusal(with(R"("curve_bytes":0,)"), "the key \"seed\" is missing");
  expect_refusal(with(R"("seed":0,)"), "the key \"curve_bytes\" is missing");
  expect_refusal(with(R"("seed":-1,"curve_bytes":0,)"), "\"seed\" must be a whole number");
  expect_refusal(with(R"("seed":"18446744073709551616","curve_bytes":0,)"), "64 bits");
  expect_refusal(with(R"("seed":0,"curve_bytes":null,)"), "\"curve_bytes\"");
  expect_refusal(with(R"("seed":0,"seed":0,"curve_bytes":0,)"), "given twice");
  const auto replaced = [](const std::string& from, const std::string& to) {
    std::string text = header("");
    text.replace(text.find(from), from.size(), to);
    return policy_around(text, "");
  };
  expect_refusal(replaced("\"evaluations\":1", "\"evaluations\":-1"), "must not be negative");
  expect_refusal(replaced("\"updates\":1", "\"updates\":1e999"), "too large");
  for (const char* updates : {"-1", "0.5", "1e300", "9007199254740993"}) {
    expect_refusal(replaced("\"updates\":1", std::string("\"updates\":") + updates),
                   "\"updates\" must be a whole number from 0 to 9007199254740992");
  }
  expect_refusal(replaced("[\"a\"]", "[\"a\",\"a\"]"), "\"a\" is in \"vocabulary\" twice");
  expect_refusal(replaced("\"cases\":[]", "\"cases\":[{}]"), "the key \"model\" is missing");
  expect_refusal(replaced("\"cases\":[]", "\"cases\":7"), "the number 7");
  expect_refusal(replaced("\"hdp\"", "7"), "the number 7");
  expect_refusal(replaced("\n", "\n{}"), "x.policy (header):2:1");
  expect_refusal(policy_around("[]", ""), "x.policy (header):1:1");
  expect_refusal(policy_around("", ""), "empty");
  expect_refusal(policy_around(std::string(100'000, '['), ""), "x.policy (header):1:1");
}

TEST(PolicyFile, SeedsOfTheFuzzer) {
  const std::filesystem::path corpus =
      std::filesystem::path(BERTH_TEST_DATA) / "../../fuzz/corpus/policy";
  int understood = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    SCOPED_TRACE(entry.path().string());
    const InputFile file(entry.path().string());
    EXPECT_NO_THROW(understood += fuzz::check_policy(file.text()));
    for (std::size_t length = 0; length < file.text().size(); ++length) {
      EXPECT_NO_THROW(fuzz::check_policy(file.text().substr(0, length))) << length;
    }
  }
  EXPECT_EQ(understood, 2);
}

}  // namespace
}  // namespace berth::learn
