#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/random.h"
#include "learn/nets/chance.h"
#include "learn/rl/adam.h"
#include "learn/rl/advantages.h"
#include "learn/rl/baseline.h"
#include "learn/rl/objective.h"
#include "learn/rl/returns.h"
#include "learn/rl/reward.h"
#include "place/learned/methods.h"

namespace berth::learn {
namespace {

Options options_of(const std::string& call) {
  const place::LearnedMethod& method = *place::find_learned("colocrl");
  return {method.name, method.options(), parse_call("colocrl(" + call + ")")};
}

BaselineSettings baseline_settings(const std::string& call) {
  return BaselineSettings::parse(options_of(call));
}

RewardSettings reward_settings(const std::string& call) {
  return RewardSettings::parse(options_of(call));
}

Tensor row(const std::vector<double>& values) { return torch::tensor(values, at::kDouble); }

std::vector<double> values_of(const Tensor& tensor) {
  const Tensor flat = tensor.detach().reshape({-1}).contiguous();
  return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
}

void expect_values(const Tensor& found, const std::vector<double>& right, double tolerance) {
  const std::vector<double> values = values_of(found);
  ASSERT_EQ(values.size(), right.size());
  for (std::size_t i = 0; i < right.size(); ++i) EXPECT_NEAR(values[i], right[i], tolerance) << i;
}

// Three arms with fixed rewards, pulled with the odds of logits: the gradient of the expected
// reward is p_i (r_i - E r).
class Bandit {
 public:
  explicit Bandit(std::uint64_t seed) : random_(seed) { logits.requires_grad_(); }

  Tensor draw(std::int64_t plans) {
    const Tensor odds = logits.detach().log_softmax(-1).expand({plans, 3});
    return draw_rows(odds, random_).unsqueeze(1);
  }
  Tensor log_probs(const Tensor& arms) const {
    return logits.log_softmax(-1).expand({arms.size(0), 3}).gather(1, arms);
  }
  RewardRows pay(const Tensor& arms) const {
    RewardRows rows;
    for (std::int64_t i = 0; i < arms.size(0); ++i) {
      rows.push_back({rewards[arms[i].item<std::int64_t>()].item<double>()});
    }
    return rows;
  }
  Tensor exact_gradient() const {
    const Tensor odds = logits.detach().softmax(-1);
    return odds * (rewards - (odds * rewards).sum());
  }
  // Of a loss, which it clears.
  Tensor gradient(const Tensor& loss) {
    loss.backward();
    Tensor found = logits.grad().clone();
    logits.mutable_grad().reset();
    return found;
  }

  Tensor logits = row({0.3, -0.2, 0.5});
  Tensor rewards = row({1, 3, 2});

