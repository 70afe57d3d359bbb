#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

#include "base/error.h"
#include "cluster/presets.h"
#include "gradient_check.h"
#include "graph/graph_builder.h"
#include "learn/agents/placement_state.h"
#include "learn/policy.h"
#include "place/learned/methods.h"
#include "place/placer.h"
#include "small_agents.h"
#include "support/constrained_problem.h"
#include "support/small_problem.h"

namespace berth::learn {
namespace {

// A method at sizes that suit a test.
struct Agent {
  explicit Agent(const std::string& call) : name(parse_call(call).name) {
    const place::LearnedMethod& method = *place::find_learned(name);
    options = place::resolve_preset(method, Options(name, method.options(), parse_call(call)));
  }
  std::shared_ptr<Policy> make(const Vocabulary& vocabulary, at::ScalarType real = at::kFloat) {
    std::shared_ptr<Policy> policy = make_policy(name, options, vocabulary, 1);
    policy->to(real);
    return policy;
  }

  std::string name;
  Options options;
};

Agent agent_of(const std::string& name, const std::string& preset, const std::string& more = "") {
  return Agent(small_agent(name, ":preset=" + preset + more));
}

// `more` are further options for those that have segments.
void for_all_agents(const std::function<void(Agent&)>& check, const std::string& more = "") {
  const auto check_one = [&](const std::string& name, const char* preset, std::string own) {
    SCOPED_TRACE(fmt::format("{} {}{}", name, preset, own));
    if (agent_of(name, preset).options.has("segment")) own += more;
    Agent agent = agent_of(name, preset, own);
    check(agent);
  };
  for (const std::string& name : agent_names()) {
    for (const char* preset : {"fast", "paper"}) check_one(name, preset, "");
  }
  check_one("go", "fast", ":passes=2");
  check_one("hdp", "fast", ":grouper=random");
  check_one("hdp", "paper", ":grouper=contiguous");
  check_one("mars", "fast", ":attention=none");
}

// Parameters elsewhere than where a policy begins, so that decisions are far from even.
void stir(Policy& policy) {
  at::manual_seed(2);
  at::NoGradGuard guard;
  for (const auto& [name, tensor] : policy.parameters()) {
    Tensor values = tensor;
    values.add_(torch::randn(values.sizes(), values.options().requires_grad(false)) * 0.3);
  }
}

Vocabulary vocabulary_of(const Problem& problem) {
  const Problem* const problems[] = {&problem};
  return Vocabulary(problems);
}

// No device may be used that is not allowed, and no colocated ops come apart. Whether routes lead
// everywhere is for the reward to say.
void expect_valid(const Problem& problem, const Plan& plan) {
  ASSERT_EQ(plan.placement.size(), problem.op_count());
  for (const std::string& violation : violations(problem, plan)) {
    EXPECT_NE(violation.find("no route leads"), std::string::npos) << violation;
  }
}

void expect_valid_plans(Policy& policy, const Case& on, Random& random) {
  const Drawn drawn = policy.draw(on, policy.batch(), 0.5, random);
  EXPECT_EQ(drawn.decisions.plans, policy.batch());
  for (std::int64_t i = 0; i < drawn.decisions.plans; ++i) {
    expect_valid(on.problem, policy.plan(on, drawn.decisions, i));
  }
  expect_valid(on.problem, policy.plan(on, policy.greedy(on), 0));
}

TEST(Agents, DrawValidPlansOnOneClusterAndAnother) {
  for_all_agents([](Agent& agent) {
    Random random(1);
    std::shared_ptr<Policy> policy;
    Vocabulary vocabulary;
    for (std::uint64_t seed = 0; seed < 25; ++seed) {
      SCOPED_TRACE(fmt::format("seed {}", seed));
      const PlantedProblem planted = constrained_problem(seed);
      if (!policy) {
        vocabulary = vocabulary_of(planted.problem);
        policy = agent.make(vocabulary);
        stir(*policy);
      }
      expect_valid_plans(
          *policy, Case(planted.problem, CaseSettings::parse(agent.options), vocabulary), random);
    }
  });
}

TEST(Agents, ScoreWhatTheyDrewAsTheyDrewIt) {
  for_all_agents([](Agent& agent) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      const PlantedProblem planted = constrained_problem(seed);
      const Vocabulary vocabulary = vocabulary_of(planted.problem);
      for (const auto real : {at::kFloat, at::kDouble}) {
        const auto policy = agent.make(vocabulary, real);
        stir(*policy);
        const Case on(planted.problem, CaseSettings::parse(agent.options), vocabulary, real);
        for (const double noise : {0.0, 0.5}) {
          Random random(seed);
          const Drawn drawn = policy->draw(on, policy->batch(), noise, random);
          const Scores scores = policy->score(on, drawn.decisions);
          ASSERT_EQ(scores.log_probs.sizes(), drawn.log_probs.sizes());
          // Decisions along a schedule are drawn in single precision.
          const bool single = real == at::kFloat || drawn.decisions.numbers.defined();
          EXPECT_LT(difference(scores.log_probs, drawn.log_probs), single ? 2e-4 : 1e-9);
          EXPECT_GE(scores.entropy.min().item<double>(), -1e-6);
        }
      }
    }
  });
}

