// Training stopped and taken up again: the same bits, or a sentence.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "base/error.h"
#include "learn/small_training.h"

namespace berth::learn {
namespace {

struct PlanSource {
  std::string name;
  std::string agent;
  std::string options;
  bool several = false;
  double evaluations = 70;
};

void PrintTo(const PlanSource& way, std::ostream* out) { *out << way.name; }

class Restore : public testing::TestWithParam<PlanSource> {};

// Through the file's bytes, from the beginning, the middle and near the end.
TEST_P(Restore, GoesOnAsIfNeverStopped) {
  const std::string method = small_method(GetParam().agent, GetParam().options);
  const Trainer::Setting setting = GetParam().several
                                       ? two_cases(method, GetParam().evaluations)
                                       : small_setting(method, GetParam().evaluations);
  std::vector<std::string> on_the_way;
  Trainer straight(setting);
  do {
    on_the_way.push_back(to_bytes(straight.save()));
    straight.update();
  } while (!straight.finished());
  const PolicyFile right = state_of(straight);
  ASSERT_GT(on_the_way.size(), 5u);
  for (std::size_t stop = 0; stop < on_the_way.size(); stop += 5) {
    SCOPED_TRACE(stop);
    Trainer again(setting);
    again.restore(policy_from_bytes(on_the_way[stop], "x"), "x");
    run_to_end(again);
    EXPECT_EQ(state_of(again), right);
    EXPECT_EQ(again.cases().front()->best(), straight.cases().front()->best());
  }
}

constexpr const char* kPpo = ":algorithm=ppo:epochs=2:minibatches=2";

INSTANTIATE_TEST_SUITE_P(
    Ways, Restore,
    testing::Values(
        PlanSource{"colocrl", "colocrl", ""}, PlanSource{"hdp", "hdp", ""},
        PlanSource{"colocrl_noise", "colocrl", ":noise=0.5:noise_updates=6"},
        PlanSource{"hdp_noise", "hdp", ":noise=0.5:noise_updates=6"}, PlanSource{"go", "go", ""},
        PlanSource{"go_noise", "go", ":noise=0.5:noise_updates=6"},
        PlanSource{"go_cases", "go", "", true}, PlanSource{"go_passes", "go", ":passes=2"},
        PlanSource{"placeto", "placeto", ""},
        PlanSource{"placeto_steps", "placeto", ":rewards=steps", false, 500},
        PlanSource{"mars", "mars", ""}, PlanSource{"mars_cases", "mars", "", true},
        PlanSource{"colocrl_ppo", "colocrl", kPpo}, PlanSource{"hdp_ppo", "hdp", kPpo},
        PlanSource{"steps", "colocrl", ":baseline=steps:valid_after=3"},
        PlanSource{"batch", "hdp", ":baseline=batch:preset=paper"},
        PlanSource{"colocrl_cases", "colocrl", "", true}, PlanSource{"hdp_cases", "hdp", "", true}),
    [](const auto& way) { return way.param.name; });

class Refusals : public testing::Test {
 protected:
  Refusals() : setting_(small_setting(small_method("colocrl"), 40)) {
    Trainer trainer(setting_);
    for (int i = 0; i < 3; ++i) trainer.update();
    file_ = trainer.save();
  }

  // What restoring says, or nothing when it goes through.
  static std::string refusal(const Trainer::Setting& setting, const PolicyFile& file) {
    Trainer trainer(setting);
    try {
      trainer.restore(file, "x.policy");
    } catch (const InputError& error) {
      return error.what();
    }
    return {};
  }

  StoredArray& array(const std::string& name) {
    for (StoredArray& one : file_.arrays) {
      if (one.name == name) return one;
    }
    throw std::out_of_range(name);
  }
  template <class Number>
  void set(const std::string& name, const std::vector<Number>& values) {
    StoredArray& changed = array(name);
    changed.shape = {static_cast<std::int64_t>(values.size())};
    changed.data.resize(values.size() * sizeof(Number));
    std::memcpy(changed.data.data(), values.data(), changed.data.size());
  }
  // Refused with a sentence that names the file and has the words.
  void expect_refused(const std::string& words) const {
    const std::string said = refusal(setting_, file_);
    EXPECT_TRUE(said.starts_with("x.policy: ")) << said;
    EXPECT_NE(said.find(words), std::string::npos) << said;
  }

