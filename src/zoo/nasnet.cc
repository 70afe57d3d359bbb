// zoo:nasnet, NASNet-A of Zoph et al. 2017 ("Learning Transferable Architectures for Scalable Image
// Recognition"): two kinds of cells found by search on CIFAR-10, stacked for ImageNet. `large` is
// the paper's (6 @ 4032), 6 normal cells per stage and 4032 channels at the end, `mobile` (4 @
// 1056).
//
// Cells and stem are those of the released weights (TF-Slim, Keras), where they differ from the
// paper's drawing. In `large` the cell behind a reduction takes as its second input not the input
// of the reduction but the one before, as released too. Without auxiliary classifier and without
// dropped paths. Placeto placed NASNet without saying which; the default is `large`, with batch
// 8, which one GPU of 12 GB holds as Placeto's did.
#include <fmt/format.h>

#include <optional>

#include "base/error.h"
#include "zoo/convolutional.h"
#include "zoo/expert.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

struct Size {
  std::int64_t cells;     // normal ones per stage
  std::int64_t filters;   // of a branch in the first stage; 24 times as many channels at the end
  std::int64_t stem;      // filters of the first convolution
  std::int64_t image;     // published height and width
  bool skips_reductions;  // as second inputs
};
constexpr Size kLarge{6, 4032 / 24, 96, 331, true};
constexpr Size kMobile{4, 1056 / 24, 32, 224, false};

// The outputs of the last cell and of the one before, the inputs of the next.
struct Cells {
  Value last;
  std::optional<Value> before;  // none in front of the first cell
};

// The second input of a cell. The first cell has none, and reads its only input twice, unfitted.
Value second_input(Net& net, const Cells& cells, std::int64_t filters) {
  if (!cells.before) return cells.last;
  return fit_to(net, "fit", *cells.before, cells.last, filters);
}

Value average(Net& net, std::string_view name, const Value& x, std::int64_t stride) {
  return net.average_pool(name, x, {.size = 3, .stride = stride});
}

Value maximum(Net& net, std::string_view name, const Value& x) {
  return net.max_pool(name, x, {.size = 3, .stride = 2});
}

Value normal_cell(Net& net, const Cells& cells, std::int64_t filters) {
  const Value p = second_input(net, cells, filters);
  const Value h = relu_conv_norm(net, "squeeze", cells.last, {.filters = filters});
  const auto separable = [&](std::string_view name, const Value& x, std::int64_t size) {
    return separable_conv(net, name, x, filters, size, 1);
  };
  const Value x1 = net.add("add_1", separable("left_1", h, 5), separable("right_1", p, 3));
  const Value x2 = net.add("add_2", separable("left_2", p, 5), separable("right_2", p, 3));
  const Value x3 = net.add("add_3", average(net, "left_3", h, 1), p);
  const Value x4 = net.add("add_4", average(net, "left_4", p, 1), average(net, "right_4", p, 1));
  const Value x5 = net.add("add_5", separable("left_5", h, 3), h);
  return net.concat("concat", {p, x1, x2, x3, x4, x5}, 1);
}

Value reduction_cell(Net& net, const Cells& cells, std::int64_t filters) {
  const Value p = second_input(net, cells, filters);
  const Value h = relu_conv_norm(net, "squeeze", cells.last, {.filters = filters});
  const auto shrunk = [&](std::string_view name, const Value& x, std::int64_t size) {
    return separable_conv(net, name, x, filters, size, 2);
  };
  const Value x1 = net.add("add_1", shrunk("left_1", h, 5), shrunk("right_1", p, 7));
  const Value x2 = net.add("add_2", maximum(net, "left_2", h), shrunk("right_2", p, 7));
  const Value x3 = net.add("add_3", average(net, "left_3", h, 2), shrunk("right_3", p, 5));
  const Value x4 = net.add("add_4", average(net, "left_4", x1, 1), x2);
  const Value x5 = net.add("add_5", separable_conv(net, "left_5", x1, filters, 3, 1),
                           maximum(net, "right_5", h));
  return net.concat("concat", {x2, x3, x4, x5}, 1);
}

Cells stem(Net& net, const Size& size, std::int64_t batch, std::int64_t image) {
  Value x;
  {
    const Net::Scope scope(net, "stem", "stem");
    x = net.input("image", {batch, 3, image, image});
    x = net.conv("conv", x,
                 {.filters = size.stem, .height = 3, .width = 3, .stride = 2, .same = false});
    x = net.batch_norm("bn", x);
  }
  Cells cells{x, std::nullopt};
  for (const std::int64_t divisor : {4, 2}) {
    const std::string label = divisor == 4 ? "stem_cell_0" : "stem_cell_1";
    const Net::Scope scope(net, label, label);
    const Value reduced = reduction_cell(net, cells, size.filters / divisor);
    cells = {reduced, cells.last};
  }
  return cells;
}

Graph build_nasnet(const Options& options, Mode mode) {
  const Size size = options.text("size") == "large" ? kLarge : kMobile;
  const std::int64_t image = options.integer("image") > 0 ? options.integer("image") : size.image;
  if (image < 32) {
    throw InputError(fmt::format(
        "nasnet: image={} must be at least 32, because the images are halved five times", image));
  }
  Net net("nasnet_" + options.text("size"));
  Cells cells = stem(net, size, options.integer("batch"), image);
  std::int64_t filters = size.filters;
  for (int stage = 0; stage < 3; ++stage, filters *= 2) {
    if (stage > 0) {
      const std::string label = fmt::format("reduction_{}", stage);
      const Net::Scope scope(net, label, label);
      const Value reduced = reduction_cell(net, cells, filters);
      cells = {reduced, size.skips_reductions ? cells.before : cells.last};
    }
    for (std::int64_t cell = 0; cell < size.cells; ++cell) {
      const std::string label = fmt::format("stage_{}_cell_{}", stage + 1, cell);
      const Net::Scope scope(net, label, label);
      const Value made = normal_cell(net, cells, filters);
      cells = {made, cells.last};
    }
  }
  const Net::Scope scope(net, "head", "head");
  net.output(classifier(net, net.relu("relu", cells.last), options.integer("classes")));
  return finish(net, options, mode);
}

}  // namespace

Workload nasnet_workload() {
  using Type = OptionSpec::Type;
  return {.name = "nasnet",
          .summary = "NASNet-A, an image classifier of cells found by search.",
          .options = with_common_options(
              {{.name = "size",
                .type = Type::choice,
                .default_value = "large",
                .sentence = "Which of the published networks.",
                .choices = {"large", "mobile"}},
               {"batch", Type::integer, "8", "Images per step.", 1, 65536},
               {"image", Type::integer, "0",
                "Height and width of the images; 0 for the published 331 (large) or 224 (mobile).",
                0, 4096},
               {"classes", Type::integer, "1000", "Number of classes.", 1, 1e6}}),
          .build = build_nasnet,
          .expert = one_gpu};
}

}  // namespace berth::zoo
