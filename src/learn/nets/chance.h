// Random choices of policies: draws from probabilities and noise on logits. All use Berth's own
// generator, so that a seed gives the same run on any machine.
#pragma once

#include <cstdint>
#include <vector>

#include "base/options.h"
#include "base/random.h"
#include "learn/torch.h"

namespace berth::learn {

// Logits to probabilities, in place.
void softmax(std::vector<double>& logits);

// The number drawn by a uniform number of [0, 1); never one of probability 0.
std::size_t pick(const std::vector<double>& probabilities, double uniform);

// Keeps improbable choices possible: size * tanh(logit / temperature), as in HDP and in Bello et
// al. (2016). A part that all choices have in common changes no probability, but it drifts during
// training, until tanh saturates, the logits become equal and no gradient passes. `of_odds` removes
// it: tanh is then of log-probabilities.
struct LogitLimit {
  double size = 0;  // 0: logits are divided by the temperature and not limited
  double temperature = 1;
  bool of_odds = false;

  // `options` are those of a learned method.
  static LogitLimit parse(const Options& options);
};

// Choices marked in `forbidden` (undefined for none) do not count for the probabilities; their own
// results have no meaning.
Tensor limited(const Tensor& logits, const Tensor& forbidden, const LogitLimit& limit);

// A logit that is never drawn, but finite, so that its gradient is 0 and not undefined.
inline constexpr double kForbidden = -1e9;

// The same for one decision in plain numbers, `allowed` telling which choices there are: limit()
// as limited(), add_noise() as noise_like(), telling what it added; choose() makes probabilities of
// the logits and draws, or takes the likeliest when there is no generator. Logits that are not
// finite count as 0, so that a diverged policy still gives valid plans.
void limit(std::vector<double>& logits, const std::uint8_t* allowed, const LogitLimit& limit);
void add_noise(std::vector<double>& logits, const std::uint8_t* allowed, double part,
               Random& random, double* added);
std::size_t choose(std::vector<double>& logits, const std::uint8_t* allowed, Random* random);

// One draw for every row of log-probabilities [..., choices].
Tensor draw_rows(const Tensor& log_probs, Random& random);

// Gaussian, of a deviation that is a part of each row's root mean square.
Tensor noise_like(const Tensor& logits, double part, Random& random);

}  // namespace berth::learn
