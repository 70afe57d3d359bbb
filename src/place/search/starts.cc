#include "place/search/starts.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>

#include "base/parallel.h"
#include "place/list/finish_schedule.h"

namespace berth::place {
namespace {

using Clock = std::chrono::steady_clock;

// Fast placers first, so that a small budget covers as many as possible.
constexpr std::string_view kPortfolio[] = {"single", "expert",     "topo",   "etf",
                                           "metis",  "contiguous", "heft",   "balanced_layers",
                                           "sct",    "scotch",     "mincut", "round_robin"};

constexpr double kTravelFactors[] = {1, 2, 4};
// On large graphs the real cost of a transfer is what it delays later, many times its length. On
// small ones such schedules are often a worse start, even where they are the best plan so far, and
// they take evaluations from coarse schedules that are better (docs/search.md).
constexpr double kTravelWeights[] = {16, 32, 8};
constexpr double kLeastOpsTimesDevices = 5e4;
// Where these are the best plans so far, more are made with changed ranks, in batches, as long as a
// batch finds a better plan.
constexpr double kJitters[] = {0.001, 0.003, 0.01, 0.03};
constexpr std::size_t kJitterBatch = 16;
constexpr std::size_t kMostJittered = 96;
constexpr std::size_t kMostAtOnce = 64;  // simulators; no batch of jobs is much larger
constexpr double kCaution = 2;           // the next one may take longer than all before
// Parts of the remaining budget that one placer may use to make its plan fit. They are small, since
// the search is better at that.
constexpr double kShareOfSeconds = 1.0 / 6;
constexpr double kShareOfEvaluations = 1.0 / 25;
constexpr double kLeastEvaluations = 20;
constexpr double kSecondsOfPair = 1e-6;  // approximate time of a list schedule per op and device

// List schedulers look at every device for every op and cannot be stopped. On thousands of devices
// one of them would take minutes, whatever the budget. None is started that would not end in time.
constexpr double kMostOpsTimesDevices = 1e8;

double ops_times_devices(const Problem& problem) {
  return static_cast<double>(problem.op_count()) * static_cast<double>(problem.device_count());
}

bool takes_too_long_to_list(const Problem& problem, const Evaluator& evaluator) {
  const double pairs = ops_times_devices(problem);
  return pairs > kMostOpsTimesDevices || evaluator.seconds_left() < kSecondsOfPair * pairs;
}

// Records how long past work took, so that nothing is started that would exceed the time budget.
// Without a time budget everything is allowed.
class Pace {
 public:
  explicit Pace(const Evaluator& evaluator, double share = 1)
      : evaluator_(evaluator), timed_(std::isfinite(evaluator.seconds_left())) {
    if (timed_) reserve_ = (1 - share) * evaluator.seconds_left();
  }
  bool allows_another() const {
    return !timed_ || evaluator_.seconds_left() - reserve_ > kCaution * longest_;
  }
  void took(Clock::time_point begin) {
    longest_ = std::max(longest_, std::chrono::duration<double>(Clock::now() - begin).count());
  }

 private:
  const Evaluator& evaluator_;
  bool timed_;
  double reserve_ = 0;
  double longest_ = 0;
};

// Runs placers on several threads. They start and are adopted in the order of the list, each with a
// budget that does not depend on the others. So a budget in evaluations gives the same plans at any
// number of threads.
class Portfolio {
 public:
  Portfolio(const Problem& problem, const Request& request, Evaluator& evaluator)
      : problem_(problem),
        request_(request),
        evaluator_(evaluator),
        pace_(evaluator),
        evaluations_(share_of(evaluator.evaluations_left())) {}

  std::vector<Start> run(std::vector<std::string_view> names, std::size_t threads) {
    names_ = std::move(names);
    results_.resize(names_.size());
    in_parallel(names_.size(), threads, [&](std::size_t i) {
      Result result{.done = true};
      const std::optional<double> seconds = seconds_for(names_[i]);
      if (seconds) result.placed = place(i, {.seconds = *seconds, .evaluations = evaluations_});
      const std::lock_guard lock(mutex_);
      results_[i] = std::move(result);
      adopt_those_done();
    });
    return std::move(starts_);
  }

