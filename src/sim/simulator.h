// Simulates a plan by the execution rules (docs/execution.md). All placers are measured by it.
//
// Two engines have one entry point. The fast one handles at most 64 devices with one slot each
// (fast_engine.h). The general one follows the rules event by event, handles everything, and
// records the timeline (general_engine.h). Tests compare both with a third, plain implementation.
//
// An instance owns its scratch memory. evaluate() allocates nothing after its first call, except
// that a new fusion is compiled first. An instance must not be used by two threads at once; use one
// per thread. Cost: O((ops + edges) log queue).
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

  // By the same rules, with the time of every op and transfer and the use of memory.
  Timeline trace(const Plan& plan);

  // As evaluate(), but always by the general engine: for tests that compare the two.
  const Outcome& evaluate_generally(const Plan& plan);

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace berth
