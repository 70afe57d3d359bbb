// expert: the plan a human expert would make, where the workload comes with one.
//
// Experts split by hand what the papers compare with: one layer of an LSTM stack per device, towers
// of a convolutional network side by side. The plans live with the workloads (zoo/), built for the
// devices at hand and passed in the request. It is judged as it is: not repaired when it does not
// fit, because the tables say OOM there too. One evaluation.
//
// A model without an expert plan is an error that names the methods to use instead.
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer expert_placer();

}  // namespace berth::place
