// Chance in policies: draws from probabilities and noise on logits, all by Berth's own generator,
// so that one seed means one run wherever it runs.
#pragma once

#include <vector>

#include "base/random.h"
#include "learn/torch.h"

namespace berth {

// Logits to probabilities, in place.
void softmax(std::vector<double>& logits);

// The number drawn by a uniform number of [0, 1); never one of probability 0.
std::size_t pick(const std::vector<double>& probabilities, double uniform);

// Keeps choices open: limit * tanh(log-probability / limit) / temperature, so that no choice falls
// further behind than `limit`; 0 for no limit. Bello et al. (2016) and HDP limit the logits
// themselves; but what choices have in common, or all but one have, drifts without meaning until
// tanh makes them equal and lets no gradient through, and then nothing is learned any more.
// What `forbidden` marks (undefined for nothing) has no part in the probabilities; its own values
// mean nothing.
Tensor limited(const Tensor& logits, const Tensor& forbidden, double limit, double temperature);

// A logit no draw picks, and yet finite, so that its gradient is 0 and not undefined.
inline constexpr double kForbidden = -1e9;

// One draw for every row of log-probabilities [..., choices].
Tensor draw_rows(const Tensor& log_probs, Random& random);

// Gaussian, of a deviation that is a part of each row's root mean square.
Tensor noise_like(const Tensor& logits, double part, Random& random);

}  // namespace berth
