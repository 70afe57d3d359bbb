// Runs every seed of the fuzzer, and every input it ever found something with, through the readers.
#include <gtest/gtest.h>

#include <filesystem>

#include "../../fuzz/readers.h"
#include "base/file.h"

namespace berth {
namespace {

struct Reader {
  const char* name;
  bool (*check)(std::string_view);
};

constexpr Reader kReaders[] = {
    {"graph", fuzz::check_graph},     {"onnx", fuzz::check_onnx},
    {"cluster", fuzz::check_cluster}, {"topo", fuzz::check_topo},
    {"plan", fuzz::check_plan},       {"constraints", fuzz::check_constraints},
    {"units", fuzz::check_units},     {"calls", fuzz::check_calls},
};

// Seeds are there to be understood, all but those that say otherwise by their name.
TEST(FuzzRegression, Seeds) {
  const std::filesystem::path corpus = std::filesystem::path(BERTH_TEST_DATA) / "../../fuzz/corpus";
  for (const Reader& reader : kReaders) {
    int understood = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus / reader.name)) {
      SCOPED_TRACE(entry.path().string());
      const InputFile file(entry.path().string());
      EXPECT_NO_THROW(understood += reader.check(file.text()));
    }
    EXPECT_GE(understood, 2) << reader.name;
  }
}

// What readers once got wrong. The name of a file says what is right: it is read, or refused by a
// sentence.
TEST(FuzzRegression, Findings) {
  const std::filesystem::path findings = std::filesystem::path(BERTH_TEST_DATA) / "fuzz";
  for (const Reader& reader : kReaders) {
    int checked = 0;
    for (const auto& entry : std::filesystem::directory_iterator(findings / reader.name)) {
      SCOPED_TRACE(entry.path().string());
      const InputFile file(entry.path().string());
      const bool refused = entry.path().filename().string().rfind("refused", 0) == 0;
      EXPECT_NO_THROW(EXPECT_EQ(reader.check(file.text()), !refused));
      ++checked;
    }
    EXPECT_GT(checked, 0) << reader.name;
  }
}

// Every prefix of a seed is a truncated file; every byte replaced is a damaged one.
TEST(FuzzRegression, DamagedSeeds) {
  const std::filesystem::path corpus = std::filesystem::path(BERTH_TEST_DATA) / "../../fuzz/corpus";
  for (const Reader& reader : kReaders) {
    for (const auto& entry : std::filesystem::directory_iterator(corpus / reader.name)) {
      SCOPED_TRACE(entry.path().string());
      const InputFile file(entry.path().string());
      for (std::size_t length = 0; length < file.text().size(); ++length) {
        EXPECT_NO_THROW(reader.check(file.text().substr(0, length))) << length;
      }
      for (std::size_t at = 0; at < file.text().size(); ++at) {
        for (const char wrong : {'\0', '"', ']', '-', '9', '\xff'}) {
          std::string damaged(file.text());
          damaged[at] = wrong;
          EXPECT_NO_THROW(reader.check(damaged)) << at;
        }
      }
    }
  }
}

}  // namespace
}  // namespace berth
