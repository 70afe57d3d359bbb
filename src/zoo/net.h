// The functions in which the workloads are written: layers take and return tensors with shapes, and
// every layer adds its ops, with true flops, bytes and parameters, to a forward graph. Op types are
// spelled as in ONNX. Numbers are f32 until finish(), which converts the whole network to the
// precision asked for. Training graphs are made from the result by graph/training.h.
//
//   Net net("mlp");
//   const Net::Scope scope(net, "hidden", "hidden");   // names start with hidden/, layer label
//   Value x = net.input("x", {64, 784});
//   x = net.relu(net.linear("fc", x, 1024));
//   net.output(x);
//   Graph graph = net.finish();
//
// A weight is one Variable op with a resident output. Its Value may be used several times, as the
// time steps of a recurrent network do. Images are [batch, channels, height, width].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph_builder.h"
#include "graph/training.h"
#include "zoo/workload.h"

namespace berth::zoo {

using Shape = std::vector<std::int64_t>;

// A tensor of the network being built.
struct Value {
  TensorRef tensor;
  Shape shape;
  DType dtype = DType::f32;

  std::int64_t dim(int axis) const;  // negative from the end
  double elements() const;           // for counting work
};

class Net {
 public:
  explicit Net(std::string name);

  // Names of ops added while it lives begin with `name`/; with a layer, they carry that label.
  class Scope {
   public:
    Scope(Net& net, std::string_view name, std::string_view layer = {});
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    Net& net_;
    std::size_t prefix_length_;
    std::string layer_;
  };

  Value input(std::string_view name, Shape shape, DType dtype);
  Value input(std::string_view name, Shape shape) {
    return input(name, std::move(shape), DType::f32);
  }
  Value weight(std::string_view name, Shape shape);
  Value constant(std::string_view name, Shape shape);  // zeros, masks: costs nothing

  // a [..., m, k] times b [k, n] or [..., k, n].
  Value matmul(std::string_view name, const Value& a, const Value& b);
  // Weights, product and, if wanted, bias.
  Value linear(std::string_view name, const Value& x, std::int64_t features, bool bias = true);

  struct Conv {
    std::int64_t filters = 1;
    std::int64_t height = 1, width = 1;  // of the kernel
    std::int64_t stride = 1;
    std::int64_t groups = 1;
    std::int64_t dilation = 1;
    bool same = true;  // padded so that only the stride shrinks it; otherwise not padded
    bool bias = false;
  };
  Value conv(std::string_view name, const Value& x, const Conv& options);
  struct Pool {
    std::int64_t size = 2, stride = 2;
    bool same = true;
  };
  Value max_pool(std::string_view name, const Value& x, const Pool& options);
  Value average_pool(std::string_view name, const Value& x, const Pool& options);
  Value global_average_pool(std::string_view name, const Value& x);  // [batch, channels]
  Value upsample(std::string_view name, const Value& x, std::int64_t factor);

  // Without a scale where a relu and a convolution follow, which absorb it, as Inception does.
  Value batch_norm(std::string_view name, const Value& x, bool scale = true);
  Value layer_norm(std::string_view name, const Value& x);
  Value group_norm(std::string_view name, const Value& x);
  Value rms_norm(std::string_view name, const Value& x);

  // `type` is Relu, Sigmoid, Tanh, Gelu, Swish, Dropout, ...; Add, Mul, ... with broadcasting.
  Value unary(std::string_view type, std::string_view name, const Value& x);
  Value binary(std::string_view type, std::string_view name, const Value& a, const Value& b);
  Value relu(std::string_view name, const Value& x) { return unary("Relu", name, x); }
  Value sigmoid(std::string_view name, const Value& x) { return unary("Sigmoid", name, x); }
  Value tanh(std::string_view name, const Value& x) { return unary("Tanh", name, x); }
  Value add(std::string_view name, const Value& a, const Value& b) {
    return binary("Add", name, a, b);
  }
  Value mul(std::string_view name, const Value& a, const Value& b) {
    return binary("Mul", name, a, b);
  }
  Value add_bias(std::string_view name, const Value& x);  // over the last axis
  Value softmax(std::string_view name, const Value& x);   // over the last axis
  Value reduce_sum(std::string_view name, const Value& x, int axis);
  Value reduce_mean(std::string_view name, const Value& x, int axis);

  Value concat(std::string_view name, const std::vector<Value>& parts, int axis);
  std::vector<Value> split(std::string_view name, const Value& x, std::int64_t parts, int axis);
  Value slice(std::string_view name, const Value& x, int axis, std::int64_t length);
  Value reshape(std::string_view name, const Value& x, Shape shape);
  Value transpose(std::string_view name, const Value& x, const std::vector<int>& order);
  Value pad(std::string_view name, const Value& x, int axis, std::int64_t amount);
  Value gather(std::string_view name, const Value& table, const Value& indices);
  // A table of weights and the rows looked up.
  Value embedding(std::string_view name, const Value& indices, std::int64_t rows,
                  std::int64_t width);

  // An op of any other kind.
  Value custom(std::string_view type, std::string_view name, const std::vector<Value>& inputs,
               Shape shape, double flops);

  void output(const Value& x);
  void set_devices(const Value& x, std::vector<std::string> devices);  // of its producer
  // `colocate_layers` ties all ops of a layer, weights included, to one device.
  Graph finish(bool colocate_layers = false);

 private:
  OpId begin(std::string_view type, std::string_view name, const std::vector<Value>& inputs);
  Value end(OpId op, Shape shape, double flops, DType dtype, std::uint32_t alias = Graph::kNone);
  Value end(OpId op, Shape shape, double flops) {
    return end(op, std::move(shape), flops, DType::f32);
  }
  Value pool(std::string_view type, std::string_view name, const Value& x, const Pool& options);
  Value normalize(std::string_view type, std::string_view name, const Value& x,
                  std::int64_t features, int parameters);

  GraphBuilder builder_;
  std::string prefix_;
  std::string layer_;
  std::vector<std::pair<OpId, std::string>> layers_;
};

// Options that every network takes, and what is done with them. `dtype` is the default precision.
std::vector<OptionSpec> with_common_options(std::vector<OptionSpec> options,
                                            const std::string& dtype = kAutomatic);
Graph finish(Net& net, const Options& options, Mode mode);

}  // namespace berth::zoo
