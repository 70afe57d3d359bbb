// The scores of additive attention (Bahdanau et al. 2015), v . tanh(query + key) for every query
// and key, worked out piece by piece both ways: written as one expression, the sums of thousands of
// queries and keys would all be kept for the way back, tens of gigabytes of them.
#pragma once

#include "learn/torch.h"

namespace berth::learn {

// queries: [sequences, queries, width], keys: [sequences, keys, width], direction v: [1, width].
// The result is [sequences, queries, keys].
Tensor additive_scores(const Tensor& queries, const Tensor& keys, const Tensor& direction);

}  // namespace berth::learn