// In one segment: at borders of segments gradients stop, so they are not those of differences.
TEST(Agents, GradientsAreThoseOfFiniteDifferences) {
  for_all_agents(
      [](Agent& agent) {
        Random random(3);
        const Problem problem = small_problem(3, 6, 3);
        const Vocabulary vocabulary = vocabulary_of(problem);
        const auto policy = agent.make(vocabulary, at::kDouble);
        stir(*policy);
        const Case on(problem, CaseSettings::parse(agent.options), vocabulary, at::kDouble);
        const Drawn drawn = policy->draw(on, policy->batch(), 0.5, random);
        const Tensor weights = torch::randn(drawn.log_probs.sizes(), at::kDouble);
        expect_gradients(
            [&] {
              const Scores scores = policy->score(on, drawn.decisions);
              return (scores.log_probs * weights).sum() + scores.entropy.sum();
            },
            policy->parameters(), random);
      },
      ":segment=0");
}

TEST(Agents, ScoreAPartAsTheyScoreTheWhole) {
  for_all_agents([](Agent& agent) {
    Random random(4);
    const Problem problem = small_problem(4, 9, 3);
    const Vocabulary vocabulary = vocabulary_of(problem);
    const auto policy = agent.make(vocabulary, at::kDouble);
    const Case on(problem, CaseSettings::parse(agent.options), vocabulary, at::kDouble);
    const Drawn drawn = policy->draw(on, policy->batch(), 0.5, random);
    const Scores whole = policy->score(on, drawn.decisions);
    const std::int64_t step = drawn.decisions.copies;
    for (std::int64_t begin = 0; begin < drawn.decisions.plans; begin += step) {
      const std::int64_t end = std::min(begin + 2 * step, drawn.decisions.plans);
      const Decisions part = drawn.decisions.slice(begin, end);
      ASSERT_EQ(part.plans, end - begin);
      const Scores scores = policy->score(on, part);
      EXPECT_LT(difference(scores.log_probs, whole.log_probs.slice(0, begin, end)), 1e-11);
      EXPECT_LT(difference(scores.entropy, whole.entropy.slice(0, begin, end)), 1e-11);
      for (std::int64_t i = begin; i < end; ++i) {
        EXPECT_EQ(policy->plan(on, part, i - begin), policy->plan(on, drawn.decisions, i));
      }
    }
  });
}

// What an untrained policy along a schedule thinks best is what heft makes.
TEST(Go, BeginsAsHeft) {
  int compared = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(seed);
    const Problem problem = small_problem(seed, 12, 3);
    const Vocabulary vocabulary = vocabulary_of(problem);
    Agent agent("go:units=ops:hidden=8:heads=2");
    const auto policy = agent.make(vocabulary);
    const Case on(problem, CaseSettings::parse(agent.options), vocabulary);
    const Plan plan = policy->plan(on, policy->greedy(on), 0);
    place::Request request;
    const place::Placed heft = place::parse_method("heft:links=shared").place(problem, request);
    // Where memory binds, heft tries again with less of it.
    if (heft.evaluations == 1) {
      EXPECT_EQ(plan, heft.plan);
      ++compared;
    }
  }
  EXPECT_GE(compared, 8);
}

