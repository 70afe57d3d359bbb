// balanced_layers: whole layers, in order, with even shares of weights, as device-map tools do.
//
// Idea. Loaders of large models (accelerate's device_map="balanced" and similar tools) walk through
// the layers of a model in order and give each accelerator a contiguous block of them, such that
// the blocks have about the same bytes of weights. What does not fit goes to the CPU. Here:
//
//   blocks = contiguous runs of layers; minimise the largest block's weights over at most as many
//            blocks as there are accelerators (binary search on the cap, filling greedily)
//
// A layer is all ops with one `layer` label, in order of their first appearance in the topological
// order (with free ops right before their first reader). An op without a label belongs to the layer
// before it. In a graph without labels every colocation group is a layer. Bytes are `param_bytes`;
// in a graph without any, bytes of outputs.
//
// A layer goes to the next device when the cap is reached, or when the device has no room for the
// layer's weights and its largest op. An op that may not run on its layer's device goes to the
// allowed device with most room. The run is repeated with tighter limits until the plan fits.
//
// Cost. O(ops + edges + layers x log bytes).
//
// Limits. It looks neither at time nor at transfers, and never runs branches in parallel. The tools
// leave some room for activations on the first device; here the simulator checks memory instead.
//
// Reference: Hugging Face accelerate, "Handling big models for inference" (documentation, 2022-).
#pragma once

#include "place/placer.h"

namespace berth::place {

Placer balanced_layers_placer();

}  // namespace berth::place
