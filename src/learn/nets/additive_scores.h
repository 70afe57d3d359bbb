// The scores of additive attention (Bahdanau et al. 2015), v . tanh(query + key) for every query
// and key. Both passes compute them piece by piece: as one expression, the sums of thousands of
// queries and keys would all be kept for the backward pass, tens of gigabytes.
#pragma once

#include "learn/torch.h"

namespace berth::learn {

// queries: [sequences, queries, width], keys: [sequences, keys, width], direction v: [1, width].
// The result is [sequences, queries, keys].
Tensor additive_scores(const Tensor& queries, const Tensor& keys, const Tensor& direction);

}  // namespace berth::learn
