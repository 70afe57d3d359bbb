#include "learn/policy.h"

#include "learn/agents/colocrl.h"
#include "learn/agents/go.h"
#include "learn/agents/hdp.h"
#include "learn/agents/mars.h"
#include "learn/agents/placeto.h"

namespace berth::learn {

Decisions Decisions::slice(std::int64_t begin, std::int64_t end) const {
  const auto plans_of = [&](const Tensor& all) {
    return all.defined() ? all.slice(0, begin, end) : all;
  };
  const auto groupings_of = [&](const Tensor& all) {
    return all.defined() ? all.slice(0, begin / copies, end / copies) : all;
  };
  const auto made_of = [&] {
    if (made.empty()) return std::vector<Plan>();
    return std::vector<Plan>(made.begin() + begin, made.begin() + end);
  };
  return {.plans = end - begin,
          .copies = copies,
          .devices = plans_of(devices),
          .starts = plans_of(starts),
          .groups = groupings_of(groups),
          .noise = plans_of(noise),
          .group_noise = groupings_of(group_noise),
          .numbers = plans_of(numbers),
          .allowed = plans_of(allowed),
          .made = made_of()};
}

// Clones, since the batch behind the slices would otherwise stay in memory with them.
Decisions Decisions::single(std::int64_t plan) const {
  Decisions one;
  one.plans = 1;
  one.devices = devices.slice(0, plan, plan + 1).clone();
  if (starts.defined()) one.starts = starts.slice(0, plan, plan + 1).clone();
  if (numbers.defined()) one.numbers = numbers.slice(0, plan, plan + 1).clone();
  if (allowed.defined()) one.allowed = allowed.slice(0, plan, plan + 1).clone();
  if (groups.defined()) {
    one.groups = groups.slice(0, plan / copies, plan / copies + 1).clone();
  }
  return one;
}

Decisions Decisions::followed_by(const Decisions& one) const {
  Decisions all = *this;
  all.plans += copies;
  all.devices = at::cat({devices, one.devices.expand({copies, -1})});
  if (starts.defined()) all.starts = at::cat({starts, one.starts.expand({copies, -1})});
  if (numbers.defined()) all.numbers = at::cat({numbers, one.numbers.expand({copies, -1, -1, -1})});
  if (allowed.defined()) all.allowed = at::cat({allowed, one.allowed.expand({copies, -1, -1})});
  if (groups.defined()) all.groups = at::cat({groups, one.groups});
  const auto with_none = [](const Tensor& noise_of, std::int64_t more) {
    return noise_of.defined() ? at::constant_pad_nd(noise_of, {0, 0, 0, 0, 0, more}) : noise_of;
  };
  all.noise = with_none(noise, copies);
  all.group_noise = with_none(group_noise, 1);
  return all;
}

std::shared_ptr<Policy> make_policy(const std::string& method, const Options& options,
                                    const Vocabulary& vocabulary, std::uint64_t seed) {
  // The framework's generator serves the parameters' first values and nothing else.
  at::manual_seed(seed);
  if (method == "colocrl")
    return std::make_shared<ColocRl>(ColocRlSettings::parse(options), vocabulary);
  if (method == "hdp") return std::make_shared<Hdp>(HdpSettings::parse(options), vocabulary);
  if (method == "go" || method == "encoder_placer") {
    return std::make_shared<Go>(GoSettings::parse(options), vocabulary);
  }
  if (method == "placeto") return std::make_shared<Placeto>(PlacetoSettings::parse(options));
  if (method == "mars") return std::make_shared<Mars>(MarsSettings::parse(options), vocabulary);
  TORCH_CHECK(false, "there is no policy ", method);
}

}  // namespace berth::learn
