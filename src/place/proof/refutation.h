// Tries to prove that no placement has a step shorter than a limit, by depth-first search. A group
// is given each of its devices in turn, and propagation (propagation.h) removes the devices that
// this rules out for others. Where few placements are left they are simulated, so the search also
// finds better plans, which lower the limit. Exponential in the worst case; `most_passes` and the
// budget end it.
#pragma once

#include "place/evaluator.h"
#include "place/groups/group_devices.h"
#include "place/proof/propagation.h"
#include "place/proof/symmetry.h"

namespace berth::place {

class Refutation {
 public:
  Refutation(const Relaxation& relaxation, Evaluator& evaluator);

  // Which group to decide next. Chronological: the one for which the prefix stopped (prefix.h), so
  // that every decision determines more of the step. Heaviest first: for the first half of the
  // groups the one with the most work and transfers, which changes the bounds soonest. Neither is
  // always better.
  enum class Order { chronological, heaviest_first };

  // True when every feasible placement shorter than the limit and than the evaluator's best plan
  // has been ruled out. False when `most_passes` or the budget ended first.
  bool run(double limit_seconds, double most_passes, Order order);

 private:
  void descend(std::size_t depth);
  void try_all(const Domains& domains);
  std::size_t choose_group(const Domains& domains) const;
  double limit() const;
  bool stop();

  const Relaxation& problem_;
  Evaluator& evaluator_;
  Propagation propagation_;
  Symmetry symmetry_;
  std::vector<double> weights_;  // by group: its work and transfers, in seconds
  double most_passes_a_node_;
  std::size_t most_levels_;
  std::vector<Domains> levels_;  // by depth
  GroupDevices devices_;
  Plan plan_;
  Order order_ = Order::chronological;
  double limit_seconds_ = 0;
  double passes_left_ = 0;
  bool stopped_ = false;
};

}  // namespace berth::place
