#include "learn/nets/neighbours.h"

#include <algorithm>

namespace berth::learn {
namespace {

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

class NeighbourMax : public torch::autograd::Function<NeighbourMax> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& values,
                        const Neighbours* neighbours) {
    const Tensor from = values.contiguous();
    const std::int64_t width = from.size(1);
    Tensor most = torch::zeros_like(from);
    Tensor winners = torch::full(from.sizes(), -1, at::kInt);
    AT_DISPATCH_FLOATING_TYPES(from.scalar_type(), "neighbour_max", [&] {
      for (std::int64_t node = 0; node < neighbours->nodes(); ++node) {
        scalar_t* const best = most.data_ptr<scalar_t>() + node * width;
        int* const winner = winners.data_ptr<int>() + node * width;
        const auto begin = neighbours->begins[static_cast<std::size_t>(node)];
        const auto end = neighbours->begins[static_cast<std::size_t>(node) + 1];
        for (std::int64_t at = begin; at < end; ++at) {
          const std::int64_t other = neighbours->items[static_cast<std::size_t>(at)];
          const scalar_t* const row = from.data_ptr<scalar_t>() + other * width;
          for (std::int64_t i = 0; i < width; ++i) {
            const bool better = at == begin || row[i] > best[i];
            best[i] = better ? row[i] : best[i];
            winner[i] = better ? static_cast<int>(other) : winner[i];
          }
        }
      }
    });
    // The backward pass needs nothing else.
    context->saved_data["winners"] = winners;
    return most;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const Tensor winners = context->saved_data["winners"].toTensor();
    const Tensor from = gradients[0].contiguous();
    const std::int64_t width = from.size(1);
    Tensor to = torch::zeros_like(from);
    AT_DISPATCH_FLOATING_TYPES(from.scalar_type(), "neighbour_max_backward", [&] {
      const scalar_t* gradient = from.data_ptr<scalar_t>();
      const int* winner = winners.data_ptr<int>();
      scalar_t* const sums = to.data_ptr<scalar_t>();
      for (std::int64_t node = 0; node < from.size(0); ++node) {
        for (std::int64_t i = 0; i < width; ++i, ++gradient, ++winner) {
          if (*winner >= 0) sums[*winner * width + i] += *gradient;
        }
      }
    });
    return {to, Tensor()};
  }
};

class NeighbourSum : public torch::autograd::Function<NeighbourSum> {
 public:
  static Tensor forward(AutogradContext* context, const Tensor& values,
                        const Neighbours* neighbours, const Tensor& weights) {
    const Tensor from = values.contiguous();
    const std::int64_t width = from.size(1);
    Tensor sums = torch::zeros_like(from);
    AT_DISPATCH_FLOATING_TYPES(from.scalar_type(), "neighbour_sum", [&] {
      const auto weight = weights.accessor<double, 1>();
      for_each_pair(*neighbours, [&](std::int64_t node, std::int64_t other, std::int64_t at) {
        add<scalar_t>(from.data_ptr<scalar_t>() + other * width, weight[at],
                      sums.data_ptr<scalar_t>() + node * width, width);
      });
    });
    // The neighbours are part of a case, which outlives the step that uses it.
    context->saved_data["neighbours"] = reinterpret_cast<std::int64_t>(neighbours);
    context->saved_data["weights"] = weights;
    return sums;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    // A context keeps numbers and tensors, and no pointers.
    const std::int64_t address = context->saved_data["neighbours"].toInt();
    const auto* const neighbours =
        reinterpret_cast<const Neighbours*>(address);  // NOLINT(performance-no-int-to-ptr)
    const Tensor weights = context->saved_data["weights"].toTensor();
    const Tensor from = gradients[0].contiguous();
    const std::int64_t width = from.size(1);
    Tensor to = torch::zeros_like(from);
    AT_DISPATCH_FLOATING_TYPES(from.scalar_type(), "neighbour_sum_backward", [&] {
      const auto weight = weights.accessor<double, 1>();
      for_each_pair(*neighbours, [&](std::int64_t node, std::int64_t other, std::int64_t at) {
        add<scalar_t>(from.data_ptr<scalar_t>() + node * width, weight[at],
                      to.data_ptr<scalar_t>() + other * width, width);
      });
    });
    return {to, Tensor(), Tensor()};
  }

 private:
  template <class Visit>
  static void for_each_pair(const Neighbours& neighbours, const Visit& visit) {
    for (std::int64_t node = 0; node < neighbours.nodes(); ++node) {
      const auto end = neighbours.begins[static_cast<std::size_t>(node) + 1];
      for (auto at = neighbours.begins[static_cast<std::size_t>(node)]; at < end; ++at) {
        visit(node, neighbours.items[static_cast<std::size_t>(at)], at);
      }
    }
  }
  template <class Real>
  static void add(const Real* from, double weight, Real* to, std::int64_t width) {
    for (std::int64_t i = 0; i < width; ++i) to[i] += static_cast<Real>(weight) * from[i];
  }
};

}  // namespace

Neighbours Neighbours::of(std::int64_t nodes,
                          std::vector<std::pair<std::int64_t, std::int64_t>> pairs) {
  // Sorted, so that sums do not depend on the order in which edges are given.
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  Neighbours rows;
  std::size_t at = 0;
  for (std::int64_t node = 0; node < nodes; ++node) {
    for (; at < pairs.size() && pairs[at].first == node; ++at) {
      rows.items.push_back(pairs[at].second);
    }
    rows.begins.push_back(static_cast<std::int64_t>(rows.items.size()));
  }
  return rows;
}

Tensor neighbour_max(const Tensor& values, const Neighbours& neighbours) {
  return NeighbourMax::apply(values, &neighbours);
}

Tensor neighbour_sum(const Tensor& values, const Neighbours& neighbours, const Tensor& weights) {
  return NeighbourSum::apply(values, &neighbours, weights);
}

}  // namespace berth::learn
