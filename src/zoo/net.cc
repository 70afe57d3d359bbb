#include "zoo/net.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <numeric>

namespace berth::zoo {
namespace {

// Operations per element, for arithmetic that is not a product. Its cost is mostly that of its
// bytes.
double unary_flops(std::string_view type) {
  if (type == "Relu" || type == "Identity" || type == "Neg") return 1;
  if (type == "Dropout") return 2;
  if (type == "Gelu" || type == "Swish") return 8;
  return 4;  // exponentials
}
constexpr double kSoftmaxFlops = 5;
constexpr double kNormalizationFlops = 8;

// As a double: a shape that is too large is refused where its bytes are counted.
double product(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), 1.0, [](double total, std::int64_t extent) {
    return total * static_cast<double>(extent);
  });
}

Shape broadcast(const Shape& a, const Shape& b) {
  Shape result(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::int64_t left = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t right = i < b.size() ? b[b.size() - 1 - i] : 1;
    assert(left == right || left == 1 || right == 1);
    result[result.size() - 1 - i] = std::max(left, right);
  }
  return result;
}

std::int64_t shrunk(std::int64_t length, std::int64_t kernel, std::int64_t stride, bool same) {
  return same ? (length + stride - 1) / stride : (length - kernel) / stride + 1;
}

std::size_t position(int axis, const Shape& shape) {
  return static_cast<std::size_t>(axis < 0 ? axis + static_cast<int>(shape.size()) : axis);
}

}  // namespace

std::int64_t Value::dim(int axis) const { return shape[position(axis, shape)]; }
double Value::elements() const { return product(shape); }

Net::Net(std::string name) : builder_(std::move(name)) {}

Net::Scope::Scope(Net& net, std::string_view name, std::string_view layer)
    : net_(net), prefix_length_(net.prefix_.size()), layer_(net.layer_) {
  net.prefix_ += name;
  net.prefix_ += '/';
  if (!layer.empty()) net.layer_ = layer;
}

Net::Scope::~Scope() {
  net_.prefix_.resize(prefix_length_);
  net_.layer_ = layer_;
}

OpId Net::begin(std::string_view type, std::string_view name, const std::vector<Value>& inputs) {
  const OpId op = builder_.add_op(prefix_ + std::string(name), type);
  if (!layer_.empty()) {
    builder_.set_layer(op, layer_);
    layers_.emplace_back(op, layer_);
  }
  for (const Value& value : inputs) builder_.add_input(op, value.tensor);
  return op;
}

Value Net::end(OpId op, Shape shape, double flops, DType dtype, std::uint32_t alias) {
  builder_.set_flops(op, flops);
  const TensorRef tensor =
      builder_.add_output(op, {.shape = shape, .has_shape = true, .dtype = dtype, .alias = alias});
  return {tensor, std::move(shape), dtype};
}

Value Net::input(std::string_view name, Shape shape, DType dtype) {
  return end(begin("Input", name, {}), std::move(shape), 0, dtype);
}

Value Net::weight(std::string_view name, Shape shape) {
  const OpId op = begin("Variable", name, {});
  builder_.set_param_bytes(op, tensor_bytes(shape, DType::f32));
  const TensorRef tensor = builder_.add_output(
      op, {.shape = shape, .has_shape = true, .dtype = DType::f32, .resident = true});
  return {tensor, std::move(shape), DType::f32};
}

Value Net::constant(std::string_view name, Shape shape) {
  return end(begin("Constant", name, {}), std::move(shape), 0);
}

Value Net::matmul(std::string_view name, const Value& a, const Value& b) {
  assert(a.dim(-1) == b.dim(-2));
  const Shape outer =
      broadcast({a.shape.begin(), a.shape.end() - 2}, {b.shape.begin(), b.shape.end() - 2});
  Shape shape = outer;
  shape.push_back(a.dim(-2));
  shape.push_back(b.dim(-1));
  const double flops = 2.0 * product(shape) * static_cast<double>(a.dim(-1));
  return end(begin("MatMul", name, {a, b}), std::move(shape), flops);
}

Value Net::linear(std::string_view name, const Value& x, std::int64_t features, bool bias) {
  const Scope scope(*this, name);
  const Value weights = weight("weights", {x.dim(-1), features});
  Value result = matmul("matmul", x, weights);
  return bias ? add_bias("bias", result) : result;
}

