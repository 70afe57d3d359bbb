// Random choices of policies: draws from probabilities and noise on logits. All use Berth's own
// generator, so that a seed gives the same run on any machine.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "learn/torch.h"

namespace berth::learn {

// Logits to probabilities, in place.
void softmax(std::vector<double>& logits);

// The number drawn by a uniform number of [0, 1); never one of probability 0.
std::size_t pick(const std::vector<double>& probabilities, double uniform);

// Keeps improbable choices possible: limit * tanh(log-probability / limit) / temperature; 0 for no
// limit. Bello et al. (2016) and HDP limit the logits themselves. But a part that all choices, or
// all but one, have in common changes no probability and drifts during training, until tanh
// saturates, the logits become equal and no gradient passes.
// Choices marked in `forbidden` (undefined for none) do not count for the probabilities; their own
// results have no meaning.
Tensor limited(const Tensor& logits, const Tensor& forbidden, double limit, double temperature);

// A logit that is never drawn, but finite, so that its gradient is 0 and not undefined.
inline constexpr double kForbidden = -1e9;

// The same for one decision in plain numbers, `allowed` telling which choices there are: limit()
// as limited(), add_noise() as noise_like(), telling what it added; choose() makes probabilities of
// the logits and draws, or takes the likeliest when there is no generator. Logits that are not
// finite count as 0, so that a diverged policy still gives valid plans.
void limit(std::vector<double>& logits, const std::uint8_t* allowed, double limit,
           double temperature);
void add_noise(std::vector<double>& logits, const std::uint8_t* allowed, double part,
               Random& random, double* added);
std::size_t choose(std::vector<double>& logits, const std::uint8_t* allowed, Random* random);

// One draw for every row of log-probabilities [..., choices].
Tensor draw_rows(const Tensor& log_probs, Random& random);

// Gaussian, of a deviation that is a part of each row's root mean square.
Tensor noise_like(const Tensor& logits, double part, Random& random);

}  // namespace berth::learn
