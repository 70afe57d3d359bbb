#include "learn/nets/additive_scores.h"

#include <algorithm>

namespace berth::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

// 16 MB of floats: little memory, and large enough that the calls themselves cost nothing.
constexpr std::int64_t kNumbersAtOnce = 1 << 22;

// Calls visit(sequence, first query, number of queries, tanh of their sums with all keys).
template <class Visit>
void for_each_piece(const Tensor& queries, const Tensor& keys, const Visit& visit) {
  const std::int64_t count = queries.size(1);
  const std::int64_t at_once =
      std::max<std::int64_t>(1, kNumbersAtOnce / std::max<std::int64_t>(1, keys[0].numel()));
  for (std::int64_t sequence = 0; sequence < queries.size(0); ++sequence) {
    for (std::int64_t begin = 0; begin < count; begin += at_once) {
      const std::int64_t some = std::min(at_once, count - begin);
      const Tensor piece = queries[sequence].narrow(0, begin, some);
      visit(sequence, begin, some, (piece.unsqueeze(1) + keys[sequence].unsqueeze(0)).tanh_());
    }
  }
}

class AdditiveScores : public torch::autograd::Function<AdditiveScores> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& queries, const Tensor& keys,
                        const Tensor& direction) {
    Tensor scores = torch::empty({queries.size(0), queries.size(1), keys.size(1)},
                                 queries.options().requires_grad(false));
    for_each_piece(
        queries, keys,
        [&](std::int64_t sequence, std::int64_t begin, std::int64_t some, const Tensor& squashed) {
          scores[sequence].narrow(0, begin, some).copy_(squashed.matmul(direction[0]));
        });
    context->save_for_backward({queries, keys, direction});
    return scores;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list saved = context->get_saved_variables();
    const Tensor& direction = saved[2];
    Tensor to_queries = torch::zeros_like(saved[0]);
    Tensor to_keys = torch::zeros_like(saved[1]);
    Tensor to_direction = torch::zeros_like(direction);
    for_each_piece(
        saved[0], saved[1],
        [&](std::int64_t sequence, std::int64_t begin, std::int64_t some, const Tensor& squashed) {
          const Tensor from = gradients[0][sequence].narrow(0, begin, some);
          to_direction[0].add_(squashed.flatten(0, 1).t().matmul(from.reshape({-1})));
          const Tensor inner = (1 - squashed.square()).mul_(direction[0]).mul_(from.unsqueeze(2));
          to_queries[sequence].narrow(0, begin, some).copy_(inner.sum(1));
          to_keys[sequence].add_(inner.sum(0));
        });
    return {to_queries, to_keys, to_direction};
  }
};

}  // namespace

Tensor additive_scores(const Tensor& queries, const Tensor& keys, const Tensor& direction) {
  return AdditiveScores::apply(queries, keys, direction);
}

}  // namespace berth::learn
