// Twelve random problems with their expected outcome, half of them with integer times and many
// ties.
#include <gtest/gtest.h>

#include <map>
#include <string>

#include "base/file.h"
#include "base/json_reader.h"
#include "cluster/cluster_file.h"
#include "frontends/graph_file.h"
#include "plan/plan_file.h"
#include "sim/simulator.h"

namespace berth {
namespace {

// The text of a member object of the outermost object; the files have no braces in strings.
std::string_view member(std::string_view text, const std::string& name) {
  const std::size_t begin = text.find('{', text.find("\"" + name + "\": {"));
  std::size_t end = begin;
  int depth = 0;
  do {
    depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
    ++end;
  } while (depth > 0);
  return text.substr(begin, end - begin);
}

struct Expected {
  double step_seconds = -1;
  bool feasible = false;
  std::int64_t transfers = -1, transferred_bytes = -1;
  std::map<std::string, double> peak_bytes, busy_seconds;
};

Expected read_expected(std::string_view text) {
  Expected expected;
  JsonReader reader(text, "expected");
  const auto read_map = [&](std::map<std::string, double>& map) {
    reader.begin_object();
    while (const auto key = reader.next_key()) map[std::string(*key)] = reader.read_double();
  };
  reader.begin_object();
  while (const auto key = reader.next_key()) {
    if (*key == "step_seconds") {
      expected.step_seconds = reader.read_double();
    } else if (*key == "feasible") {
      expected.feasible = reader.read_bool();
    } else if (*key == "transfers") {
      expected.transfers = reader.read_bytes("transfers");
    } else if (*key == "transferred_bytes") {
      expected.transferred_bytes = reader.read_bytes("transferred_bytes");
    } else if (*key == "peak_bytes") {
      read_map(expected.peak_bytes);
    } else if (*key == "busy_seconds") {
      read_map(expected.busy_seconds);
    } else {
      ADD_FAILURE() << "unexpected key " << *key;
      reader.skip();
    }
  }
  return expected;
}

class GoldenFile : public testing::TestWithParam<int> {};

TEST_P(GoldenFile, GivesTheExpectedOutcome) {
  const std::string number = std::to_string(GetParam());
  const std::string path = std::string(BERTH_TEST_DATA) + "/golden/case" +
                           std::string(2 - number.size(), '0') + number + ".json";
  const InputFile file(path);
  const Problem problem(parse_graph(member(file.text(), "graph"), path),
                        parse_cluster(member(file.text(), "cluster"), path));
  const Plan plan =
      parse_plan(member(file.text(), "plan"), path, problem.graph(), problem.cluster()).plan;
  require_valid(problem, plan, path);
  const Expected expected = read_expected(member(file.text(), "expected"));

  Simulator simulator(problem);
  for (const Outcome& outcome : {simulator.evaluate(plan), simulator.evaluate_generally(plan),
                                 simulator.trace(plan).outcome}) {
    EXPECT_EQ(expected.step_seconds, outcome.step_seconds);
    EXPECT_EQ(expected.feasible, outcome.feasible);
    EXPECT_EQ(expected.transfers, outcome.transfers);
    EXPECT_EQ(expected.transferred_bytes, outcome.transferred_bytes);
    ASSERT_EQ(expected.peak_bytes.size(), problem.device_count());
    for (std::size_t d = 0; d < problem.device_count(); ++d) {
      const std::string& name = problem.cluster().device(DeviceId(d)).name;
      EXPECT_EQ(expected.peak_bytes.at(name), static_cast<double>(outcome.peak_bytes[d])) << name;
      EXPECT_EQ(expected.busy_seconds.at(name), outcome.busy_seconds[d]) << name;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, GoldenFile, testing::Range(0, 12));

}  // namespace
}  // namespace berth