// The decisions of a plan give its numbers again, so an elite can be stored without them.
TEST(Go, ReadsStoredDecisionsAsItReadThemWhenTheyWereDrawn) {
  const Problem problem = small_problem(4, 12, 3);
  const Vocabulary vocabulary = vocabulary_of(problem);
  Agent agent = agent_of("go", "fast", ":passes=2");
  const auto policy = agent.make(vocabulary);
  stir(*policy);
  const Case on(problem, CaseSettings::parse(agent.options), vocabulary);
  Random random(7);
  const Drawn drawn = policy->draw(on, 4, 0, random);
  Decisions stored;
  stored.plans = drawn.decisions.plans;
  stored.devices = drawn.decisions.devices;
  policy->complete(on, stored);
  EXPECT_TRUE(stored.numbers.equal(drawn.decisions.numbers));
  EXPECT_TRUE(stored.allowed.equal(drawn.decisions.allowed));
}

TEST(Agents, DrawAtMostWhatIsAskedFor) {
  for_all_agents([](Agent& agent) {
    Random random(5);
    const Problem problem = small_problem(5, 5, 2);
    const Vocabulary vocabulary = vocabulary_of(problem);
    const auto policy = agent.make(vocabulary);
    const Case on(problem, CaseSettings::parse(agent.options), vocabulary);
    EXPECT_EQ(policy->batch(), 6);
    for (std::int64_t most = 1; most <= 9; ++most) {
      const Drawn drawn = policy->draw(on, most, 0, random);
      EXPECT_LE(drawn.decisions.plans, std::min<std::int64_t>(most, 6));
      EXPECT_GE(drawn.decisions.plans, std::min<std::int64_t>(most, 6) - 1);
      EXPECT_EQ(drawn.log_probs.size(0), drawn.decisions.plans);
    }
  });
}

TEST(Agents, GreedyIsLikelierThanWhatIsDrawnAndAlwaysTheSame) {
  for_all_agents([](Agent& agent) {
    const Problem problem = small_problem(6, 8, 4);
    const Vocabulary vocabulary = vocabulary_of(problem);
    const auto policy = agent.make(vocabulary);
    stir(*policy);
    const Case on(problem, CaseSettings::parse(agent.options), vocabulary);
    const Decisions greedy = policy->greedy(on);
    EXPECT_EQ(policy->plan(on, policy->greedy(on), 0), policy->plan(on, greedy, 0));
    const auto again = agent.make(vocabulary);
    stir(*again);
    EXPECT_EQ(again->plan(on, again->greedy(on), 0), policy->plan(on, greedy, 0));
    // Its first decision is the likeliest there is.
    Random random(6);
    const double first = policy->score(on, greedy).log_probs[0][0].item<double>();
    for (int i = 0; i < 5; ++i) {
      const Drawn drawn = policy->draw(on, policy->batch(), 0, random);
      Tensor log_probs = drawn.log_probs.select(1, 0);
      if (greedy.starts.defined()) {  // of episodes that begin where the greedy one does
        const Tensor same = drawn.decisions.starts.eq(greedy.starts).all(1);
        ASSERT_TRUE(same.any().item<bool>());
        log_probs = log_probs.masked_select(same);
      }
      EXPECT_LE(log_probs.max().item<double>(), first + 1e-5);
    }
  });
}