 private:
  struct Result {
    bool done = false;
    std::optional<Placed> placed = {};  // empty when the placer does not apply
  };

  static double share_of(double left) {
    const double share = kLeastEvaluations + std::floor(kShareOfEvaluations * left);
    return std::max(1.0, std::min(left, share));
  }

  // The time that the placer may take; empty when it must not start.
  std::optional<double> seconds_for(std::string_view name) {
    const std::lock_guard lock(mutex_);
    if (evaluator_.exhausted() || (evaluator_.has_best() && !pace_.allows_another())) return {};
    if (name == "expert" && request_.expert == nullptr) return {};
    if (parse_method(name).placer->asks_every_device &&
        takes_too_long_to_list(problem_, evaluator_)) {
      return {};
    }
    return kShareOfSeconds * evaluator_.seconds_left();
  }

  std::optional<Placed> place(std::size_t i, const Budget& budget) {
    const Request part{.budget = budget,
                       .seed = request_.seed,
                       .tasks = request_.tasks,
                       .expert = request_.expert,
                       .stop = request_.stop};
    const Clock::time_point begin = Clock::now();
    Placed placed = parse_method(names_[i]).try_place(problem_, part);
    if (!placed.applies()) return {};
    const std::lock_guard lock(mutex_);
    pace_.took(begin);
    return placed;
  }

  // Call with the lock held. A plan waits until all plans before it in the list are adopted.
  void adopt_those_done() {
    for (; adopted_ < results_.size() && results_[adopted_].done; ++adopted_) {
      std::optional<Placed>& placed = results_[adopted_].placed;
      if (!placed || spent_ || (evaluator_.has_best() && evaluator_.evaluations_left() < 1))
        continue;
      // With a small budget, a placer may have used more than the placers before it have left.
      spent_ = evaluator_.has_best() && placed->evaluations > evaluator_.evaluations_left();
      if (spent_) continue;
      evaluator_.adopt(placed->plan, placed->outcome, placed->evaluations);
      if (!placed->outcome.routable) continue;
      starts_.push_back({std::move(placed->plan), std::move(placed->outcome)});
    }
  }

  const Problem& problem_;
  const Request& request_;
  Evaluator& evaluator_;
  Pace pace_;
  const double evaluations_;  // that one placer may take
  std::vector<std::string_view> names_;
  std::mutex mutex_;  // of all below, and of the evaluator
  std::vector<Result> results_;
  std::size_t adopted_ = 0;
  bool spent_ = false;
  std::vector<Start> starts_;
};

struct ScheduleJob {
  const Family* family = nullptr;
  bool contention = true;
  double travel_factor = 1;
  double travel_weight = 0;
  double jitter = 0;         // largest relative change of the ranks
  std::uint64_t number = 0;  // counts the jittered jobs; with the seed, the key of their randomness
};

// Makes list schedules in batches on several threads and adopts them in the order of the jobs.
class Schedules {
 public:
  Schedules(const Problem& problem, std::uint64_t seed, double share, std::size_t threads,
            Evaluator& evaluator, std::vector<Start>& starts)
      : problem_(problem),
        seed_(seed),
        threads_(std::min(threads, kMostAtOnce)),
        evaluator_(evaluator),
        starts_(starts),
        pace_(evaluator, share),
        affordable_(std::floor(share * evaluator.evaluations_left())),
        ranks_(upward_ranks(problem)),
        limits_(memory_limits(problem, 1.0)) {
    for (std::size_t i = 0; i < threads_; ++i) simulators_.emplace_back(problem);
  }

