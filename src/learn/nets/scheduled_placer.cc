#include "learn/nets/scheduled_placer.h"

#include <cmath>
#include <thread>

#include "base/parallel.h"
#include "place/evaluator.h"

namespace berth::learn {

ScheduledPlacer::ScheduledPlacer(std::int64_t width, const LogitLimit& limit)
    : limit_(limit), judge_(part("judge", DeviceJudge(width))) {}

// `choose(plan, decision, numbers, allowed)` gives the device and its log-probability.
template <class Choose>
ScheduledPass ScheduledPlacer::run(const Case& of, const Tensor& before, std::int64_t plans,
                                   const Choose& choose) const {
  const DecisionFacts& facts = *of.decisions;
  const auto decisions = static_cast<std::int64_t>(facts.decisions());
  const std::int64_t devices = of.device_count();
  ScheduledPass pass;
  pass.devices = torch::zeros({plans, decisions}, at::kLong);
  pass.log_probs = torch::zeros({plans, decisions}, at::kDouble);
  pass.numbers = torch::empty({plans, decisions, devices, DeviceJudge::kNumbers}, at::kFloat);
  Tensor allowed = torch::empty({plans, decisions, devices}, at::kByte);
  pass.plans.resize(static_cast<std::size_t>(plans));
  const std::vector<std::int64_t> limits = place::memory_limits(of.problem, of.memory_fraction);
  const Tensor earlier = before.defined() ? before.contiguous() : before;
  // Plain pointers: the framework's tensors are not to be touched by several threads.
  std::int64_t* const chosen = pass.devices.data_ptr<std::int64_t>();
  double* const log_probs = pass.log_probs.data_ptr<double>();
  float* const numbers = pass.numbers.data_ptr<float>();
  std::uint8_t* const open = allowed.data_ptr<std::uint8_t>();
  const std::int64_t* const was = earlier.defined() ? earlier.data_ptr<std::int64_t>() : nullptr;
  const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
  in_parallel(static_cast<std::size_t>(plans), threads, [&](std::size_t index) {
    const auto plan = static_cast<std::int64_t>(index);
    const auto of_plan = static_cast<std::size_t>(decisions);
    DecisionReader reader(
        facts, limits,
        was ? std::span(was + plan * decisions, of_plan) : std::span<const std::int64_t>());
    for (std::int64_t step = 0; !reader.done(); ++step) {
      const std::int64_t row = plan * decisions + step;
      float* const read = numbers + row * devices * DeviceJudge::kNumbers;
      std::uint8_t* const may = open + row * devices;
      reader.read(read, may);
      const auto [device, log_prob] = choose(plan, step, read, may);
      chosen[row] = static_cast<std::int64_t>(device);
      log_probs[row] = log_prob;
      reader.decide(device);
    }
    pass.plans[index].placement = reader.take_placement();
  });
  pass.allowed = allowed.to(at::kBool);
  pass.log_probs = pass.log_probs.to(at::kFloat);
  return pass;
}

ScheduledPass ScheduledPlacer::draw(const Case& of, const Tensor& embeddings, const Tensor& before,
                                    std::int64_t plans, std::vector<Random>& randoms) const {
  at::NoGradGuard guard;
  const DeviceJudge::Item items = judge_.item(embeddings);
  const Tensor weights = items.weights.to(at::kFloat).contiguous();
  const Tensor biases = items.biases.to(at::kFloat).contiguous();
  const DeviceJudge::Plain judge(judge_);
  const bool shared = embeddings.size(0) == 1;
  const std::int64_t decisions = embeddings.size(1);
  const auto devices = static_cast<std::size_t>(of.device_count());
  const float* const all_weights = weights.data_ptr<float>();
  const float* const all_biases = biases.data_ptr<float>();
  return run(of, before, plans,
             [&](std::int64_t plan, std::int64_t step, const float* numbers,
                 const std::uint8_t* allowed) -> std::pair<std::size_t, double> {
               const std::int64_t item = (shared ? 0 : plan) * decisions + step;
               std::vector<double> logits(devices);
               judge(numbers, all_weights + item * DeviceJudge::kNumbers,
                     all_biases + item * DeviceJudge::kHidden, devices, logits.data());
               limit(logits, allowed, limit_);
               Random* const random =
                   randoms.empty() ? nullptr : &randoms[static_cast<std::size_t>(plan)];
               const std::size_t device = choose(logits, allowed, random);
               return {device, std::log(logits[device])};
             });
}

ScheduledPass ScheduledPlacer::replay(const Case& of, const Tensor& devices,
                                      const Tensor& before) const {
  const Tensor given = devices.contiguous();
  const std::int64_t* const chosen = given.data_ptr<std::int64_t>();
  return run(of, before, given.size(0),
             [&](std::int64_t plan, std::int64_t step, const float*, const std::uint8_t*) {
               return std::pair<std::size_t, double>(
                   static_cast<std::size_t>(chosen[plan * given.size(1) + step]), 0.0);
             });
}

Tensor ScheduledPlacer::score(const Tensor& embeddings, const Tensor& numbers,
                              const Tensor& allowed) const {
  const Tensor forbidden = allowed.logical_not();
  const Tensor logits =
      judge_(numbers.to(embeddings.scalar_type()), judge_.item(embeddings.squeeze(0)));
  return limited(logits, forbidden, limit_).masked_fill(forbidden, kForbidden).log_softmax(-1);
}

}  // namespace berth::learn