TEST(Agents, ParametersAreOfTheSeedAndOfOnePrecision) {
  for_all_agents([](Agent& agent) {
    const auto one = make_policy(agent.name, agent.options, Vocabulary(), 1);
    const auto same = make_policy(agent.name, agent.options, Vocabulary(), 1);
    const auto other = make_policy(agent.name, agent.options, Vocabulary(), 2);
    std::set<std::string> names;
    bool differs = false;
    for (std::size_t i = 0; i < one->parameters().size(); ++i) {
      const auto& [name, tensor] = one->parameters()[i];
      EXPECT_TRUE(names.insert(name).second) << name;
      EXPECT_EQ(tensor.scalar_type(), at::kFloat) << name;
      EXPECT_TRUE(tensor.equal(same->parameters()[i].second)) << name;
      differs = differs || !tensor.equal(other->parameters()[i].second);
    }
    EXPECT_TRUE(differs);
  });
}

// What a policy that has learned something thinks of decisions on three units and two devices.
Tensor scored(Agent agent, Decisions decisions) {
  const Problem problem = small_problem(8, 3, 2);
  const Vocabulary vocabulary = vocabulary_of(problem);
  const auto policy = agent.make(vocabulary, at::kDouble);
  stir(*policy);
  const Case on(problem, CaseSettings::parse(agent.options), vocabulary, at::kDouble);
  EXPECT_EQ(on.unit_count(), 3);
  policy->complete(on, decisions);
  return policy->score(on, decisions).log_probs;
}

// All ways to take so many decisions between two devices.
Decisions all_ways(std::int64_t count) {
  Decisions all;
  all.plans = 1 << count;
  all.devices = torch::empty({all.plans, count}, at::kLong);
  for (std::int64_t plan = 0; plan < all.plans; ++plan) {
    for (std::int64_t bit = 0; bit < count; ++bit) all.devices[plan][bit] = plan >> bit & 1;
  }
  return all;
}

// Odds of every decision there is sum to 1.
TEST(ColocRl, IsADistributionOverPlans) {
  for (const char* preset : {"fast", "paper"}) {
    const Tensor odds = scored(agent_of("colocrl", preset, ":units=ops"), all_ways(3)).sum(1).exp();
    EXPECT_NEAR(odds.sum().item<double>(), 1, 1e-12);
  }
}

TEST(Placeto, RefusesMoreUnitsThanItCanRead) {
  GraphBuilder builder("wide");
  for (int i = 0; i < 257; ++i) builder.add_op(fmt::format("op{}", i), "Op");
  const Problem problem(std::move(builder).build(), make_preset("2xP100"));
  const auto settings = [](const char* units) {
    return CaseSettings::parse(
        Agent(small_agent("placeto", std::string(":units=") + units)).options);
  };
  EXPECT_THROW(Case(problem, settings("ops"), Vocabulary()), InputError);
  EXPECT_EQ(Case(problem, settings("256"), Vocabulary()).unit_count(), 256);
}

// A step improves the placement as it stands: it reads where the unit is, and all others, visited
// or not.
TEST(Placeto, SeesWhereEverythingStands) {
  const Problem problem = small_problem(3, 8, 3);
  const Case of(problem, CaseSettings::parse(agent_of("placeto", "fast", ":units=ops").options),
                Vocabulary());
  const std::size_t units = of.features.units, devices = of.features.device_count;
  std::vector<std::int64_t> now(units);
  for (std::size_t unit = 0; unit < units; ++unit) now[unit] = of.listed[unit];
  PlacementState state(of, now.data());
  std::vector<double> numbers(devices * DeviceScorer::kInputs);
  for (std::size_t unit = 0; unit < units; ++unit) {
    state.look(numbers.data());
    for (std::size_t device = 0; device < devices; ++device) {
      const double* const of_device = &numbers[device * DeviceScorer::kInputs];
      const bool is_here = now[unit] == static_cast<std::int64_t>(device);
      EXPECT_EQ(of_device[Ledger::kMarked], is_here ? 1 : 0);
      double bytes = 0;  // with the unit
      for (std::size_t other = 0; other < units; ++other) {
        const bool is_there = now[other] == static_cast<std::int64_t>(device);
        if (other == unit || is_there) bytes += of.features.bytes[other];
      }
      EXPECT_NEAR(of_device[Ledger::kFilled],
                  std::min(4.0, bytes / of.features.usable_bytes[device]), 1e-9);
    }
    now[unit] = (now[unit] + 1) % static_cast<std::int64_t>(devices);
    state.place(static_cast<std::size_t>(now[unit]));
  }
}