  // Runs jobs until the share of the budget is used. Returns the number of the job that made the
  // best plan so far, or nothing when no job did.
  std::optional<std::size_t> run(const std::vector<ScheduleJob>& jobs) {
    const auto most =
        static_cast<std::size_t>(std::clamp(affordable_, 0.0, static_cast<double>(jobs.size())));
    std::optional<std::size_t> best;
    // In batches: the clock is read only between them, where results do not depend on threads.
    for (std::size_t first = 0; first < most; first += threads_) {
      if (evaluator_.exhausted() || !pace_.allows_another()) break;
      const Clock::time_point begin = Clock::now();
      const std::size_t count = std::min(threads_, most - first);
      std::vector<Start> made(count);
      in_parallel(count, threads_,
                  [&](std::size_t i) { made[i] = schedule(jobs[first + i], simulators_[i]); });
      for (std::size_t i = 0; i < count; ++i) {
        // On one thread the rest of the batch would not have been made.
        if (evaluator_.gap_reached()) return best;
        Start& start = made[i];
        if (better(start.outcome, evaluator_.best_outcome())) best = first + i;
        evaluator_.adopt(start.plan, start.outcome, 1);
        if (start.outcome.routable) starts_.push_back(std::move(start));
      }
      affordable_ -= static_cast<double>(count);
      pace_.took(begin);
    }
    return best;
  }

 private:
  Start schedule(const ScheduleJob& job, Simulator& simulator) const {
    // Keyed by seed and number, so that a job makes the same plan on any thread.
    Random random(seed_ * kMostJittered + job.number);
    std::optional<UpwardRanks> changed;
    if (job.jitter > 0) changed = jittered(problem_, ranks_, job.jitter, random);
    const FinishInputs inputs{.ranks = changed ? *changed : ranks_,
                              .contention = job.contention,
                              .travel_factor = job.travel_factor,
                              .travel_weight = job.travel_weight,
                              .block_of = job.family->block_of};
    Start start;
    start.plan.placement = earliest_finish_schedule(problem_, inputs, limits_).placement;
    start.outcome = simulator.evaluate(start.plan);
    return start;
  }

  const Problem& problem_;
  const std::uint64_t seed_;
  const std::size_t threads_;
  Evaluator& evaluator_;
  std::vector<Start>& starts_;
  Pace pace_;
  double affordable_;  // evaluations left of the share
  const UpwardRanks ranks_;
  const std::vector<std::int64_t> limits_;
  std::vector<Simulator> simulators_;
};

void schedule_with_weights(const Family& family, Schedules& schedules) {
  std::vector<ScheduleJob> jobs;
  for (const double weight : kTravelWeights) {
    jobs.push_back({.family = &family, .travel_weight = weight});
  }
  const std::optional<std::size_t> best = schedules.run(jobs);
  if (!best) return;
  ScheduleJob job = jobs[*best];
  for (bool gains = true; gains && job.number < kMostJittered;) {
    jobs.clear();
    for (std::size_t i = 0; i < kJitterBatch; ++i) {
      job.jitter = kJitters[job.number % std::size(kJitters)];
      ++job.number;
      jobs.push_back(job);
    }
    gains = schedules.run(jobs).has_value();
  }
}

}  // namespace

std::vector<Start> make_portfolio(const Problem& problem, const Request& request,
                                  std::string_view only, std::size_t threads,
                                  Evaluator& evaluator) {
  std::vector<std::string_view> names(std::begin(kPortfolio), std::end(kPortfolio));
  if (!only.empty()) names = {only};
  return Portfolio(problem, request, evaluator).run(std::move(names), threads);
}

void schedule_blocks(const Problem& problem, const std::vector<Family>& families,
                     std::uint64_t seed, double share, std::size_t threads, Evaluator& evaluator,
                     std::vector<Start>& starts) {
  if (takes_too_long_to_list(problem, evaluator)) return;
  Schedules schedules(problem, seed, share, threads, evaluator, starts);
  // First, since on a large graph there is time for few schedules.
  if (ops_times_devices(problem) >= kLeastOpsTimesDevices)
    schedule_with_weights(families.front(), schedules);
  std::vector<ScheduleJob> jobs;
  for (const double factor : kTravelFactors) {
    for (const Family& family : families) {
      for (const bool contention : {true, false})
        jobs.push_back({.family = &family, .contention = contention, .travel_factor = factor});
    }
  }
  schedules.run(jobs);
}

}  // namespace berth::place
