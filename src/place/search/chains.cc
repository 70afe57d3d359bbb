#include "place/search/chains.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "base/parallel.h"

namespace berth::place {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kHottest = 0.002;  // temperatures are relative changes, see annealer.h
constexpr double kColdest = 0.0001;
// Rounds of an evaluation budget, seconds of a round where the budget is in seconds. Chains
// exchange plans only between rounds, and threads wait for each other there.
constexpr double kRoundsOfEvaluations = 24;
constexpr double kSecondsOfRound = 0.25;
constexpr double kStepsWithoutBudget = 20'000;

double seconds_since(Clock::time_point begin) {
  return std::chrono::duration<double>(Clock::now() - begin).count();
}

class Chains {
 public:
  Chains(const Landscape& landscape, const Request& request, const ChainOptions& options,
         Evaluator& evaluator)
      : landscape_(landscape),
        request_(request),
        count_(options.chains),
        threads_(std::min(options.threads, options.chains)),
        evaluator_(evaluator),
        begin_spent_(evaluator.fraction_spent()),
        timed_(std::isfinite(request.budget.seconds)),
        counted_(std::isfinite(request.budget.evaluations)) {}

  void run(std::vector<Start> starts) {
    begin(std::move(starts));
    steps_ = counted_ ? evaluator_.evaluations_left() : kStepsWithoutBudget;
    const double unlimited_end = evaluator_.evaluations() + kStepsWithoutBudget;
    while (!chains_.empty() && !evaluator_.exhausted()) {
      double done = (evaluator_.fraction_spent() - begin_spent_) / (1 - begin_spent_);
      if (!timed_ && !counted_) done = 1 - (unlimited_end - evaluator_.evaluations()) / steps_;
      if (done >= 1) return;
      const bool stepped = run_round(kHottest * std::pow(kColdest / kHottest, done));
      // A round without a step ends the search: nothing can move. It may also be due to an
      // interruption, which the evaluator must see first.
      if (!stepped && !evaluator_.exhausted()) return;
    }
  }

 private:
  void begin(std::vector<Start> starts) {
    std::stable_sort(starts.begin(), starts.end(), [](const Start& left, const Start& right) {
      return better(left.outcome, right.outcome);
    });
    for (std::size_t i = 0; i < count_ && evaluator_.evaluations_left() >= 1; ++i) {
      // Setting up another chain takes about as long as those before it.
      if (evaluator_.seconds_left() <= longest_step_) return;
      const Clock::time_point begin = Clock::now();
      // Distinct for all seeds and chains.
      chains_.push_back(std::make_unique<Annealer>(landscape_, request_.seed * count_ + i));
      Annealer& chain = *chains_.back();
      // Two chains per start, from the best start on.
      const Plan& plan = starts[std::min(i / 2, starts.size() - 1)].plan;
      // Where priorities may be chosen, every other chain begins with some.
      chain.start(plan, request_.tasks.schedule && i % 2 == 1);
      evaluator_.adopt(chain.best_plan(), chain.best_outcome(), 1);
      longest_step_ = std::max(longest_step_, seconds_since(begin));
    }
  }

  // Returns false when no chain could take a step.
  bool run_round(double temperature) {
    double steps = std::numeric_limits<double>::infinity();
    const auto chains = static_cast<double>(count_);
    if (counted_ || !timed_) {
      // Divided by the number of chains asked for and never by threads or by time, or the result
      // would depend on the machine.
      steps = std::floor(steps_ / kRoundsOfEvaluations / chains);
      steps = std::min(steps, std::floor(evaluator_.evaluations_left() / chains));
      steps = std::max(steps, 1.0);
    }
    const double seconds = timed_ ? kSecondsOfRound : std::numeric_limits<double>::infinity();
    // No chain begins a step that would not end in time. Where there are more chains than threads,
    // they take turns, and each gets its part of the round.
    const double left = evaluator_.seconds_left() - longest_step_;
    const double share = std::min(seconds, left) * static_cast<double>(threads_) / chains;
    const double evaluations_left = evaluator_.evaluations_left();
    std::vector<double> spent(chains_.size());
    std::vector<double> longest(chains_.size(), 0);  // of the steps of each
    in_parallel(chains_.size(), threads_, [&](std::size_t i) {
      const double before = chains_[i]->evaluations();
      const Clock::time_point begin = Clock::now();
      double last_seconds = 0;
      // A step may take several simulations, and fewer than one per chain may be left. The
      // remaining evaluations are divided so that all chains together never exceed them.
      const double most =
          std::floor((evaluations_left + chains - 1 - static_cast<double>(i)) / chains);
      chains_[i]->run(steps, temperature, [&] {
        if (chains_[i]->evaluations() - before >= most) return true;
        if (request_.stop.requested() || evaluator_.is_enough(chains_[i]->best_outcome()))
          return true;
        if (!timed_) return false;
        const double now_seconds = seconds_since(begin);
        longest[i] = std::max(longest[i], now_seconds - last_seconds);
        last_seconds = now_seconds;
        return now_seconds >= share || evaluator_.seconds_left() <= longest_step_;
      });
      spent[i] = chains_[i]->evaluations() - before;
    });
    longest_step_ = *std::max_element(longest.begin(), longest.end());
    return gather(spent);
  }

  // In order of chains, whichever thread ran them: the result must not depend on timing.
  bool gather(const std::vector<double>& spent) {
    Annealer* worst = chains_.front().get();
    double sum = 0;
    for (std::size_t i = 0; i < chains_.size(); ++i) {
      Annealer& chain = *chains_[i];
      evaluator_.adopt(chain.best_plan(), chain.best_outcome(), spent[i]);
      if (better(worst->best_outcome(), chain.best_outcome())) worst = &chain;
      sum += spent[i];
    }
    if (evaluator_.evaluations_left() >= 1 &&
        better(evaluator_.best_outcome(), worst->best_outcome())) {
      worst->start(evaluator_.best_plan(), false);
      evaluator_.adopt(worst->best_plan(), worst->best_outcome(), 1);
    }
    return sum > 0;
  }

  const Landscape& landscape_;
  const Request& request_;
  std::size_t count_;  // of chains
  std::size_t threads_;
  Evaluator& evaluator_;
  double begin_spent_;
  bool timed_, counted_;
  double steps_ = 0;
  double longest_step_ = 0;  // seconds, in the last round; before, of the start of a chain
  std::vector<std::unique_ptr<Annealer>> chains_;
};

}  // namespace

void anneal(const Landscape& landscape, const Request& request, const ChainOptions& options,
            std::vector<Start> starts, Evaluator& evaluator) {
  Chains(landscape, request, options, evaluator).run(std::move(starts));
}

}  // namespace berth::place
