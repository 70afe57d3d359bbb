// Runs a plan through the execution rules (docs/execution.md): the judge of every placer.
//
// Two engines stand behind one entry point. The fast one handles devices with one slot and at most
// 64 devices: it needs only the ends of ops as events, because a transfer's arrival is known the
// moment it is reserved, and it keeps memory exact without ordering every change (fast_engine.h).
// The general one follows the rules literally, event by event, handles everything, and records the
// timeline (general_engine.h). Tests hold both to a third, plain implementation.
//
// An instance owns its scratch memory, so evaluate() allocates nothing after its first call for a
// problem (fused plans apart: a new fusion is compiled first) and one instance per thread is
// thread-safe. Cost: O((ops + edges) log queue).
#pragma once

#include <memory>

#include "plan/plan.h"
#include "sim/outcome.h"
#include "sim/timeline.h"

namespace berth {

class Simulator {
 public:
  // The problem must outlive the simulator.
  explicit Simulator(const Problem& problem);
  ~Simulator();
  Simulator(Simulator&&) noexcept;
  Simulator& operator=(Simulator&&) noexcept;

  // The plan must be valid but for routes (see violations()). The result stays valid until the next
  // call.
  const Outcome& evaluate(const Plan& plan);

  // The same rules, with everything that happened.
  Timeline trace(const Plan& plan);

  // As evaluate(), but always by the general engine: for tests that hold the two equal.
  const Outcome& evaluate_generally(const Plan& plan);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace berth
