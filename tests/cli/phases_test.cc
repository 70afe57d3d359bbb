// What `place` tells of the phases of a search, to a reader and to a script.
#include <gtest/gtest.h>

#include "base/json_reader.h"
#include "cli/berth_process.h"

namespace berth::cli {
namespace {

struct Phase {
  std::string name;
  double evaluations = 0;
  double step_seconds = 0;
  bool has_gain = false;
};

struct Answer {
  bool has_phases = false;
  std::vector<Phase> phases;
  double evaluations = 0;
  double step_seconds = 0;
};

Phase read_phase(JsonReader& reader) {
  Phase phase;
  std::vector<std::string> keys;
  reader.begin_object();
  while (const auto key = reader.next_key()) {
    keys.emplace_back(*key);
    if (keys.back() == "name") {
      phase.name = reader.read_string();
    } else if (keys.back() == "evaluations") {
      phase.evaluations = reader.read_double();
    } else if (keys.back() == "step_seconds") {
      phase.step_seconds = reader.read_double();
    } else {
      if (keys.back() == "gain") phase.has_gain = reader.peek() != JsonReader::Kind::null;
      reader.skip();
    }
  }
  EXPECT_EQ(keys,
            (std::vector<std::string>{"name", "seconds", "evaluations", "step_seconds", "gain"}));
  return phase;
}

Answer read_answer(const std::string& text) {
  Answer answer;
  JsonReader reader(text, "stdout");
  reader.begin_object();
  while (const auto key = reader.next_key()) {
    const std::string name(*key);
    if (name == "phases") {
      answer.has_phases = true;
      for (reader.begin_array(); reader.next_element();) {
        answer.phases.push_back(read_phase(reader));
      }
    } else if (name == "evaluations") {
      answer.evaluations = reader.read_double();
    } else if (name == "step_seconds") {
      answer.step_seconds = reader.read_double();
    } else {
      reader.skip();
    }
  }
  return answer;
}

class PhasesOfPlace : public testing::Test {
 protected:
  ProcessResult place(const std::string& method, const std::string& flag) const {
    return run_berth(directory, {"place", "zoo:layered:ops=80", "-c", "2xP100", "-m", method, "-b",
                                 "400evals", flag});
  }

  TemporaryDirectory directory;
};

TEST_F(PhasesOfPlace, AddUpToTheSearchInJson) {
  const ProcessResult result = place("auto", "--json");
  ASSERT_EQ(result.status, 0) << result.error;
  const Answer answer = read_answer(result.out);
  ASSERT_EQ(answer.phases.size(), 3u) << result.out;
  EXPECT_EQ(answer.phases[0].name, "portfolio");
  EXPECT_EQ(answer.phases[1].name, "coarse_schedules");
  EXPECT_EQ(answer.phases[2].name, "annealing");
  // There is no plan before the first phase, so it has nothing to gain on.
  EXPECT_FALSE(answer.phases[0].has_gain);
  EXPECT_TRUE(answer.phases[1].has_gain);
  EXPECT_TRUE(answer.phases[2].has_gain);
  double evaluations = 0;
  for (const Phase& phase : answer.phases) evaluations += phase.evaluations;
  EXPECT_EQ(evaluations, answer.evaluations);
  EXPECT_EQ(answer.phases.back().step_seconds, answer.step_seconds);
}

TEST_F(PhasesOfPlace, AreNoKeyOfMethodsWithoutThem) {
  const ProcessResult result = place("heft", "--json");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_FALSE(read_answer(result.out).has_phases);
}

TEST_F(PhasesOfPlace, AreATableWhenVerboseAndAbsentOtherwise) {
  const ProcessResult verbose = place("auto", "--verbose");
  ASSERT_EQ(verbose.status, 0) << verbose.error;
  std::size_t at = 0;
  for (const char* part : {"step after it", "portfolio", "coarse_schedules", "annealing"}) {
    at = verbose.out.find(part, at);
    ASSERT_NE(at, std::string::npos) << part << " in\n" << verbose.out;
  }
  const ProcessResult quiet = place("auto", "--seed=0");
  ASSERT_EQ(quiet.status, 0) << quiet.error;
  EXPECT_EQ(quiet.out.find("coarse_schedules"), std::string::npos) << quiet.out;
}

TEST_F(PhasesOfPlace, OfAMethodWithoutThemAreSaidToBeNone) {
  const ProcessResult result = place("heft", "--verbose");
  ASSERT_EQ(result.status, 0) << result.error;
  EXPECT_NE(result.out.find("this method has no phases"), std::string::npos) << result.out;
}

}  // namespace
}  // namespace berth::cli
