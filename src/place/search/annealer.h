// One chain of simulated annealing over placements, and over priorities where they may be chosen.
// Every proposed state is simulated.
//
// The state is one device per colocation group. A move takes a block of some family (families.h) to
// another device, exchanges two blocks, or shifts the place where the sequence of groups changes
// from one device to another. Most moves are drawn from where the critical path loses its time
// (hot_spots.h), which is found anew at intervals. A move is accepted by Metropolis's rule on the
// energy
//
//   log(step time) + a charge for bytes that do not fit.
//
// Because of the logarithm, temperatures are relative: at 0.01, a step that is 1% longer is
// accepted with probability 1/e. A bandit tries those kinds of moves and families more often that
// led to improvements; none is ever given up.
//
// A chain owns its random generator and its simulator and knows no clock. The caller decides how
// many steps to take and at which temperature, so chains on several threads give the same result as
// one after the other.
#pragma once

#include <functional>
#include <vector>

#include "base/random.h"
#include "place/search/families.h"
#include "place/search/hot_spots.h"
#include "place/search/state.h"
#include "sim/simulator.h"

namespace berth::place {

// Metropolis's rule: a rise of the energy is accepted with probability exp(-rise / temperature).
// Anything else is always accepted, without drawing a random number.
bool accepts(double rise, double temperature, Random& random);

// What all chains share.
struct Landscape {
  Landscape(const Problem& problem, const Request& request);

  double energy(const Outcome& outcome) const;

  const Problem& problem;
  const Request& request;
  GroupGraph graph;
  std::vector<Family> families;
  std::vector<GroupId> order;  // by the place of the first op in topological order
  double mean_usable_bytes = 1;
};

class Annealer {
 public:
  Annealer(const Landscape& landscape, std::uint64_t seed);

  // Makes the plan the state, with priorities computed for it if asked for. Its evaluation counts.
  void start(const Plan& plan, bool with_priorities);
  // Takes this many steps, or fewer if `stop` returns true; it is called before every simulation. A
  // step costs one evaluation, more where the chain restarts or looks for hot spots.
  void run(double steps, double temperature, const std::function<bool()>& stop);

  const Plan& plan() const { return state_.plan(); }  // where the chain is
  const Plan& best_plan() const { return best_plan_; }
  const Outcome& best_outcome() const { return best_outcome_; }
  double evaluations() const { return evaluations_; }

 private:
  enum class Kind { move, swap, shift, unload, make_room, join, relieve, overtake, reorder };
  static constexpr std::size_t kKinds = 9;

  void propose(Kind kind, const Family& family);
  void move_anywhere(const Family& family);
  void swap_two(const Family& family);
  void shift_a_cut();
  void unload_busiest(const Family& family);
  void make_room(const Family& family);
  void join_on_path(const Family& family);
  void relieve_path(const Family& family);
  void overtake(const Overtaking& overtaking);
  void reorder();
  void move_block(const Family& family, std::uint32_t block, DeviceId device);
  void move_with_block(const Family& family, GroupId group, DeviceId device);
  std::uint32_t random_block(const Family& family);
  DeviceId random_allowed(GroupId group);
  DeviceId near_or_anywhere(GroupId group);
  std::uint32_t block_on(const Family& family, DeviceId device);
  std::size_t choose_arm();
  void begin_here();
  bool settle(const Outcome& outcome, double energy);
  void restart();
  void remember_room(const Outcome& outcome);
  void look_for_hot_spots();

  const Landscape& landscape_;
  Simulator simulator_;
  Random random_;
  SearchState state_;
  double energy_ = 0;
  std::vector<double> busy_seconds_;
  bool fits_ = true;
  std::vector<std::int64_t> room_bytes_;  // by device, where the state does not fit
  std::vector<double> arms_;              // weights, kind x family
  Plan best_plan_;
  Outcome best_outcome_;
  double evaluations_ = 0;
  double patience_;
  double lowest_energy_ = 0;  // since the chain began or restarted,
  double improved_at_ = 0;    // and the number of evaluations when it was reached

  HotSpots hot_spots_;
  std::vector<double> learned_priorities_;  // from the timeline of the last look
  double looked_at_ = 0;                    // evaluations at the last look
  bool changed_since_ = true;
};

}  // namespace berth::place
