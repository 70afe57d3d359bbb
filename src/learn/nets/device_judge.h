// Logits of devices from what a decision reads of them (decision_reader.h) and from the embedding
// of the unit that is placed:
//   logit(d) = (a + A e) . x(d) + v . relu(H x(d) + B e + b)
// with x(d) the numbers of device d and e the embedding. The first term weighs the numbers, and the
// embedding sets the weights, so a unit can follow its inputs where another spreads the work; the
// second finds what no weighted sum can. Devices are described by their numbers alone, never by
// their index, so equal devices are equal.
//
// At the beginning A and v are 0 and `a` weighs only how much later the unit would finish: an
// untrained policy's greedy plan is that of heft, and its samples are noisy list schedules.
//
// There are two forms that agree. One takes many decisions at once, with gradients. The other takes
// one decision at a time in plain numbers: plans are drawn one decision after the other, and calls
// of the framework would cost a hundred times the arithmetic.
#pragma once

#include <vector>

#include "learn/decision_reader.h"
#include "learn/nets/module.h"

namespace berth::learn {

class DeviceJudge : public Module {
 public:
  static constexpr std::int64_t kNumbers = DecisionReader::kNumbers;
  static constexpr std::int64_t kHidden = 16;

  DeviceJudge() = default;
  explicit DeviceJudge(std::int64_t width);  // of embeddings

  // What an embedding contributes, to be computed once for all plans.
  struct Item {
    Tensor weights;  // [..., kNumbers]: a + A e
    Tensor biases;   // [..., kHidden]: B e + b
  };
  Item item(const Tensor& embeddings) const;
  // numbers: [plans, items, devices, kNumbers]; items as [items, ...] or [plans, items, ...]. The
  // result: [plans, items, devices].
  Tensor operator()(const Tensor& numbers, const Item& items) const;

  // A copy of the current parameters, for one decision at a time.
  class Plain {
   public:
    explicit Plain(const DeviceJudge& judge);
    // numbers: [devices, kNumbers]; weights and biases of the item; logits: [devices].
    void operator()(const float* numbers, const float* weights, const float* biases,
                    std::size_t devices, double* logits) const;

   private:
    std::vector<float> hidden_;  // [kNumbers, kHidden], so that hidden units are side by side
    std::vector<float> output_;  // [kHidden]
  };

 private:
  Linear weights_;  // a and A
  Linear biases_;   // b and B
  Tensor hidden_;   // [kHidden, kNumbers]: H
  Tensor output_;   // [kHidden]: v
};

}  // namespace berth::learn
