// The interface of a policy to the trainer: draw plans with their probabilities, score stored
// decisions again with gradients, and give the greedy plan.
//
// Decisions are stored and scored again for the update, never drawn anew: the gradient must belong
// to the plan that was simulated.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "base/random.h"
#include "base/stop.h"
#include "learn/case.h"
#include "learn/nets/module.h"
#include "learn/torch.h"

namespace berth::learn {

// The decisions behind a number of plans. A policy fills in what it needs.
struct Decisions {
  std::int64_t plans = 0;
  std::int64_t copies = 1;  // plans that share one grouping
  Tensor devices;           // [plans, items]
  Tensor starts;            // [plans, items]: where a placement is improved, what it was before
  Tensor groups;            // [plans / copies, units]: where units are grouped first
  Tensor noise;             // [plans, items, devices] on logits; undefined for none
  Tensor group_noise;       // [plans / copies, units, groups]
  // Of decisions along a list schedule (nets/scheduled_placer.h):
  Tensor numbers;          // [plans, items, devices, numbers] that they read
  Tensor allowed;          // [plans, items, devices]
  std::vector<Plan> made;  // by plan: what the decisions led to

  // Plans [begin, end); both multiples of `copies`.
  Decisions slice(std::int64_t begin, std::int64_t end) const;
  // One plan by itself, and without the noise it was drawn with.
  Decisions single(std::int64_t plan) const;
  // These and behind them a single one, `copies` times.
  Decisions followed_by(const Decisions& one) const;
};

struct Drawn {
  Decisions decisions;
  Tensor log_probs;  // [plans, decisions], each decision's own
};

struct Scores {
  Tensor log_probs;  // [plans, decisions]
  Tensor entropy;    // [plans, ...]: of the decisions that are to stay open early in training
};

// One placement of the path to a plan: it holds before step `from` of the episode, and until the
// next placement of the path.
struct PathStep {
  std::int64_t from = 0;
  Plan plan;
};

class Policy : public Module {
 public:
  // Learns from the graphs alone, before any plan is simulated. False when a stop was requested;
  // the parameters are then unchanged.
  virtual bool pretrain(std::span<const Case* const>, Random&, const StopToken&) { return true; }
  // At most `most` plans; `noise` is the deviation of noise on logits, as a part of their size.
  virtual Drawn draw(const Case& of, std::int64_t most, double noise, Random& random) = 0;
  // With gradients, under the parameters as they are now.
  virtual Scores score(const Case& of, const Decisions& decisions) = 0;
  // One plan: the likeliest decision each time.
  virtual Decisions greedy(const Case& of) = 0;
  // Fills in what decisions that were stored without it have read. Only for policies that keep it.
  virtual void complete(const Case&, Decisions&) const {}
  // Plan number `plan` of the decisions.
  virtual Plan plan(const Case& of, const Decisions& decisions, std::int64_t plan) const = 0;
  // For a policy whose steps are rewarded one by one: the placements from the one it began with to
  // the plan itself. Empty when plans are rewarded as a whole.
  virtual std::vector<PathStep> path(const Case&, const Decisions&, std::int64_t) const {
    return {};
  }
  // The most evaluations that one plan can take.
  virtual double evaluations_for_one(const Case&) const { return 1; }
  // Plans per update.
  virtual std::int64_t batch() const = 0;
};

// The policy of a learned method; `options` with the preset resolved, parameters as the seed has
// them.
std::shared_ptr<Policy> make_policy(const std::string& method, const Options& options,
                                    const Vocabulary& vocabulary, std::uint64_t seed);

}  // namespace berth::learn
