// zoo:tiny, a network small enough to read in full: two branches over one input, joined and
// classified. It has one of everything the formats know: weights as resident outputs of Variable
// ops, colocated with the products that read them, a reshape that shares its input's memory, layers
// for the expert's plan, a control dependency.
//
//   x - left1 - left2 --.
//     `- right1 - right2 - join - flatten - head - softmax
#include <fmt/format.h>

#include "graph/graph_builder.h"
#include "zoo/expert.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

constexpr std::int64_t kElementBytes = 4;  // f32
constexpr std::int64_t kClasses = 1000;

class TinyBuilder {
 public:
  TinyBuilder(std::int64_t batch, std::int64_t width)
      : builder_("tiny"), batch_(batch), width_(width) {}

  Graph build();

 private:
  struct Activation {
    TensorRef tensor;
    std::int64_t features;
  };

  OpId add(const std::string& name, std::string_view type, const std::string& layer) {
    const OpId op = builder_.add_op(name, type);
    builder_.set_layer(op, layer);
    return op;
  }
  Activation finish(OpId op, std::int64_t features, double flops_an_element) {
    const std::int64_t shape[] = {batch_, features};
    builder_.set_flops(op, flops_an_element * static_cast<double>(batch_ * features));
    return {builder_.add_output(op, {.shape = shape, .dtype = DType::f32}), features};
  }
  Activation dense(const std::string& layer, Activation input, std::int64_t features);
  Activation relu(const std::string& layer, Activation input);
  Activation join(Activation left, Activation right);
  Activation flatten(Activation input);

  GraphBuilder builder_;
  std::int64_t batch_, width_;
};

// A variable with the weights and the product that reads them, on one device.
TinyBuilder::Activation TinyBuilder::dense(const std::string& layer, Activation input,
                                           std::int64_t features) {
  const std::int64_t shape[] = {input.features, features};
  const OpId variable = add(layer + "/weights", "Variable", layer);
  builder_.set_param_bytes(variable, shape[0] * shape[1] * kElementBytes);
  builder_.set_colocation(variable, layer);
  const TensorRef weights =
      builder_.add_output(variable, {.shape = shape, .dtype = DType::f32, .resident = true});

  const OpId product = add(layer + "/matmul", "MatMul", layer);
  builder_.set_colocation(product, layer);
  builder_.add_input(product, input.tensor);
  builder_.add_input(product, weights);
  return finish(product, features, 2.0 * static_cast<double>(input.features));
}

TinyBuilder::Activation TinyBuilder::relu(const std::string& layer, Activation input) {
  const OpId op = add(layer + "/relu", "Relu", layer);
  builder_.add_input(op, input.tensor);
  return finish(op, input.features, 1);
}

TinyBuilder::Activation TinyBuilder::join(Activation left, Activation right) {
  const OpId op = add("join/concat", "Concat", "join");
  const std::int64_t shape[] = {batch_, 2, left.features};
  builder_.add_input(op, left.tensor);
  builder_.add_input(op, right.tensor);
  return {builder_.add_output(op, {.shape = shape, .dtype = DType::f32}),
          left.features + right.features};
}

TinyBuilder::Activation TinyBuilder::flatten(Activation input) {
  const OpId op = add("join/flatten", "Reshape", "join");
  const std::int64_t shape[] = {batch_, input.features};
  builder_.add_input(op, input.tensor);
  return {builder_.add_output(op, {.shape = shape, .dtype = DType::f32, .alias = 0}),
          input.features};
}

Graph TinyBuilder::build() {
  const OpId input = add("x", "Input", "input");
  const Activation x = finish(input, width_, 0);
  const Activation left =
      relu("left2", dense("left2", relu("left1", dense("left1", x, width_)), width_));
  const Activation right =
      relu("right2", dense("right2", relu("right1", dense("right1", x, width_)), width_));
  const Activation logits = dense("head", flatten(join(left, right)), kClasses);
  const OpId softmax = add("head/softmax", "Softmax", "head");
  builder_.add_input(softmax, logits.tensor);
  const Activation classes = finish(softmax, kClasses, 8);
  // Counts the samples seen: touches no data, but must not run before the result is there.
  const OpId counter = add("head/counter", "Variable", "head");
  builder_.set_param_bytes(counter, 8);
  builder_.add_after(counter, softmax);
  builder_.add_graph_output(classes.tensor);
  return std::move(builder_).build();
}

Graph build_tiny(const Options& options, Mode) {
  return with_dtype(TinyBuilder(options.integer("batch"), options.integer("width")).build(),
                    options);
}

}  // namespace

Workload tiny_workload() {
  using Type = OptionSpec::Type;
  return {.name = "tiny",
          .summary = "Two branches, small enough to read in full; the same in either mode.",
          .options = with_dtype_option(
              {{"batch", Type::integer, "256", "Samples per step.", 1, 1e6},
               {"width", Type::integer, "2048", "Features of every layer.", 1, 1e5}}),
          .build = build_tiny,
          .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
