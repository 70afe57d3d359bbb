#include "learn/nets/device_judge.h"

#include <algorithm>
#include <thread>

#include "base/parallel.h"

namespace berth::learn {
namespace {

// A logit 3 lower for a unit that would finish later by 1.7 times the work of the mean unit.
constexpr double kLatenessWeight = 3;

using torch::autograd::AutogradContext;
using torch::autograd::variable_list;

constexpr std::int64_t kNumbers = DeviceJudge::kNumbers;
constexpr std::int64_t kHidden = DeviceJudge::kHidden;

// What one device's numbers make of the hidden layer, before relu. `layer`: [kNumbers, kHidden], so
// that hidden units are side by side.
template <class Real>
inline void see(const Real* numbers, const Real* biases, const Real* layer, Real* seen) {
  std::copy_n(biases, kHidden, seen);
  for (std::int64_t k = 0; k < kNumbers; ++k) {
    const Real number = numbers[k];
    const Real* const row = layer + k * kHidden;
    for (std::int64_t i = 0; i < kHidden; ++i) seen[i] += row[i] * number;
  }
}

template <class Real>
inline Real judge(const Real* numbers, const Real* weights, const Real* biases, const Real* layer,
                  const Real* output) {
  Real seen[kHidden];
  see(numbers, biases, layer, seen);
  Real logit = 0;
  for (std::int64_t k = 0; k < kNumbers; ++k) logit += weights[k] * numbers[k];
  for (std::int64_t i = 0; i < kHidden; ++i) logit += output[i] * std::max(seen[i], Real(0));
  return logit;
}

// The judge of many decisions as one operation: the framework would write every intermediate result
// of every plan, decision and device to memory, which takes several times as long as the arithmetic
// and as the rest of an update.
class Judge : public torch::autograd::Function<Judge> {
 public:
  // numbers: [plans, items, devices, kNumbers]; weights and biases: [items, ...] or [plans, items,
  // ...]; hidden: [kHidden, kNumbers]; output: [kHidden].
  static Tensor forward(AutogradContext* context, const Tensor& numbers, const Tensor& weights,
                        const Tensor& biases, const Tensor& hidden, const Tensor& output) {
    const variable_list all = {numbers.contiguous(), weights.contiguous(), biases.contiguous(),
                               hidden.t().contiguous(), output.contiguous()};
    context->save_for_backward(all);
    Tensor logits = torch::empty({numbers.size(0), numbers.size(1), numbers.size(2)},
                                 numbers.options().requires_grad(false));
    AT_DISPATCH_FLOATING_TYPES(numbers.scalar_type(), "judge", [&] {
      const Layout<scalar_t> of(all);
      scalar_t* const to = logits.data_ptr<scalar_t>();
      of.in_parts([&](std::int64_t, std::int64_t plan, std::int64_t item) {
        for (std::int64_t device = 0; device < of.devices; ++device) {
          const std::int64_t row = of.row(plan, item, device);
          to[row] = judge(of.numbers + row * kNumbers, of.weights + of.item(plan, item) * kNumbers,
                          of.biases + of.item(plan, item) * kHidden, of.hidden, of.output);
        }
      });
    });
    return logits;
  }

  static variable_list backward(AutogradContext* context, variable_list gradients) {
    const variable_list all = context->get_saved_variables();
    const Tensor gradient = gradients[0].contiguous();
    Tensor weights = torch::zeros_like(all[1]);
    Tensor biases = torch::zeros_like(all[2]);
    Tensor hidden, output;
    AT_DISPATCH_FLOATING_TYPES(gradient.scalar_type(), "judge_backward", [&] {
      const Layout<scalar_t> of(all);
      // What all items share is summed by part, and the parts in their order: the same at any
      // number of threads.
      hidden = torch::zeros({of.parts(), kNumbers, kHidden}, gradient.options());
      output = torch::zeros({of.parts(), kHidden}, gradient.options());
      const scalar_t* const from = gradient.data_ptr<scalar_t>();
      scalar_t* const to_weights = weights.data_ptr<scalar_t>();
      scalar_t* const to_biases = biases.data_ptr<scalar_t>();
      scalar_t* const to_hidden = hidden.data_ptr<scalar_t>();
      scalar_t* const to_output = output.data_ptr<scalar_t>();
      of.in_parts([&](std::int64_t part, std::int64_t plan, std::int64_t item) {
        const std::int64_t shared = of.item(plan, item);
        for (std::int64_t device = 0; device < of.devices; ++device) {
          const std::int64_t row = of.row(plan, item, device);
          if (from[row] == 0) continue;
          add_gradient(from[row], of.numbers + row * kNumbers, of.biases + shared * kHidden, of,
                       to_weights + shared * kNumbers, to_biases + shared * kHidden,
                       to_hidden + part * kNumbers * kHidden, to_output + part * kHidden);
        }
      });
    });
    return {Tensor(), weights, biases, hidden.sum(0).t(), output.sum(0)};
  }

