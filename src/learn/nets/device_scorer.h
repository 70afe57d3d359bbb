// Logits from the state of the devices (ledger.h) and the cost of an item on each: a small network
// with one output. The policy adds a bias per item to its hidden layer, so that items can weigh the
// same state differently.
//
// A linear term over the same numbers is added. In an untrained policy it weighs one of them: how
// much later the item would end than on the best device. So an untrained policy behaves like a
// noisy list scheduler and explores plans that spread the work, rather than all plans.
//
// There are two forms that agree. One takes many decisions at once, with gradients. The other takes
// one decision at a time in plain numbers: plans are drawn item by item, and calls of the framework
// would cost a hundred times the arithmetic.
#pragma once

#include <vector>

#include "learn/features.h"
#include "learn/ledger.h"
#include "learn/nets/module.h"

namespace berth::learn {

class DeviceScorer : public Module {
 public:
  static constexpr auto kInputs = static_cast<std::int64_t>(Ledger::kNumbers + Features::kPairs);
  static constexpr std::int64_t kLater = Ledger::kLater;
  static constexpr std::int64_t kWidth = 16;  // of the hidden layer, and so of an item_bias

  DeviceScorer() = default;
  // `scale` shrinks the initial weights of the output.
  explicit DeviceScorer(double scale);

  // numbers: [..., devices, kInputs]; item_biases: [items, 1, kWidth], undefined for none. The
  // result: [..., devices].
  Tensor operator()(const Tensor& numbers, const Tensor& item_biases) const;

  // A copy of the current parameters, for one decision at a time.
  class Plain {
   public:
    explicit Plain(const DeviceScorer& scorer);
    double operator()(const double* numbers, const double* item_bias) const;

   private:
    std::vector<double> weights_, bias_, output_, direct_;
    double output_bias_ = 0;
  };

 private:
  Linear hidden_, output_;
  Tensor direct_;  // [kInputs]
};

}  // namespace berth::learn
