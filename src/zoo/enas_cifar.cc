// zoo:enas_cifar, networks of cells drawn at random from the micro search space of ENAS (Pham et
// al. 2018) for CIFAR-10, a family for learning to generalise as in Placeto's data sets: any seed
// another graph. A seed draws one normal and one reduction cell. Each node of a cell picks two of
// the tensors before it (the outputs of the two cells before, and the nodes so far) and for each an
// operation: separable convolution of 3x3 or 5x5, average or maximum of 3x3, or identity; it adds
// the two. What nobody picked is put together as the cell's output.
//
// Everything around the nodes, and the default sizes, are those of the network the authors train in
// the end (cifar10_micro_final.sh in their code): 15 normal cells and 2 reduction cells, 36
// filters, 5 nodes, batch 144. Without auxiliary classifier, dropout and dropped paths. The cells
// of that script come to 3.9 million parameters here; the paper gives 4.6 for its network. Placeto
// does not publish the sizes of its graphs.
#include <fmt/format.h>

#include <utility>

#include "base/random.h"
#include "zoo/convolutional.h"
#include "zoo/expert.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

enum class Step { separable_3x3, separable_5x5, average_3x3, max_3x3, identity };
constexpr std::uint64_t kSteps = 5;

struct Pick {
  std::size_t from;  // 0 and 1 are the cell before the last and the last, 2 the first node
  Step step;
};

using Cell = std::vector<Pick>;  // two per node

Cell draw_cell(std::int64_t nodes, Random& random) {
  Cell cell;
  for (std::size_t node = 0; node < static_cast<std::size_t>(nodes); ++node) {
    for (int side = 0; side < 2; ++side) {
      const std::size_t from = random.below(node + 2);
      cell.push_back({from, static_cast<Step>(random.below(kSteps))});
    }
  }
  return cell;
}

Value apply(Net& net, std::string_view name, Step step, const Value& x, std::int64_t stride) {
  const std::int64_t filters = x.dim(1);
  switch (step) {
    case Step::separable_3x3:
      return separable_conv(net, name, x, filters, 3, stride);
    case Step::separable_5x5:
      return separable_conv(net, name, x, filters, 5, stride);
    case Step::average_3x3:
      return net.average_pool(name, x, {.size = 3, .stride = stride});
    case Step::max_3x3:
      return net.max_pool(name, x, {.size = 3, .stride = stride});
    case Step::identity:
      break;
  }
  return stride == 1 ? x : factorized_reduction(net, name, x, filters);
}

Value build_cell(Net& net, const Cell& cell, const Value& before, const Value& last,
                 std::int64_t filters, std::int64_t stride) {
  // The last cell is projected twice where its channels differ, as in the authors' code.
  std::vector<Value> tensors = {
      fit_to(net, "fit_before", before, last, filters),
      relu_conv_norm(net, "squeeze", fit_to(net, "fit_last", last, last, filters),
                     {.filters = filters})};
  std::vector<char> picked(2 + cell.size() / 2, 0);
  for (std::size_t i = 0; i < cell.size(); i += 2) {
    const Net::Scope scope(net, fmt::format("node_{}", i / 2));
    const auto side = [&](std::string_view name, const Pick& pick) {
      picked[pick.from] = 1;
      return apply(net, name, pick.step, tensors[pick.from], pick.from < 2 ? stride : 1);
    };
    const Value left = side("left", cell[i]);
    const Value right = side("right", cell[i + 1]);
    tensors.push_back(net.add("add", left, right));
  }
  std::vector<Value> loose;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (picked[i]) continue;
    const bool large = stride > 1 && i < 2;
    loose.push_back(
        large ? factorized_reduction(net, fmt::format("shrink_{}", i), tensors[i], filters)
              : tensors[i]);
  }
  return loose.size() == 1 ? loose.front() : net.concat("concat", loose, 1);
}

Graph build_enas_cifar(const Options& options, Mode mode) {
  const std::int64_t layers = options.integer("layers");
  std::int64_t filters = options.integer("filters");
  Random random(static_cast<std::uint64_t>(options.integer("seed")));
  const Cell normal = draw_cell(options.integer("nodes"), random);
  const Cell reduction = draw_cell(options.integer("nodes"), random);

  Net net("enas_cifar");
  Value last;
  {
    const Net::Scope scope(net, "stem", "stem");
    last = net.input("image", {options.integer("batch"), 3, 32, 32});
    last = net.conv("conv", last, {.filters = 3 * filters, .height = 3, .width = 3});
    last = net.batch_norm("bn", last);
  }
  Value before = last;
  for (std::int64_t layer = 0; layer < layers + 2; ++layer) {
    const bool reduces = layer == layers / 3 || layer == 2 * (layers / 3) + 1;
    const std::string label = fmt::format("{}_{}", reduces ? "reduction" : "normal", layer);
    const Net::Scope scope(net, label, label);
    if (reduces) filters *= 2;
    Value made =
        build_cell(net, reduces ? reduction : normal, before, last, filters, reduces ? 2 : 1);
    before = std::exchange(last, std::move(made));
  }
  const Net::Scope scope(net, "head", "head");
  net.output(classifier(net, net.relu("relu", last), 10, /*bias=*/false));
  return finish(net, options, mode);
}

}  // namespace

Workload enas_cifar_workload() {
  using Type = OptionSpec::Type;
  return {.name = "enas_cifar",
          .summary = "A random image classifier of the ENAS search space, one per seed.",
          .options = with_common_options(
              {{"seed", Type::integer, "0", "Seed of the cells.", 0, 1e15},
               {"layers", Type::integer, "15",
                "Normal cells; there are two reduction cells as well.", 1, 1000},
               {"filters", Type::integer, "36", "Filters of the first cells.", 2, 65536},
               {"nodes", Type::integer, "5", "Nodes per cell.", 1, 200},
               {"batch", Type::integer, "144", "Images per step.", 1, 65536}}),
          .build = build_enas_cifar,
          .expert = one_gpu};
}

}  // namespace berth::zoo