 private:
  Random random_;
};

Tensor column(const RewardRows& rows) {
  std::vector<double> flat;
  for (const auto& one : rows) flat.push_back(one.front());
  return row(flat).unsqueeze(1);
}

// How many standard errors the mean gradient is off at most.
double errors_off(const std::string& baseline_call) {
  Bandit bandit(7);
  Baseline baseline(baseline_settings(baseline_call));
  baseline.advantages({{1.5}});  // or the first batch would count for its own baseline
  constexpr int kBatches = 1500;
  Tensor sum = torch::zeros({3}, at::kDouble);
  Tensor squares = torch::zeros({3}, at::kDouble);
  for (int i = 0; i < kBatches; ++i) {
    const Tensor arms = bandit.draw(4);
    const Tensor advantages = column(baseline.advantages(bandit.pay(arms)));
    const Tensor gradient = -bandit.gradient(reinforce_loss(bandit.log_probs(arms), advantages));
    sum += gradient;
    squares += gradient.square();
  }
  const Tensor mean = sum / kBatches;
  const Tensor error = ((squares / kBatches - mean.square()) / kBatches).sqrt();
  // Errors small enough to tell a gradient from one that is a quarter off.
  EXPECT_LT((error / bandit.exact_gradient().abs()).min().item<double>(), 0.05);
  return ((mean - bandit.exact_gradient()) / error).abs().max().item<double>();
}

TEST(Objective, ReinforceIsUnbiased) {
  EXPECT_LT(errors_off("baseline=average,memory=0.8"), 4.5);
  EXPECT_LT(errors_off("baseline=batch"), 4.5);
}

TEST(Objective, AreTheirFormulas) {
  const Tensor log_probs = torch::tensor({-1.0, -2.0, -0.5, -3.0}, at::kDouble).view({2, 2});
  EXPECT_NEAR(reinforce_loss(log_probs, row({2, -1}).unsqueeze(1)).item<double>(),
              -(2 * -3 + -1 * -3.5) / 2, 1e-12);
  const Tensor by_step = torch::tensor({2.0, 1.0, -1.0, 4.0}, at::kDouble).view({2, 2});
  EXPECT_NEAR(reinforce_loss(log_probs, by_step).item<double>(), -(-2 - 2 + 0.5 - 12) / 2, 1e-12);
  // Ratios 2, 0.5, 2, 0.5 within 1 +- 0.2: the worse of the two counts.
  const Tensor old =
      log_probs - torch::tensor({2.0, 0.5, 2.0, 0.5}, at::kDouble).view({2, 2}).log();
  EXPECT_NEAR(ppo_loss(log_probs, old, row({3, -1}).unsqueeze(1), 0.2).item<double>(),
              -((1.2 * 3 + 0.5 * 3) + (-2 + -0.8)) / 2, 1e-12);
}

TEST(Objective, PpoHasReinforcesGradientAtRatioOne) {
  Bandit bandit(3);
  const Tensor arms = bandit.draw(8);
  const Tensor advantages = column(bandit.pay(arms)) - 1.7;
  const Tensor reinforce = bandit.gradient(reinforce_loss(bandit.log_probs(arms), advantages));
  const Tensor old = bandit.log_probs(arms).detach();
  const Tensor ppo = bandit.gradient(ppo_loss(bandit.log_probs(arms), old, advantages, 0.2));
  expect_values(ppo, values_of(reinforce), 1e-12);
  EXPECT_GT(reinforce.abs().max().item<double>(), 0.01);
}

TEST(Objective, PpoDoesNotFollowBeyondTheClip) {
  // Gradient with regard to a log-probability whose ratio has left the trusted range.
  const auto gradient = [](double ratio, double advantage) {
    Tensor log_prob = torch::full({1, 1}, std::log(ratio), at::kDouble).requires_grad_();
    ppo_loss(log_prob, torch::zeros({1, 1}, at::kDouble),
             torch::full({1, 1}, advantage, at::kDouble), 0.2)
        .backward();
    return log_prob.grad().item<double>();
  };
  EXPECT_EQ(gradient(1.5, 1), 0);
  EXPECT_EQ(gradient(0.5, -1), 0);
  // The other way round the plan has become worse than it was, and is pulled back.
  EXPECT_NEAR(gradient(1.5, -1), 1.5, 1e-12);
  EXPECT_NEAR(gradient(0.5, 1), -0.5, 1e-12);
  EXPECT_NEAR(gradient(1.1, 1), -1.1, 1e-12);
}

TEST(Objective, AStepFavoursTheBetterArm) {
  for (const bool ppo : {false, true}) {
    Bandit bandit(5);
    const Tensor before = bandit.logits.detach().softmax(-1);
    const Tensor arms = torch::tensor(std::vector<std::int64_t>{0, 1, 2}).unsqueeze(1);
    const Tensor advantages = column(bandit.pay(arms)) - 2;
    const Tensor log_probs = bandit.log_probs(arms);
    const Tensor loss = ppo ? ppo_loss(log_probs, log_probs.detach(), advantages, 0.2)
                            : reinforce_loss(log_probs, advantages);
    loss.backward();
    Adam adam({bandit.logits});
    adam.step(0.1, 10);
    const Tensor after = bandit.logits.detach().softmax(-1);
    EXPECT_GT(after[1].item<double>(), before[1].item<double>() + 0.01);
    EXPECT_LT(after[0].item<double>(), before[0].item<double>() - 0.01);
  }
}

TEST(Objective, TrainingFindsTheBestArm) {
  Bandit bandit(11);
  Baseline baseline(baseline_settings("baseline=average"));
  Adam adam({bandit.logits});
  for (int i = 0; i < 200; ++i) {
    const Tensor arms = bandit.draw(4);
    const Tensor advantages = column(baseline.advantages(bandit.pay(arms)));
    reinforce_loss(bandit.log_probs(arms), advantages).backward();
    adam.step(0.05, 1);
  }
  EXPECT_GT(bandit.logits.softmax(-1)[1].item<double>(), 0.95);
}

void expect_rows(const RewardRows& found, const RewardRows& right) {
  ASSERT_EQ(found.size(), right.size());
  for (std::size_t i = 0; i < right.size(); ++i) {
    ASSERT_EQ(found[i].size(), right[i].size());
    for (std::size_t k = 0; k < right[i].size(); ++k) {
      EXPECT_NEAR(found[i][k], right[i][k], 1e-12) << i << " " << k;
    }
  }
}

TEST(Baseline, AverageMovesByItsMemory) {
  Baseline baseline(baseline_settings("baseline=average,memory=0.75"));
  // Begins at the first batch's mean, 3.
  expect_rows(baseline.advantages({{2}, {4}}), {{-1}, {1}});
  EXPECT_NEAR(baseline.value(), 3, 1e-12);
  expect_rows(baseline.advantages({{7}, {7}}), {{4}, {4}});
  EXPECT_NEAR(baseline.value(), 4, 1e-12);
  expect_rows(baseline.advantages({{4}}), {{0}});
}

TEST(Baseline, BatchComparesWithTheOthers) {
  Baseline baseline(baseline_settings("baseline=batch,memory=0.75"));
  expect_rows(baseline.advantages({{1}, {2}, {6}}), {{-3}, {-1.5}, {4.5}});
  EXPECT_NEAR(baseline.value(), 3, 1e-12);
  // One by itself is compared with the average.
  expect_rows(baseline.advantages({{5}}), {{2}});
  EXPECT_NEAR(baseline.value(), 3.5, 1e-12);
}

// Plans that share a grouping: what the grouping is worth must not cancel.
TEST(Baseline, BatchComparesWithOtherGroupings) {
  Baseline baseline(baseline_settings("baseline=batch"));
  const std::vector<std::size_t> groupings = {0, 0, 1, 1};
  expect_rows(baseline.advantages({{1}, {2}, {5}, {7}}, groupings), {{-5}, {-4}, {3.5}, {5.5}});
}

TEST(Baseline, StepsAreComparedWithTheLastTenUpdates) {
  Baseline baseline(baseline_settings("baseline=steps"));
  expect_rows(baseline.advantages({{1, 10}, {3, 30}}), {{-1, -10}, {1, 10}});  // means 2, 20
  expect_rows(baseline.advantages({{4, 60}}), {{2, 40}});
  EXPECT_NEAR(baseline.value(), 3, 1e-12);
  expect_rows(baseline.advantages({{0, 0}}), {{-3, -40}});
  EXPECT_NEAR(baseline.value(), 2, 1e-12);
  for (int i = 0; i < 9; ++i) baseline.advantages({{100, 100}});
  // The first two are forgotten: nine of 100 and one of 0.
  expect_rows(baseline.advantages({{100, 100}}), {{10, 10}});
  EXPECT_NEAR(baseline.value(), 100, 1e-12);
}

TEST(Baseline, StepsBeginAnewWhenEpisodesGetAnotherLength) {
  Baseline baseline(baseline_settings("baseline=steps"));
  baseline.advantages({{1, 10}});
  expect_rows(baseline.advantages({{5, 5, 5}, {7, 9, 11}}), {{-1, -2, -3}, {1, 2, 3}});
  expect_rows(baseline.advantages({{6, 8, 8}}), {{0, 1, 0}});
}

TEST(Baseline, GoesOnFromItsState) {
  for (const char* kind : {"average", "batch", "steps"}) {
    const BaselineSettings settings = baseline_settings(std::string("baseline=") + kind);
    Baseline one(settings);
    for (int i = 0; i < 13; ++i) one.advantages({{i * 1.5, 2.0}, {i * 0.5, -i * 1.0}});
    Baseline other(settings);
    ASSERT_TRUE(other.restore(one.state()));
    EXPECT_EQ(other.state(), one.state());
    EXPECT_EQ(other.value(), one.value());
    EXPECT_EQ(other.advantages({{3, 4}, {5, 7}}), one.advantages({{3, 4}, {5, 7}})) << kind;
    Baseline fresh(settings);
    EXPECT_TRUE(fresh.restore(Baseline(settings).state()));
  }
}

TEST(Baseline, RefusesAStateThatMakesNoSense) {
  Baseline baseline(baseline_settings("baseline=steps"));
  baseline.advantages({{1, 2}});
  const std::vector<double> before = baseline.state();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double inf = std::numeric_limits<double>::infinity();
  const std::vector<std::vector<double>> wrong = {
      {},          {1, 2},       {1, 2, -1},     {1, 2, 11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
      {1, 2, nan}, {1, 2, 0, 5}, {1, 2, 2, 5},   {1, 2, 2},
      {1, nan, 0}, {1, inf, 0},  {1, 2, 1.5, 3}, {1, 2, 1, nan}};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    EXPECT_FALSE(baseline.restore(wrong[i])) << i;
    EXPECT_EQ(baseline.state(), before) << i;
  }
}

TEST(Baseline, TakesAStateOfOtherEpisodesAndBeginsAnew) {
  Baseline baseline(baseline_settings("baseline=steps"));
  ASSERT_TRUE(baseline.restore({1, 0, 1, 7}));
  expect_rows(baseline.advantages({{1, 10}, {3, 30}}), {{-1, -10}, {1, 10}});
}

Outcome outcome_of(double seconds, bool feasible = true, std::int64_t over = 0) {
  Outcome outcome;
  outcome.step_seconds = seconds;
  outcome.feasible = feasible;
  outcome.over_bytes = over;
  return outcome;
}

TEST(Advantages, AreZeroForSamplesThatDoNotCount) {
  const RewardRows rewards = {{1, 10}, {100, 100}, {3, 20}};
  Baseline baseline(baseline_settings("baseline=batch"));
  const Advantages plain = advantages_of(baseline, rewards, {true, false, true}, 1, false);
  EXPECT_EQ(plain.rows, (RewardRows{{-2, -10}, {0, 0}, {2, 10}}));
  EXPECT_EQ(plain.scale, 1.5);

  // The root mean square is over the values that count.
  const Advantages normal = advantages_of(baseline, rewards, {true, false, true}, 1, true);
  EXPECT_NEAR(normal.rows[2][1], 10 / std::sqrt((4 + 100 + 4 + 100) / 4.0), 1e-12);
  EXPECT_EQ(normal.rows[1], (std::vector<double>{0, 0}));
  EXPECT_TRUE(advantages_of(baseline, rewards, {false, false, false}, 1, true).rows.empty());
}

TEST(Advantages, OfEqualRewardsAreNotScaledUp) {
  Baseline baseline(baseline_settings("baseline=batch"));
  const Advantages none =
      advantages_of(baseline, {{0.1}, {0.1}, {0.1}}, {true, true, true}, 1, true);
  for (const auto& row : none.rows) EXPECT_NEAR(row[0], 0, 1e-15);
}

TEST(Reward, OfAStepIsByItsShape) {
  // The start plan takes 2 s.
  EXPECT_NEAR(Reward(reward_settings("reward=sqrt"), 2, 100).of(outcome_of(8)), -2, 1e-12);
  EXPECT_NEAR(Reward(reward_settings("reward=linear"), 2, 100).of(outcome_of(8)), -4, 1e-12);
  EXPECT_NEAR(Reward(reward_settings("reward=log"), 2, 100).of(outcome_of(8)), -std::log(4), 1e-12);
  EXPECT_NEAR(Reward(reward_settings("reward=sqrt,scale=seconds"), 2, 100).of(outcome_of(9)), -3,
              1e-12);
  // A step of no time, and a start of none.
  EXPECT_TRUE(std::isfinite(Reward(reward_settings("reward=log"), 2, 100).of(outcome_of(0))));
  EXPECT_NEAR(Reward(reward_settings("reward=linear"), 0, 100).of(outcome_of(3)), -3, 1e-12);
}

TEST(Reward, OfAPlanThatDoesNotFitIsOfALargeStep) {
  const Reward reward(reward_settings("reward=sqrt,failing=16,overflow=9"), 2, 100);
  EXPECT_NEAR(reward.of(outcome_of(1, false, 0)), -4, 1e-12);
  EXPECT_NEAR(reward.of(outcome_of(1, false, 100)), -5, 1e-12);
  EXPECT_NEAR(reward.of(outcome_of(1, false, 50)), -std::sqrt(20.5), 1e-12);
  // Never better than its own step, here 36 times that of the start.
  EXPECT_NEAR(reward.of(outcome_of(72, false, 100)), -6, 1e-12);
  // However much is too much, the reward stays within reach.
  EXPECT_NEAR(reward.of(outcome_of(1, false, 1'000'000'000)), -std::sqrt(16 + 9e3), 1e-9);
  // As published: a constant.
  const Reward paper(reward_settings("reward=sqrt,failing=100,overflow=0,scale=seconds"), 2, 100);
  EXPECT_NEAR(paper.of(outcome_of(1, false, 1'000'000)), -10, 1e-12);
}

// Where the start plan does not fit, plans that do may take many times as long.
TEST(Reward, OfAPlanThatDoesNotFitIsNeverAboveThatOfOneThatDoes) {
  const Reward reward(reward_settings("reward=sqrt,failing=2,overflow=2"), 2, 100);
  const double slow = reward.of(outcome_of(50));
  EXPECT_GT(reward.of(outcome_of(1, false, 10)), slow);  // without knowing of the slow one
  EXPECT_LT(reward.of(outcome_of(1, false, 10), 50), slow);
  EXPECT_NEAR(reward.of(outcome_of(1, false, 0), 50), slow, 1e-12);
  Outcome lost = outcome_of(1);
  lost.routable = false;
  EXPECT_LT(reward.of(lost, 50), reward.of(outcome_of(1, false, 0), 50));
}

TEST(Reward, OfAPlanWithoutARouteIsFinite) {
  Outcome outcome = outcome_of(std::numeric_limits<double>::infinity());
  outcome.routable = false;
  EXPECT_NEAR(Reward(reward_settings("reward=sqrt,failing=8"), 2, 100).of(outcome), -4, 1e-12);
  EXPECT_NEAR(Reward(reward_settings("reward=linear,failing=8"), 2, 100).of(outcome), -16, 1e-12);
}

TEST(Adam, IsTheFormulaOfThePaper) {
  Random random(1);
  const auto noise = [&] { return random.uniform() * 2 - 1; };
  Tensor first = row({0.5, -1.5}).requires_grad_();
  Tensor second =
      torch::tensor({1.0, 2.0, 3.0, 4.0, 5.0, 6.0}, at::kDouble).view({2, 3}).requires_grad_();
  std::vector<double> right = {0.5, -1.5, 1, 2, 3, 4, 5, 6}, mean(8, 0.0), square(8, 0.0);
  Adam adam({first, second});
  for (int step = 1; step <= 5; ++step) {
    std::vector<double> gradient(8);
    double norm = 0;
    for (double& value : gradient) norm += std::pow(value = 3 * noise(), 2);
    norm = std::sqrt(norm);
    first.mutable_grad() = row({gradient[0], gradient[1]});
    second.mutable_grad() = row({gradient.begin() + 2, gradient.end()}).view({2, 3});
    const double clip = step % 2 == 0 ? 1e9 : 0.5;
    EXPECT_NEAR(adam.step(0.1, clip), norm, 1e-12);
    for (std::size_t i = 0; i < 8; ++i) {
      const double cut = gradient[i] * std::min(1.0, clip / norm);
      mean[i] = 0.9 * mean[i] + 0.1 * cut;
      square[i] = 0.999 * square[i] + 0.001 * cut * cut;
      const double mean_hat = mean[i] / (1 - std::pow(0.9, step));
      const double square_hat = square[i] / (1 - std::pow(0.999, step));
      right[i] -= 0.1 * mean_hat / (std::sqrt(square_hat) + 1e-8);
    }
    expect_values(first, {right[0], right[1]}, 1e-12);
    expect_values(second, {right.begin() + 2, right.end()}, 1e-12);
    EXPECT_FALSE(first.grad().defined());
    EXPECT_FALSE(second.grad().defined());
  }
  EXPECT_EQ(adam.steps, 5);
}

TEST(Adam, TakesAMissingGradientForZero) {
  Tensor used = row({1}).requires_grad_();
  Tensor unused = row({2}).requires_grad_();
  Adam adam({used, unused});
  used.mutable_grad() = row({3});
  EXPECT_NEAR(adam.step(0.1, 1e9), 3, 1e-12);
  EXPECT_NEAR(used.item<double>(), 0.9, 1e-6);
  EXPECT_EQ(unused.item<double>(), 2);
}

TEST(Adam, LeavesParametersAloneWhenAGradientIsNotFinite) {
  Tensor parameter = row({1, 2}).requires_grad_();
  Adam adam({parameter});
  parameter.mutable_grad() = row({1, 1});
  adam.step(0.1, 1e9);
  const std::vector<double> before = values_of(parameter);
  const std::vector<double> moment = values_of(adam.first);
  for (const double wrong :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    parameter.mutable_grad() = row({1, wrong});
    EXPECT_FALSE(std::isfinite(adam.step(0.1, 1)));
    EXPECT_EQ(values_of(parameter), before);
    EXPECT_EQ(values_of(adam.first), moment);
    EXPECT_EQ(adam.steps, 1);
    EXPECT_FALSE(parameter.grad().defined());
  }
}

// An episode of five steps: the second shortens the step from 9 to 4, the fourth from 4 to 1.
TEST(Returns, OfGainsAreWhatIsStillToBeGained) {
  const std::int64_t from[] = {0, 2, 4};
  const double rewards[] = {-3, -2, -1};
  EXPECT_EQ(returns_of_gains(from, rewards, 5), (std::vector<double>{2, 2, 1, 1, 0}));
}

TEST(Returns, OfAnEpisodeThatChangesNothingAreNone) {
  const std::int64_t from[] = {0};
  const double rewards[] = {-3};
  EXPECT_EQ(returns_of_gains(from, rewards, 3), (std::vector<double>{0, 0, 0}));
}

// The last step spoils what the first has gained.
TEST(Returns, OfGainsMayBeLosses) {
  const std::int64_t from[] = {0, 1, 3};
  const double rewards[] = {-2, -1, -3};
  EXPECT_EQ(returns_of_gains(from, rewards, 3), (std::vector<double>{-1, -2, -2}));
}

}  // namespace
}  // namespace berth::learn
