// What a policy makes of the state of the devices (ledger.h) and of an item's cost on each, given
// what it thinks of the item: a small network with one output, a logit. Beside it the numbers
// count as they are, and of these the one that says how much later the item would end than on the
// best device begins with a say: so a new policy is a list scheduler that often errs, and looks for
// plans among those that spread work rather than among all. In two forms that agree:
// over many decisions at once, with gradients, and for one decision after the other in plain
// numbers, since drawing goes item by item and the framework's calls would cost a hundred times
// the arithmetic.
#pragma once

#include <vector>

#include "learn/features.h"
#include "learn/ledger.h"
#include "learn/nets/module.h"

namespace berth::learn {

class DeviceScorer : public Module {
 public:
  static constexpr auto kInputs = static_cast<std::int64_t>(Ledger::kNumbers + Features::kPairs);
  static constexpr std::int64_t kMarked = Ledger::kMarked;
  static constexpr std::int64_t kLater = Ledger::kLater;
  static constexpr std::int64_t kWidth = 16;  // of an item_view

  DeviceScorer() = default;
  // `scale` shrinks its first say.
  explicit DeviceScorer(double scale);

  // numbers: [..., devices, kInputs]; item_views: [items, 1, kWidth], undefined for none. The
  // result:
  // [..., devices].
  Tensor operator()(const Tensor& numbers, const Tensor& item_views) const;

  // The parameters of now, for one decision at a time.
  class Plain {
   public:
    explicit Plain(const DeviceScorer& scorer);
    double operator()(const double* numbers, const double* item_view) const;

   private:
    std::vector<double> weights_, bias_, output_, direct_;
    double output_bias_ = 0;
  };

 private:
  Linear hidden_, output_;
  Tensor direct_;  // [kInputs]
};

}  // namespace berth::learn