// Over what all passes draw together.
TEST(Go, IsADistributionOverPlacementsOfAllPasses) {
  for (const char* preset : {"fast", "paper"}) {
    const Tensor odds =
        scored(agent_of("go", preset, ":units=ops:passes=2"), all_ways(6)).sum(1).exp();
    EXPECT_NEAR(odds.sum().item<double>(), 1, 1e-12);
    EXPECT_GT(odds.max().item<double>(), 2.0 / 64) << "as good as even";
  }
}

// The same over groupings and placements, an empty group having nothing to decide.
TEST(Hdp, IsADistributionOverGroupingsAndPlacements) {
  for (const char* preset : {"fast", "paper"}) {
    const Agent agent(fmt::format(
        "hdp:preset={}:hidden=6:embedding=3:groups=2:grouper_hidden=5:units=ops", preset));
    std::vector<std::int64_t> groups, devices;
    for (std::int64_t grouping = 0; grouping < 8; ++grouping) {
      for (std::int64_t placement = 0; placement < 4; ++placement) {
        const std::int64_t first = placement & 1;
        const std::int64_t second = placement >> 1;
        // Empty: the device before, or 0.
        if (grouping == 7 && first != 0) continue;
        if (grouping == 0 && second != first) continue;
        for (std::int64_t unit = 0; unit < 3; ++unit) groups.push_back(grouping >> unit & 1);
        devices.insert(devices.end(), {first, second});
      }
    }
    Decisions all;
    all.plans = static_cast<std::int64_t>(groups.size()) / 3;
    all.groups = torch::tensor(groups).view({-1, 3});
    all.devices = torch::tensor(devices).view({-1, 2});
    ASSERT_EQ(all.plans, 6 * 4 + 2 + 2);
    const Tensor log_probs = scored(agent, all);
    ASSERT_EQ(log_probs.size(1), 3 + 2);  // one decision per unit, then one per group
    EXPECT_NEAR(log_probs.sum(1).exp().sum().item<double>(), 1, 1e-12);
    // The grouper alone: once for every grouping.
    double groupings = 0;
    std::set<std::vector<std::int64_t>> known;
    for (std::int64_t i = 0; i < all.plans; ++i) {
      const auto begin = groups.begin() + 3 * i;
      if (!known.insert({begin, begin + 3}).second) continue;
      groupings += std::exp(log_probs[i].narrow(0, 0, 3).sum().item<double>());
    }
    EXPECT_NEAR(groupings, 1, 1e-12);
  }
}

TEST(Hdp, PlansOfOneGroupingShareItsOdds) {
  Agent agent = agent_of("hdp", "fast");
  Random random(9);
  const Problem problem = small_problem(9, 7, 3);
  const Vocabulary vocabulary = vocabulary_of(problem);
  const auto policy = agent.make(vocabulary);
  const Case on(problem, CaseSettings::parse(agent.options), vocabulary);
  const Drawn drawn = policy->draw(on, 6, 0, random);
  ASSERT_EQ(drawn.decisions.copies, 2);
  ASSERT_EQ(drawn.decisions.groups.size(0), 3);
  const Tensor of_groups = drawn.log_probs.narrow(1, 0, on.unit_count());
  for (std::int64_t i = 0; i < 6; i += 2) EXPECT_TRUE(of_groups[i].equal(of_groups[i + 1]));
  EXPECT_FALSE(of_groups[0].equal(of_groups[2]));
}

