// Draws plans as list schedules: units are decided in the order of a list scheduler, each with what
// the schedule so far makes of every device (decision_reader.h), weighed by the unit's embedding
// (device_judge.h).
//
// Plans are drawn on all cores. Every plan has a random stream of its own, so the result does not
// depend on the number of threads. What each decision read is kept with the decision, so scoring it
// again needs no second schedule.
#pragma once

#include <vector>

#include "base/random.h"
#include "learn/case.h"
#include "learn/nets/chance.h"
#include "learn/nets/device_judge.h"
#include "plan/plan.h"

namespace berth::learn {

// Decisions of one pass over all units, [plans, decisions] each.
struct ScheduledPass {
  Tensor devices;
  Tensor log_probs;
  Tensor numbers;  // [plans, decisions, devices, DeviceJudge::kNumbers]
  Tensor allowed;  // [plans, decisions, devices], bool
  std::vector<Plan> plans;
};

class ScheduledPlacer : public Module {
 public:
  ScheduledPlacer() = default;
  ScheduledPlacer(std::int64_t width, const LogitLimit& limit);

  // `embeddings` of the decided units: [readings, decisions, width] with one reading for all plans
  // or one per plan. `before`: the devices of the pass before, [plans, decisions]; undefined for
  // none. `randoms`: a generator per plan; empty to take the likeliest device each time.
  ScheduledPass draw(const Case& of, const Tensor& embeddings, const Tensor& before,
                     std::int64_t plans, std::vector<Random>& randoms) const;
  // The same with the given devices [plans, decisions]: what their decisions read.
  ScheduledPass replay(const Case& of, const Tensor& devices, const Tensor& before) const;

  // Log-probabilities of all devices with gradients: [plans, decisions, devices].
  Tensor score(const Tensor& embeddings, const Tensor& numbers, const Tensor& allowed) const;

 private:
  template <class Choose>
  ScheduledPass run(const Case& of, const Tensor& before, std::int64_t plans,
                    const Choose& choose) const;

  LogitLimit limit_;
  DeviceJudge judge_;
};

}  // namespace berth::learn
