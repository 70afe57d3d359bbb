// Tries to prove that no placement has a step shorter than a limit, by depth-first search: a group
// is given one of its devices after the other, and every time propagation (propagation.h) takes
// away what that rules out. What is left complete is simulated, so the search also finds better
// plans; these lower the limit.
#pragma once

#include "place/evaluator.h"
#include "place/groups/group_devices.h"
#include "place/proof/propagation.h"
#include "place/proof/symmetry.h"

namespace berth::place {

class Refutation {
 public:
  Refutation(const Relaxation& relaxation, Evaluator& evaluator);

  // Which group to decide next. Chronological: the one that what is settled so far waits for
  // (prefix.h), so that every decision settles more. Heaviest first: for the first half of the
  // groups the one that takes and moves most, where a bound feels it soonest. Neither is always the
  // better one.
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
  std::vector<double> weights_;  // by group: how much hangs on where it goes
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
