#include "learn/nets/chance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace berth::learn {

namespace {

double gaussian(Random& random) {
  // Box and Muller; 1 minus the draw, since the logarithm of 0 is infinite.
  const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
  return radius * std::cos(2 * std::numbers::pi * random.uniform());
}

}  // namespace

void softmax(std::vector<double>& logits) {
  // Relative to the largest, so that exp() does not overflow.
  const double most = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (double& logit : logits) sum += logit = std::exp(logit - most);
  for (double& logit : logits) logit /= sum;
}

std::size_t pick(const std::vector<double>& probabilities, double uniform) {
  std::size_t last = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] <= 0) continue;
    last = i;
    // By differences: rounding may leave a rest at the end, which goes to the last possible choice.
    uniform -= probabilities[i];
    if (uniform < 0) break;
  }
  return last;
}

LogitLimit LogitLimit::parse(const Options& options) {
  return {.size = options.real("tanh"),
          .temperature = options.real("temperature"),
          .of_odds = options.text("tanh_of") == "odds"};
}

Tensor limited(const Tensor& logits, const Tensor& forbidden, const LogitLimit& limit) {
  if (limit.size == 0) return logits / limit.temperature;
  if (!limit.of_odds) return (logits / limit.temperature).tanh() * limit.size;
  const Tensor open = forbidden.defined() ? logits.masked_fill(forbidden, kForbidden) : logits;
  return (open.log_softmax(-1) / limit.temperature).tanh() * limit.size;
}

void limit(std::vector<double>& logits, const std::uint8_t* allowed, const LogitLimit& limit) {
  for (double& logit : logits) {
    if (!std::isfinite(logit)) logit = 0;
  }
  double common = 0;
  if (limit.size > 0 && limit.of_odds) {
    double most = -std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (allowed[i]) most = std::max(most, logits[i]);
    }
    double sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
      if (allowed[i]) sum += std::exp(logits[i] - most);
    }
    common = most + std::log(sum);
  }
  for (double& logit : logits) {
    logit = (logit - common) / limit.temperature;
    if (limit.size > 0) logit = std::tanh(logit) * limit.size;
  }
}

void add_noise(std::vector<double>& logits, const std::uint8_t* allowed, double part,
               Random& random, double* added) {
  double squares = 0;
  double count = 0;
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (!allowed[i]) continue;
    squares += logits[i] * logits[i];
    count += 1;
  }
  // Only allowed choices count: the logits of the others have no meaning.
  const double deviation = part * std::sqrt(squares / std::max(1.0, count));
  for (std::size_t i = 0; i < logits.size(); ++i) {
    added[i] = deviation * gaussian(random);
    logits[i] += added[i];
  }
}

std::size_t choose(std::vector<double>& logits, const std::uint8_t* allowed, Random* random) {
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (!std::isfinite(logits[i])) logits[i] = 0;
    if (!allowed[i]) logits[i] = kForbidden;
  }
  softmax(logits);
  if (random) return pick(logits, random->uniform());
  return static_cast<std::size_t>(std::max_element(logits.begin(), logits.end()) - logits.begin());
}

Tensor draw_rows(const Tensor& log_probs, Random& random) {
  const std::int64_t choices = log_probs.size(-1);
  const Tensor odds = log_probs.exp().to(at::kDouble).contiguous();
  const double* values = odds.data_ptr<double>();
  std::vector<std::int64_t> shape(log_probs.sizes().begin(), log_probs.sizes().end() - 1);
  Tensor drawn = torch::empty(shape, at::kLong);
  std::int64_t* const numbers = drawn.data_ptr<std::int64_t>();
  std::vector<double> row(static_cast<std::size_t>(choices));
  for (std::int64_t i = 0; i < drawn.numel(); ++i, values += choices) {
    row.assign(values, values + choices);
    numbers[i] = static_cast<std::int64_t>(pick(row, random.uniform()));
  }
  return drawn;
}

Tensor noise_like(const Tensor& logits, double part, Random& random) {
  Tensor noise = torch::empty(logits.sizes(), at::kDouble);
  double* const values = noise.data_ptr<double>();
  for (std::int64_t i = 0; i < noise.numel(); ++i) values[i] = gaussian(random);
  return noise.to(logits.scalar_type()) * (part * logits.square().mean(-1, true).sqrt());
}

}  // namespace berth::learn