 private:
  template <class Real>
  struct Layout {
    explicit Layout(const variable_list& all)
        : numbers(all[0].data_ptr<Real>()),
          weights(all[1].data_ptr<Real>()),
          biases(all[2].data_ptr<Real>()),
          hidden(all[3].data_ptr<Real>()),
          output(all[4].data_ptr<Real>()),
          plans(all[0].size(0)),
          items(all[0].size(1)),
          devices(all[0].size(2)),
          per_plan(all[1].dim() == 3) {}

    std::int64_t row(std::int64_t plan, std::int64_t item, std::int64_t device) const {
      return (plan * items + item) * devices + device;
    }
    std::int64_t item(std::int64_t plan, std::int64_t of) const {
      return per_plan ? plan * items + of : of;
    }
    std::int64_t parts() const { return (items + kItemsPerPart - 1) / kItemsPerPart; }
    // All plans and items; an item is in one part for all plans.
    template <class Visit>
    void in_parts(const Visit& visit) const {
      const std::size_t threads = std::max(1u, std::thread::hardware_concurrency());
      in_parallel(static_cast<std::size_t>(parts()), threads, [&](std::size_t number) {
        const auto part = static_cast<std::int64_t>(number);
        const std::int64_t end = std::min(items, (part + 1) * kItemsPerPart);
        for (std::int64_t plan = 0; plan < plans; ++plan) {
          for (std::int64_t at = part * kItemsPerPart; at < end; ++at) visit(part, plan, at);
        }
      });
    }

    static constexpr std::int64_t kItemsPerPart = 64;
    const Real *numbers, *weights, *biases, *hidden, *output;
    std::int64_t plans, items, devices;
    bool per_plan;
  };

  template <class Real>
  static void add_gradient(Real gradient, const Real* numbers, const Real* biases,
                           const Layout<Real>& of, Real* to_weights, Real* to_biases,
                           Real* to_hidden, Real* to_output) {
    Real seen[kHidden];
    see(numbers, biases, of.hidden, seen);
    Real active[kHidden];
    for (std::int64_t i = 0; i < kHidden; ++i) {
      active[i] = seen[i] > 0 ? gradient * of.output[i] : Real(0);
      to_output[i] += gradient * std::max(seen[i], Real(0));
      to_biases[i] += active[i];
    }
    for (std::int64_t k = 0; k < kNumbers; ++k) {
      const Real number = numbers[k];
      to_weights[k] += gradient * number;
      Real* const row = to_hidden + k * kHidden;
      for (std::int64_t i = 0; i < kHidden; ++i) row[i] += active[i] * number;
    }
  }
};

std::vector<float> floats_of(const Tensor& tensor) {
  const Tensor plain = tensor.detach().to(at::kFloat).contiguous();
  return {plain.data_ptr<float>(), plain.data_ptr<float>() + plain.numel()};
}

}  // namespace

DeviceJudge::DeviceJudge(std::int64_t width)
    : weights_(part("weights", Linear(width, kNumbers, 0))),
      biases_(part("biases", Linear(width, kHidden))),
      hidden_(parameter("hidden", glorot(kHidden, kNumbers))),
      output_(parameter("output", torch::zeros({kHidden}))) {
  at::NoGradGuard guard;
  Tensor bias = weights_.bias();
  bias[DecisionReader::kLater] = -kLatenessWeight;
}

DeviceJudge::Item DeviceJudge::item(const Tensor& embeddings) const {
  return {.weights = weights_(embeddings), .biases = biases_(embeddings)};
}

Tensor DeviceJudge::operator()(const Tensor& numbers, const Item& items) const {
  return Judge::apply(numbers, items.weights, items.biases, hidden_, output_);
}

DeviceJudge::Plain::Plain(const DeviceJudge& judge)
    : hidden_(floats_of(judge.hidden_.t())), output_(floats_of(judge.output_)) {}

void DeviceJudge::Plain::operator()(const float* numbers, const float* weights, const float* biases,
                                    std::size_t devices, double* logits) const {
  for (std::size_t device = 0; device < devices; ++device, numbers += kNumbers) {
    logits[device] = judge(numbers, weights, biases, hidden_.data(), output_.data());
  }
}

}  // namespace berth::learn