  Trainer::Setting setting_;
  PolicyFile file_;
};

TEST_F(Refusals, WhatWasWrittenIsTaken) { EXPECT_EQ(refusal(setting_, file_), ""); }

TEST_F(Refusals, AnotherTraining) {
  Trainer::Setting other = setting_;
  other.method = small_method("hdp");
  EXPECT_NE(refusal(other, file_).find("x.policy: cannot be resumed, since its method is colocrl("),
            std::string::npos);
  other = setting_;
  other.seed = 7;
  EXPECT_NE(refusal(other, file_).find("its seed is 0 and 7 is asked for"), std::string::npos);
  other = two_cases(setting_.method, 40);
  EXPECT_NE(refusal(other, file_).find("its number of cases is 1 and 2 is"), std::string::npos);
  other = setting_;
  other.cases[0].problem = &place::fixtures::tiny_problem("tight memory");
  EXPECT_NE(refusal(other, file_).find("its case 1 is small on tiny"), std::string::npos);
}

TEST_F(Refusals, ArraysThatLackOrAreOfAnotherSize) {
  for (const char* name : {"adam.first", "adam.second", "adam.steps", "random", "entropy",
                           "case0.best", "case0.last_samples", "case0.baseline"}) {
    const PolicyFile whole = file_;
    std::erase_if(file_.arrays, [&](const StoredArray& one) { return one.name == name; });
    expect_refused("lacks the array \"" + std::string(name) + "\"");
    file_ = whole;
    array(name).type = StoredArray::Type::f32 == array(name).type ? StoredArray::Type::i64
                                                                  : StoredArray::Type::f32;
    expect_refused(name);
    file_ = whole;
    if (std::string_view(name) == "case0.last_samples") continue;
    array(name).data.resize(array(name).data.size() + 8);
    array(name).shape[0] += array(name).type == StoredArray::Type::f32 ? 2 : 1;
    expect_refused(name);
    file_ = whole;
  }
  const std::string parameter = parameters_in(file_).front().name;
  StoredArray more = array(parameter);
  more.name += "_of_another_layer";
  file_.arrays.push_back(more);
  expect_refused("arrays of parameters");
  file_.arrays.pop_back();
  array(parameter).shape.push_back(1);
  expect_refused(parameter);
}

TEST_F(Refusals, NumbersThatNoTrainingHas) {
  const PolicyFile whole = file_;
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const std::vector<double>& state : std::vector<std::vector<double>>{{},
                                                                           {1},
                                                                           {1, -1, 2},
                                                                           {1, -1, 2.5, 0, 0},
                                                                           {1, -1, 11},
                                                                           {1, -1, -1},
                                                                           {1, -1, 0, 4},
                                                                           {1, nan, 0},
                                                                           {1, -1, nan},
                                                                           {1, -1, 2, 1, 2, 3}}) {
    set("case0.baseline", state);
    expect_refused("\"case0.baseline\"");
  }
  file_ = whole;
  for (const std::int64_t device : {-1, 3, 1 << 30}) {
    std::vector<std::int64_t> best(small_training_problem().op_count());
    best.back() = device;
    set("case0.best", best);
    expect_refused("\"case0.best\"");
  }
  file_ = whole;
  for (const std::vector<double>& samples :
       {std::vector<double>(201, 1.0), std::vector<double>{nan}, std::vector<double>{-1}}) {
    set("case0.last_samples", samples);
    expect_refused("\"case0.last_samples\"");
  }
  file_ = whole;
  set("adam.steps", std::vector<std::int64_t>{-1});
  expect_refused("\"adam.steps\"");
}

TEST_F(Refusals, BestSamplesOfAnotherPolicy) {
  const PolicyFile whole = file_;
  const std::vector<std::int64_t> devices(10);
  set("case0.elite.devices", devices);
  EXPECT_EQ(refusal(setting_, file_), "");
  set("case0.elite.devices", std::vector<std::int64_t>(9));
  expect_refused("case0.elite.");
  set("case0.elite.devices", std::vector<std::int64_t>(10, 3));
  expect_refused("\"case0.elite.devices\" holds 3");
  file_ = whole;
  std::erase_if(file_.arrays, [](const auto& one) { return one.name == "case0.elite.devices"; });
  expect_refused("case0.elite.");
  file_ = whole;
  set("case0.elite.seconds", std::vector<double>{-1});
  expect_refused("case0.elite.");
  file_ = whole;
  file_.arrays.push_back(array("case0.elite.devices"));
  file_.arrays.back().name = "case0.elite.groups";
  expect_refused("case0.elite.");
}

TEST_F(Refusals, PlansThatBreakTheProblem) {
  Trainer::Setting pinned = setting_;
  pinned.cases[0].problem = &place::fixtures::tiny_problem("pins");
  file_ = Trainer(pinned).save();
  setting_ = pinned;
  set("case0.best", std::vector<std::int64_t>(place::fixtures::tiny_problem("pins").op_count(), 0));
  expect_refused("op1");
}

TEST_F(Refusals, PoliciesOfMethodsThatDoNotLearn) {
  for (const char* method : {"auto", "hdp(", "nonesuch", "hdp(groups=0)"}) {
    file_.method = method;
    setting_.method = method;
    try {
      const Trainer trainer(setting_, file_, "x.policy");
      ADD_FAILURE() << method;
    } catch (const InputError& error) {
      const std::string said = error.what();
      EXPECT_TRUE(said.starts_with("x.policy: the file names the method ")) << said;
    }
  }
  // A learned method, but not the one whose parameters these are.
  file_.method = setting_.method = small_method("hdp");
  EXPECT_THROW(Trainer(setting_, file_, "x.policy"), InputError);
}

}  // namespace
}  // namespace berth::learn
