#include "place/search/starts.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

#include "base/parallel.h"
#include "place/list/finish_schedule.h"

namespace berth::place {
namespace {

using Clock = std::chrono::steady_clock;

// Quick ones first: a small budget gets the most of them.
constexpr std::string_view kPortfolio[] = {"single", "expert",     "topo",   "etf",
                                           "metis",  "contiguous", "heft",   "balanced_layers",
                                           "sct",    "scotch",     "mincut", "round_robin"};

constexpr double kTravelFactors[] = {1, 2, 4};
constexpr double kCaution = 2;  // what comes next may take longer than anything before
// Of what is left, what one placer may take to make its plan fit: the search is better at it.
constexpr double kShareOfSeconds = 1.0 / 6;
constexpr double kShareOfEvaluations = 1.0 / 25;
constexpr double kLeastEvaluations = 20;
constexpr double kSecondsOfPair = 1e-6;  // that a schedule takes for an op and a device, about

// List schedulers look at every device for every op and cannot be stopped: on thousands of devices
// one of them would take minutes, whatever the budget; and where not even one would end in time,
// none is begun.
constexpr double kMostOpsTimesDevices = 1e8;

bool takes_too_long_to_list(const Problem& problem, const Evaluator& evaluator) {
  const double pairs =
      static_cast<double>(problem.op_count()) * static_cast<double>(problem.device_count());
  return pairs > kMostOpsTimesDevices || evaluator.seconds_left() < kSecondsOfPair * pairs;
}

// Remembers how long things took, so that nothing is begun which will hardly end in time. Has no
// say without a limit of time.
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

}  // namespace

std::vector<Start> make_portfolio(const Problem& problem, const Request& request,
                                  std::string_view only, Evaluator& evaluator) {
  std::vector<Start> starts;
  Pace pace(evaluator);
  for (const std::string_view name : kPortfolio) {
    if (evaluator.exhausted() || (evaluator.has_best() && !pace.allows_another())) break;
    if (!only.empty() && name != only) continue;
    if (name == "expert" && request.expert == nullptr) continue;
    const Method method = parse_method(name);
    if (method.placer->asks_every_device && takes_too_long_to_list(problem, evaluator)) continue;
    const double left = evaluator.evaluations_left();
    const double share = kLeastEvaluations + std::floor(kShareOfEvaluations * left);
    Request part{.budget = {.seconds = kShareOfSeconds * evaluator.seconds_left(),
                            .evaluations = std::max(1.0, std::min(left, share))},
                 .seed = request.seed,
                 .tasks = request.tasks,
                 .expert = request.expert,
                 .stop = request.stop};
    const Clock::time_point begin = Clock::now();
    Placed placed = method.try_place(problem, part);
    if (!placed.applies()) continue;
    evaluator.adopt(placed.plan, placed.outcome, placed.evaluations);
    if (placed.outcome.routable) {
      starts.push_back({std::move(placed.plan), std::move(placed.outcome)});
    }
    pace.took(begin);
  }
  return starts;
}

void schedule_blocks(const Problem& problem, const std::vector<Family>& families, double share,
                     std::size_t threads, Evaluator& evaluator, std::vector<Start>& starts) {
  if (takes_too_long_to_list(problem, evaluator)) return;
  std::vector<FinishInputs> jobs;
  const UpwardRanks ranks = upward_ranks(problem);
  for (const double factor : kTravelFactors) {
    for (const Family& family : families) {
      for (const bool contention : {true, false}) {
        jobs.push_back({ranks, contention, factor, family.block_of});
      }
    }
  }
  const double affordable = std::floor(share * evaluator.evaluations_left());
  const auto most =
      static_cast<std::size_t>(std::clamp(affordable, 0.0, static_cast<double>(jobs.size())));
  const std::vector<std::int64_t> limits = memory_limits(problem, 1.0);
  std::vector<Simulator> simulators;
  for (std::size_t i = 0; i < threads; ++i) simulators.emplace_back(problem);
  Pace pace(evaluator, share);
  // A batch at a time, so that the clock is asked where results do not depend on threads.
  for (std::size_t first = 0; first < most; first += threads) {
    if (evaluator.exhausted() || !pace.allows_another()) return;
    const Clock::time_point begin = Clock::now();
    const std::size_t count = std::min(threads, most - first);
    std::vector<Start> made(count);
    in_parallel(count, threads, [&](std::size_t i) {
      made[i].plan.placement = earliest_finish_schedule(problem, jobs[first + i], limits).placement;
      made[i].outcome = simulators[i].evaluate(made[i].plan);
    });
    for (Start& start : made) {
      evaluator.adopt(start.plan, start.outcome, 1);
      if (start.outcome.routable) starts.push_back(std::move(start));
    }
    pace.took(begin);
  }
}

}  // namespace berth::place
