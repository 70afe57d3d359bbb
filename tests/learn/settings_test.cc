// Settings as structs: every learned method has all options that its settings are read from, and
// values reach the fields they are named after.
#include <gtest/gtest.h>

#include "base/error.h"
#include "learn/training_settings.h"
#include "place/learned/methods.h"
#include "small_agents.h"

namespace berth::learn {
namespace {

TEST(TrainingSettings, AreReadFromEveryMethodInBothPresets) {
  for (const std::string& name : agent_names()) {
    SCOPED_TRACE(name);
    const TrainingSettings fast = TrainingSettings::parse(resolved_options(name));
    const TrainingSettings paper =
        TrainingSettings::parse(resolved_options(name + ":preset=paper"));
    EXPECT_EQ(fast.reward.failing, 2);
    EXPECT_EQ(paper.reward.failing, name == "placeto" ? 10 : 100);  // its penalty has a limit
    // Nothing of ours.
    EXPECT_EQ(paper.elite_weight, 0);
    EXPECT_FALSE(paper.normalize);
    // What is HDP's is not the others'.
    EXPECT_EQ(paper.valid_after < 1000000, name == "hdp" || name == "colocrl");
  }
}

TEST(TrainingSettings, HoldTheGivenValues) {
  const TrainingSettings settings = TrainingSettings::parse(resolved_options(
      "go:start=etf:lr=0.5:lr_end=0.25:clip=3:entropy=4:entropy_of=sum:entropy_until=0.75:elite=6:"
      "valid_after=7:valid_share=0.125:normalize=off:epochs=8:minibatches=9:ppo_clip=0.3:"
      "noise=0.1:noise_updates=11:reward=log:overflow=12:baseline=steps:memory=0.7:units=13"));
  EXPECT_EQ(settings.start, "etf");
  EXPECT_EQ(settings.algorithm, TrainingSettings::Algorithm::ppo);
  EXPECT_EQ(settings.learning_rate, 0.5);
  EXPECT_EQ(settings.learning_rate_end, 0.25);
  EXPECT_EQ(settings.gradient_clip, 3);
  EXPECT_EQ(settings.entropy_weight, 4);
  EXPECT_FALSE(settings.mean_entropy);
  EXPECT_EQ(settings.entropy_until, 0.75);
  EXPECT_EQ(settings.elite_weight, 6);
  EXPECT_EQ(settings.valid_after, 7);
  EXPECT_EQ(settings.valid_share, 0.125);
  EXPECT_FALSE(settings.normalize);
  EXPECT_EQ(settings.epochs, 8);
  EXPECT_EQ(settings.minibatches, 9);
  EXPECT_EQ(settings.ppo_clip, 0.3);
  EXPECT_EQ(settings.noise, 0.1);
  EXPECT_EQ(settings.noise_updates, 11);
  EXPECT_EQ(settings.reward.shape, RewardSettings::Shape::logarithm);
  EXPECT_EQ(settings.reward.overflow, 12);
  EXPECT_EQ(settings.baseline.kind, BaselineSettings::Kind::steps);
  EXPECT_EQ(settings.baseline.memory, 0.7);
  EXPECT_EQ(settings.case_settings.units, "13");
}

// The default of a preset may hold more, which reinforce cannot use.
TEST(TrainingSettings, HaveOneEpochWithoutPpo) {
  const TrainingSettings settings =
      TrainingSettings::parse(resolved_options("mars:preset=paper:algorithm=reinforce"));
  EXPECT_EQ(settings.epochs, 1);
  EXPECT_EQ(settings.minibatches, 1);
  EXPECT_THROW(resolved_options("mars:algorithm=reinforce:epochs=2"), InputError);
}

TEST(CaseSettings, AskForWhatTheMethodReads) {
  const auto of = [](const char* name) { return CaseSettings::parse(resolved_options(name)); };
  EXPECT_EQ(of("colocrl:adjacency=7").adjacency, 7);
  EXPECT_EQ(of("go").adjacency, 0);
  EXPECT_TRUE(of("placeto").reachability);
  EXPECT_FALSE(of("mars").reachability);
  EXPECT_TRUE(of("mars").convolution);
  EXPECT_FALSE(of("hdp").convolution);
}

}  // namespace
}  // namespace berth::learn
