// One chain of simulated annealing over placements, with the simulator as judge.
//
// The state is a device a colocation group. A move takes a cluster of some family (families.h) to
// another device, exchanges two clusters, or shifts the place where the sequence of groups changes
// from one device to another. It is accepted by Metropolis's rule on the energy
//   log(step time) + a charge for bytes that do not fit,
// so that temperatures are relative: at 0.01, a step that is 1% longer is taken with probability
// 1/e. Kinds of moves and families that led to improvements are tried more often, by a bandit that
// never starves any.
//
// A chain owns its random generator and its simulator and knows nothing of clocks: who runs it
// says how many steps to take and at which temperature, so that chains on several threads give the
// same result as one after the other.
#pragma once

#include <functional>
#include <vector>

#include "base/random.h"
#include "place/group_devices.h"
#include "place/search/families.h"
#include "place/search/hot_spots.h"
#include "sim/simulator.h"

namespace berth {

// What all chains share.
struct Landscape {
  explicit Landscape(const Problem& problem);

  double energy(const Outcome& outcome) const;

  const Problem& problem;
  GroupGraph graph;
  GroupCosts costs;
  std::vector<Family> families;
  std::vector<GroupId> order;           // by the place of the first op in topological order
  std::vector<std::uint32_t> position;  // by group, in `order`
  double mean_usable_bytes = 1;
};

class Annealer {
 public:
  Annealer(const Landscape& landscape, std::uint64_t seed);

  // Takes the plan as the state; its evaluation counts.
  void start(const Plan& plan);
  // Takes as many steps, or until `stop` says so. Each costs one evaluation.
  void run(double steps, double temperature, const std::function<bool()>& stop);

  const Plan& best_plan() const { return best_plan_; }
  const Outcome& best_outcome() const { return best_outcome_; }
  double evaluations() const { return evaluations_; }

 private:
  enum class Kind { move, swap, shift, unload, join, relieve };
  static constexpr std::size_t kKinds = 6;
  struct Arm {
    double weight = 1;
  };

  bool propose(Kind kind, std::size_t family);
  bool propose_move(const Family& family);
  bool propose_swap(const Family& family);
  bool propose_shift();
  bool propose_unload(const Family& family);
  bool propose_join(const Family& family);
  bool propose_relieve(const Family& family);
  bool move_with_cluster(const Family& family, GroupId group, DeviceId device);
  void look_for_hot_spots();
  std::uint32_t random_cluster(const Family& family);
  void set_cluster(const Family& family, std::uint32_t cluster, DeviceId device);
  void set(GroupId group, DeviceId device);
  void undo();
  std::size_t choose_arm();
  DeviceId random_allowed(GroupId group);
  DeviceId near_or_anywhere(GroupId group);

  const Landscape& landscape_;
  Simulator simulator_;
  Random random_;
  Plan plan_;
  GroupDevices devices_;
  double energy_ = 0;
  std::vector<double> busy_seconds_;
  std::vector<std::pair<GroupId, DeviceId>> changes_;  // what to undo
  std::vector<Arm> arms_;                              // kind x family
  Plan best_plan_;
  Outcome best_outcome_;
  double best_energy_ = 0;
  double evaluations_ = 0;
  HotSpots hot_spots_;
  double looked_at_ = 0;  // evaluations when hot spots were last looked for
  bool changed_since_ = true;
};

}  // namespace berth