Value Net::add_bias(std::string_view name, const Value& x) {
  const Value bias = weight(std::string(name) + "_weights", {x.dim(-1)});
  return add(name, x, bias);
}

Value Net::conv(std::string_view name, const Value& x, const Conv& options) {
  const Scope scope(*this, name);
  const std::int64_t channels = x.dim(1) / options.groups;
  const std::int64_t reach_high = (options.height - 1) * options.dilation + 1;
  const std::int64_t reach_wide = (options.width - 1) * options.dilation + 1;
  const Value weights =
      weight("weights", {options.filters, channels, options.height, options.width});
  Shape shape = {x.dim(0), options.filters,
                 shrunk(x.dim(2), reach_high, options.stride, options.same),
                 shrunk(x.dim(3), reach_wide, options.stride, options.same)};
  const double flops =
      2.0 * product(shape) * static_cast<double>(channels * options.height * options.width);
  Value result = end(begin("Conv", "conv", {x, weights}), std::move(shape), flops);
  if (!options.bias) return result;
  return add("bias", result, weight("bias_weights", {options.filters, 1, 1}));
}

Value Net::pool(std::string_view type, std::string_view name, const Value& x, const Pool& options) {
  Shape shape = {x.dim(0), x.dim(1), shrunk(x.dim(2), options.size, options.stride, options.same),
                 shrunk(x.dim(3), options.size, options.stride, options.same)};
  const double flops = product(shape) * static_cast<double>(options.size * options.size);
  return end(begin(type, name, {x}), std::move(shape), flops);
}

Value Net::max_pool(std::string_view name, const Value& x, const Pool& options) {
  return pool("MaxPool", name, x, options);
}

Value Net::average_pool(std::string_view name, const Value& x, const Pool& options) {
  return pool("AveragePool", name, x, options);
}

Value Net::global_average_pool(std::string_view name, const Value& x) {
  return end(begin("GlobalAveragePool", name, {x}), {x.dim(0), x.dim(1)}, x.elements());
}

Value Net::upsample(std::string_view name, const Value& x, std::int64_t factor) {
  return end(begin("Resize", name, {x}), {x.dim(0), x.dim(1), x.dim(2) * factor, x.dim(3) * factor},
             0);
}

Value Net::normalize(std::string_view type, std::string_view name, const Value& x,
                     std::int64_t features, int parameters) {
  const Scope scope(*this, name);
  std::vector<Value> inputs = {x, weight("scale", {features})};
  if (parameters > 1) inputs.push_back(weight("shift", {features}));
  return end(begin(type, "norm", inputs), x.shape, kNormalizationFlops * x.elements());
}

Value Net::batch_norm(std::string_view name, const Value& x, bool scale) {
  if (scale) return normalize("BatchNormalization", name, x, x.dim(1), 2);
  const Scope scope(*this, name);
  const OpId op = begin("BatchNormalization", "norm", {x, weight("shift", {x.dim(1)})});
  return end(op, x.shape, kNormalizationFlops * x.elements());
}
Value Net::layer_norm(std::string_view name, const Value& x) {
  return normalize("LayerNormalization", name, x, x.dim(-1), 2);
}
Value Net::group_norm(std::string_view name, const Value& x) {
  return normalize("GroupNormalization", name, x, x.dim(1), 2);
}
Value Net::rms_norm(std::string_view name, const Value& x) {
  return normalize("RMSNormalization", name, x, x.dim(-1), 1);
}

Value Net::unary(std::string_view type, std::string_view name, const Value& x) {
  return end(begin(type, name, {x}), x.shape, unary_flops(type) * x.elements(), x.dtype);
}

Value Net::binary(std::string_view type, std::string_view name, const Value& a, const Value& b) {
  Shape shape = broadcast(a.shape, b.shape);
  const auto flops = product(shape);
  return end(begin(type, name, {a, b}), std::move(shape), flops);
}

Value Net::softmax(std::string_view name, const Value& x) {
  return end(begin("Softmax", name, {x}), x.shape, kSoftmaxFlops * x.elements());
}

Value Net::reduce_sum(std::string_view name, const Value& x, int axis) {
  Shape shape = x.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(position(axis, shape)));
  return end(begin("ReduceSum", name, {x}), std::move(shape), x.elements());
}

