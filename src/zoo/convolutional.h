// What the convolutional networks share: a convolution with its normalization and activation in the
// orders the papers use, separable convolutions, and the ways in which searched networks (NASNet,
// AmoebaNet, ENAS) bring the two inputs of a cell to one shape.
#pragma once

#include "zoo/net.h"

namespace berth::zoo {

// Convolution, batch normalization, relu: the order of Inception and ResNet.
Value conv_norm_relu(Net& net, std::string_view name, const Value& x, const Net::Conv& options);
// Relu, convolution, batch normalization: the order of the searched cells.
Value relu_conv_norm(Net& net, std::string_view name, const Value& x, const Net::Conv& options);

// Relu, one filter per channel, 1x1 over the channels, batch normalization; twice, the stride in
// the first, as NASNet and ENAS write "separable convolution".
Value separable_conv(Net& net, std::string_view name, const Value& x, std::int64_t filters,
                     std::int64_t size, std::int64_t stride);

// Halves height and width without losing every other pixel: two 1x1 convolutions of stride 2, the
// second one pixel further down and right, each with half of the filters, then normalization.
Value factorized_reduction(Net& net, std::string_view name, const Value& x, std::int64_t filters);

// The cell before the previous one brought to the height and width of `like` and to `filters`
// channels: reduced when it is larger, projected when only the channels differ, else itself.
Value fit_to(Net& net, std::string_view name, const Value& x, const Value& like,
             std::int64_t filters);

// Mean over the image and a linear layer: the end of every classifier here.
Value classifier(Net& net, const Value& x, std::int64_t classes, bool bias = true);

}  // namespace berth::zoo
