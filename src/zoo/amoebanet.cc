// zoo:amoebanet, AmoebaNet-D of Real et al. 2018 ("Regularized Evolution for Image Classifier
// Architecture Search"), the variant that GPipe (Huang et al. 2018) scales as AmoebaNet-D (L, D): L
// normal cells in three stages, D filters. GDP and GO placed an AmoebaNet without giving its size;
// the default is (18, 256) on images of 224x224, as in GPipe's Table 2, with batch 32.
//
// Cells as in Google's TPU implementation: the normal cell puts together the tensors 0, 3, 4 and 6,
// where the paper says 4, 5 and 6. With that the parameters agree with GPipe's Table 1. Pooling of
// 3x3 is with maximum where the cell says so; without auxiliary classifier and dropped paths.
#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.h"
#include "zoo/convolutional.h"
#include "zoo/expert.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

enum class Step { none, conv_1x1, conv_3x3, conv_7x7, average_3x3, max_2x2, max_3x3 };

// A step applied to one of the cell's tensors: 0 and 1 are the outputs of the last cell and of the
// one before it, 2 the sum of the first pair of edges, and so on.
struct Edge {
  std::size_t from;
  Step step;
};

struct Cell {
  std::array<Edge, 10> edges;  // in pairs, each pair a sum
  std::vector<std::size_t> results;
};

const Cell& normal_cell() {
  static const Cell cell{{{{1, Step::conv_1x1},
                           {1, Step::max_3x3},
                           {1, Step::none},
                           {0, Step::conv_7x7},
                           {0, Step::conv_1x1},
                           {0, Step::conv_7x7},
                           {2, Step::max_3x3},
                           {2, Step::none},
                           {1, Step::average_3x3},
                           {5, Step::conv_1x1}}},
                         {0, 3, 4, 6}};
  return cell;
}

const Cell& reduction_cell() {
  static const Cell cell{{{{0, Step::max_2x2},
                           {0, Step::max_3x3},
                           {2, Step::none},
                           {1, Step::conv_3x3},
                           {2, Step::conv_7x7},
                           {2, Step::max_3x3},
                           {3, Step::none},
                           {1, Step::max_2x2},
                           {2, Step::average_3x3},
                           {3, Step::conv_1x1}}},
                         {4, 5, 6}};
  return cell;
}

// Convolutions larger than 1x1 work in a quarter of the channels; 7x7 is taken apart.
Value bottleneck(Net& net, const Value& x, std::int64_t stride, bool seven) {
  const std::int64_t filters = x.dim(1);
  const std::int64_t inner = filters / 4;
  Value result = relu_conv_norm(net, "reduce", x, {.filters = inner});
  if (seven) {
    // Stride 2 never comes with 7x7 in these cells.
    result = relu_conv_norm(net, "1x7", result, {.filters = inner, .height = 1, .width = 7});
    result = relu_conv_norm(net, "7x1", result, {.filters = inner, .height = 7, .width = 1});
  } else {
    result = relu_conv_norm(net, "3x3", result,
                            {.filters = inner, .height = 3, .width = 3, .stride = stride});
  }
  return relu_conv_norm(net, "expand", result, {.filters = filters});
}

Value apply(Net& net, std::string_view name, Step step, const Value& x, std::int64_t stride) {
  const Net::Scope scope(net, name);
  switch (step) {
    case Step::none:
      if (stride == 1) return x;
      return factorized_reduction(net, "reduce", net.relu("relu", x), x.dim(1));
    case Step::conv_1x1:
      return relu_conv_norm(net, "1x1", x, {.filters = x.dim(1), .stride = stride});
    case Step::conv_3x3:
      return bottleneck(net, x, stride, false);
    case Step::conv_7x7:
      return bottleneck(net, x, stride, true);
    case Step::average_3x3:
      return net.average_pool("average", x, {.size = 3, .stride = stride});
    case Step::max_2x2:
      return net.max_pool("max", x, {.size = 2, .stride = stride});
    case Step::max_3x3:
      break;
  }
  return net.max_pool("max", x, {.size = 3, .stride = stride});
}

Value build_cell(Net& net, const Cell& cell, const Value& last, const Value& before,
                 std::int64_t filters, bool reduction) {
  std::vector<Value> tensors = {relu_conv_norm(net, "squeeze", last, {.filters = filters}),
                                fit_to(net, "fit", before, last, filters)};
  for (std::size_t i = 0; i < cell.edges.size(); i += 2) {
    const auto edge = [&](std::size_t number) {
      const auto [from, step] = cell.edges[number];
      const std::int64_t stride = reduction && from < 2 ? 2 : 1;
      return apply(net, fmt::format("edge_{}", number), step, tensors[from], stride);
    };
    const Value left = edge(i);
    const Value right = edge(i + 1);
    tensors.push_back(net.add(fmt::format("sum_{}", i / 2), left, right));
  }
  std::vector<Value> results;
  for (const std::size_t number : cell.results) results.push_back(tensors[number]);
  return net.concat("concat", results, 1);
}

Graph build_amoebanet(const Options& options, Mode mode) {
  if (options.integer("layers") % 3 != 0) {
    throw InputError(
        fmt::format("amoebanet: layers={} must be a multiple of 3, because its three stages have "
                    "the same number of cells",
                    options.integer("layers")));
  }
  const std::int64_t image = options.integer("image");
  const std::int64_t cells_a_stage = options.integer("layers") / 3;
  std::int64_t filters = options.integer("filters") / 4;
  Net net("amoebanet");
  Value last;
  {
    const Net::Scope scope(net, "stem", "stem");
    last = net.input("image", {options.integer("batch"), 3, image, image});
    last = net.conv("conv", last, {.filters = filters, .height = 3, .width = 3, .stride = 2});
    last = net.batch_norm("bn", last);
  }
  Value before = last;
  const auto add_cell = [&](const std::string& label, bool reduction) {
    const Net::Scope scope(net, label, label);
    if (reduction) filters *= 2;
    const Cell& cell = reduction ? reduction_cell() : normal_cell();
    Value made = build_cell(net, cell, last, before, filters, reduction);
    before = std::exchange(last, std::move(made));
  };
  add_cell("stem_cell_0", true);
  add_cell("stem_cell_1", true);
  for (int stage = 0; stage < 3; ++stage) {
    if (stage > 0) add_cell(fmt::format("reduction_{}", stage), true);
    for (std::int64_t cell = 0; cell < cells_a_stage; ++cell) {
      add_cell(fmt::format("stage_{}_cell_{}", stage + 1, cell), false);
    }
  }
  const Net::Scope scope(net, "head", "head");
  net.output(classifier(net, last, options.integer("classes")));
  return finish(net, options, mode);
}

}  // namespace

Workload amoebanet_workload() {
  using Type = OptionSpec::Type;
  return {
      .name = "amoebanet",
      .summary = "AmoebaNet-D (L, D), an image classifier of evolved cells, as GPipe scales it.",
      .options = with_common_options(
          {{"layers", Type::integer, "18", "Normal cells, a third of them in each stage.", 3, 3000},
           {"filters", Type::integer, "256", "Filters of the first stage.", 32, 65536},
           {"batch", Type::integer, "32", "Images per step.", 1, 65536},
           {"image", Type::integer, "224", "Height and width of the images.", 32, 4096},
           {"classes", Type::integer, "1000", "Number of classes.", 1, 1e6}}),
      .build = build_amoebanet,
      .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