Value Net::reduce_mean(std::string_view name, const Value& x, int axis) {
  Shape shape = x.shape;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(position(axis, shape)));
  return end(begin("ReduceMean", name, {x}), std::move(shape), x.elements());
}

Value Net::concat(std::string_view name, const std::vector<Value>& parts, int axis) {
  Shape shape = parts.front().shape;
  const std::size_t at = position(axis, shape);
  shape[at] = 0;
  for (const Value& part : parts) shape[at] += part.shape[at];
  return end(begin("Concat", name, parts), std::move(shape), 0);
}

std::vector<Value> Net::split(std::string_view name, const Value& x, std::int64_t parts, int axis) {
  Shape shape = x.shape;
  std::int64_t& length = shape[position(axis, shape)];
  assert(length % parts == 0);
  length /= parts;
  const OpId op = begin("Split", name, {x});
  std::vector<Value> results;
  for (std::int64_t i = 0; i < parts; ++i) results.push_back(end(op, shape, 0));
  return results;
}

Value Net::slice(std::string_view name, const Value& x, int axis, std::int64_t length) {
  Shape shape = x.shape;
  shape[position(axis, shape)] = length;
  return end(begin("Slice", name, {x}), std::move(shape), 0, x.dtype);
}

Value Net::reshape(std::string_view name, const Value& x, Shape shape) {
  assert(product(shape) == x.elements());
  return end(begin("Reshape", name, {x}), std::move(shape), 0, x.dtype, 0);
}

Value Net::transpose(std::string_view name, const Value& x, const std::vector<int>& order) {
  Shape shape;
  for (const int axis : order) shape.push_back(x.dim(axis));
  return end(begin("Transpose", name, {x}), std::move(shape), 0, x.dtype);
}

Value Net::pad(std::string_view name, const Value& x, int axis, std::int64_t amount) {
  Shape shape = x.shape;
  shape[position(axis, shape)] += amount;
  return end(begin("Pad", name, {x}), std::move(shape), 0, x.dtype);
}

Value Net::gather(std::string_view name, const Value& table, const Value& indices) {
  Shape shape = indices.shape;
  shape.insert(shape.end(), table.shape.begin() + 1, table.shape.end());
  return end(begin("Gather", name, {table, indices}), std::move(shape), 0);
}

Value Net::embedding(std::string_view name, const Value& indices, std::int64_t rows,
                     std::int64_t width) {
  const Scope scope(*this, name);
  return gather("lookup", weight("table", {rows, width}), indices);
}

Value Net::custom(std::string_view type, std::string_view name, const std::vector<Value>& inputs,
                  Shape shape, double flops) {
  return end(begin(type, name, inputs), std::move(shape), flops);
}

void Net::output(const Value& x) { builder_.add_graph_output(x.tensor); }

void Net::set_devices(const Value& x, std::vector<std::string> devices) {
  builder_.set_devices(x.tensor.op, std::move(devices));
}

Graph Net::finish(bool colocate_layers) {
  if (colocate_layers) {
    for (const auto& [op, layer] : layers_) builder_.set_colocation(op, layer);
  }
  return std::move(builder_).build();
}

std::vector<OptionSpec> with_common_options(std::vector<OptionSpec> options,
                                            const std::string& dtype) {
  using Type = OptionSpec::Type;
  options = with_dtype_option(std::move(options), dtype);
  options.push_back({.name = "optimizer",
                     .type = Type::choice,
                     .default_value = kAutomatic,
                     .sentence = "What updates the weights; auto: adam in 16 bits, else sgd.",
                     .choices = with_automatic(optimizer_names())});
  options.push_back({.name = "colocate",
                     .type = Type::choice,
                     .default_value = "gradient",
                     .sentence = "What shares a device: an op and its gradient, or a whole layer.",
                     .choices = {"gradient", "layer"}});
  return options;
}

Graph finish(Net& net, const Options& options, Mode mode) {
  Graph forward = with_dtype(net.finish(options.text("colocate") == "layer"), options);
  if (mode == Mode::inference) return forward;
  const std::string& optimizer = options.text("optimizer");
  return make_training_graph(forward,
                             {.optimizer = optimizer == kAutomatic ? default_optimizer(forward)
                                                                   : parse_optimizer(optimizer)});
}

}  // namespace berth::zoo