TEST(Hdp, EmptyGroupsCountForNothing) {
  for (const char* preset : {"fast", "paper"}) {
    Agent agent = agent_of("hdp", preset, ":units=ops");
    const Problem problem = small_problem(10, 4, 3);
    const Vocabulary vocabulary = vocabulary_of(problem);
    const auto policy = agent.make(vocabulary, at::kDouble);
    stir(*policy);
    const Case on(problem, CaseSettings::parse(agent.options), vocabulary, at::kDouble);
    Decisions decisions;
    decisions.plans = 1;
    decisions.groups = torch::tensor(std::vector<std::int64_t>{2, 0, 2, 2}).unsqueeze(0);
    decisions.devices = torch::tensor(std::vector<std::int64_t>{1, 1, 2, 2}).unsqueeze(0);
    const Scores scores = policy->score(on, decisions);
    for (std::int64_t group = 0; group < 4; ++group) {
      const bool used = group == 0 || group == 2;
      EXPECT_EQ(scores.log_probs[0][4 + group].item<double>() < 0, used) << group;
      EXPECT_EQ(scores.entropy[0][group].item<double>() > 0, used) << group;
    }
    // No unit is in the last group: wherever it is, plan and odds are the same.
    Decisions other = decisions;
    other.devices = torch::tensor(std::vector<std::int64_t>{1, 1, 2, 0}).unsqueeze(0);
    EXPECT_TRUE(policy->score(on, other).log_probs.equal(scores.log_probs));
    EXPECT_EQ(policy->plan(on, other, 0), policy->plan(on, decisions, 0));
  }
}

TEST(Hdp, AUnitThatMayNotFollowItsGroupTakesItsFastestDevice) {
  GraphBuilder builder("apart");
  const std::vector<std::vector<std::string>> allowed = {
      {"gpu:0"}, {"gpu:1", "gpu:2"}, {"gpu:0", "gpu:1", "gpu:2"}};
  for (std::size_t i = 0; i < 3; ++i) {
    const OpId op = builder.add_op(fmt::format("op{}", i), "Op");
    for (int d = 0; d < 3; ++d) builder.add_seconds(op, fmt::format("gpu:{}", d), 3 - d);
    builder.set_devices(op, allowed[i]);
    builder.add_output(op, {.bytes = 1});
  }
  std::vector<Device> devices(3);
  for (std::size_t d = 0; d < 3; ++d) {
    devices[d].kind = "gpu";
    devices[d].name = fmt::format("gpu:{}", d);
  }
  const Problem problem(
      std::move(builder).build(),
      Cluster("three", devices, {},
              {{.from = 0, .to = 1, .bandwidth = 1}, {.from = 1, .to = 2, .bandwidth = 1}}));
  Agent agent = agent_of("hdp", "fast", ":units=ops");
  const Vocabulary vocabulary = vocabulary_of(problem);
  const auto policy = agent.make(vocabulary);
  const Case on(problem, CaseSettings::parse(agent.options), vocabulary);
  Decisions decisions;
  decisions.plans = 1;
  decisions.groups = torch::zeros({1, 3}, at::kLong);
  const auto placed = [&](std::int64_t device) {
    decisions.devices = torch::full({1, 3}, device, at::kLong);
    std::vector<std::size_t> found;
    for (const DeviceId id : policy->plan(on, decisions, 0).placement) found.push_back(id.index());
    return found;
  };
  EXPECT_EQ(placed(0), (std::vector<std::size_t>{0, 2, 0}));
  EXPECT_EQ(placed(1), (std::vector<std::size_t>{0, 1, 1}));
  // No device suits all, so the group may go wherever one of them may.
  decisions.devices = torch::zeros({1, 3}, at::kLong);
  for (std::int64_t device = 0; device < 3; ++device) {
    decisions.devices[0][0] = device;
    EXPECT_GT(policy->score(on, decisions).log_probs[0][3].item<double>(), -100);
  }
  // Without the second op, only where both may.
  decisions.groups[0][on.units.of_op[1]] = 1;
  for (std::int64_t device = 0; device < 3; ++device) {
    decisions.devices[0][0] = device;
    EXPECT_EQ(policy->score(on, decisions).log_probs[0][3].item<double>() > -100, device == 0);
  }
}

}  // namespace
}  // namespace berth::learn
