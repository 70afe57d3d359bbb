#include "zoo/convolutional.h"

namespace berth::zoo {

Value conv_norm_relu(Net& net, std::string_view name, const Value& x, const Net::Conv& options) {
  const Net::Scope scope(net, name);
  return net.relu("relu", net.batch_norm("bn", net.conv("conv", x, options)));
}

Value relu_conv_norm(Net& net, std::string_view name, const Value& x, const Net::Conv& options) {
  const Net::Scope scope(net, name);
  return net.batch_norm("bn", net.conv("conv", net.relu("relu", x), options));
}

Value separable_conv(Net& net, std::string_view name, const Value& x, std::int64_t filters,
                     std::int64_t size, std::int64_t stride) {
  const Net::Scope scope(net, name);
  Value result = x;
  for (const bool first : {true, false}) {
    const Net::Scope half(net, first ? "first" : "second");
    result = net.relu("relu", result);
    result = net.conv("depthwise", result,
                      {.filters = result.dim(1),
                       .height = size,
                       .width = size,
                       .stride = first ? stride : 1,
                       .groups = result.dim(1)});
    result = net.batch_norm("bn", net.conv("pointwise", result, {.filters = filters}));
  }
  return result;
}

Value factorized_reduction(Net& net, std::string_view name, const Value& x, std::int64_t filters) {
  const Net::Scope scope(net, name);
  const Value even = net.conv("even", x, {.filters = filters / 2, .stride = 2});
  // Padded below and right, cut above and left: the copy that the frameworks make as well.
  const Value shifted = net.custom("Pad", "shift", {x}, x.shape, 0);
  const Value odd = net.conv("odd", shifted, {.filters = filters - filters / 2, .stride = 2});
  return net.batch_norm("bn", net.concat("concat", {even, odd}, 1));
}

Value fit_to(Net& net, std::string_view name, const Value& x, const Value& like,
             std::int64_t filters) {
  if (x.dim(2) != like.dim(2)) {
    const Net::Scope scope(net, name);
    return factorized_reduction(net, "reduce", net.relu("relu", x), filters);
  }
  if (x.dim(1) != filters) return relu_conv_norm(net, name, x, {.filters = filters});
  return x;
}

Value classifier(Net& net, const Value& x, std::int64_t classes, bool bias) {
  return net.linear("classes", net.global_average_pool("pool", x), classes, bias);
}

}  // namespace berth::zoo
