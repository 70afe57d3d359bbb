// zoo:resnet, the residual networks of bottleneck blocks of He et al. 2015 ("Deep Residual Learning
// for Image Recognition") with 50, 101 or 152 layers.
//
// As torchvision builds them, so that the parameters can be compared: a stage shrinks the image in
// the 3x3 of its first block (the paper in the 1x1 before it, which changes no parameter and a few
// percent of the work). HDP placed 152 layers with batch 128; the default is 50 layers and batch
// 32.
#include <fmt/format.h>

#include "zoo/convolutional.h"
#include "zoo/expert.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

constexpr std::int64_t kExpansion = 4;  // channels out of a block, in widths of its 3x3

std::vector<int> blocks_a_stage(const std::string& layers) {
  if (layers == "50") return {3, 4, 6, 3};
  if (layers == "101") return {3, 4, 23, 3};
  return {3, 8, 36, 3};
}

Value bottleneck(Net& net, const Value& x, std::int64_t width, std::int64_t stride) {
  const std::int64_t filters = kExpansion * width;
  Value inner = conv_norm_relu(net, "reduce", x, {.filters = width});
  inner = conv_norm_relu(net, "middle", inner,
                         {.filters = width, .height = 3, .width = 3, .stride = stride});
  inner = net.batch_norm("expand_bn", net.conv("expand", inner, {.filters = filters}));
  Value shortcut = x;
  if (stride != 1 || x.dim(1) != filters) {
    shortcut = net.conv("shortcut", x, {.filters = filters, .stride = stride});
    shortcut = net.batch_norm("shortcut_bn", shortcut);
  }
  return net.relu("relu", net.add("add", inner, shortcut));
}

Graph build_resnet(const Options& options, Mode mode) {
  const std::int64_t size = options.integer("image");
  Net net("resnet" + options.text("layers"));
  Value x;
  {
    const Net::Scope scope(net, "stem", "stem");
    x = net.input("image", {options.integer("batch"), 3, size, size});
    x = conv_norm_relu(net, "conv", x, {.filters = 64, .height = 7, .width = 7, .stride = 2});
    x = net.max_pool("pool", x, {.size = 3, .stride = 2});
  }
  std::int64_t width = 64;
  const std::vector<int> stages = blocks_a_stage(options.text("layers"));
  for (std::size_t stage = 0; stage < stages.size(); ++stage, width *= 2) {
    for (int block = 0; block < stages[stage]; ++block) {
      const std::string label = fmt::format("stage_{}_block_{}", stage + 1, block);
      const Net::Scope scope(net, label, label);
      x = bottleneck(net, x, width, stage > 0 && block == 0 ? 2 : 1);
    }
  }
  const Net::Scope scope(net, "head", "head");
  net.output(classifier(net, x, options.integer("classes")));
  return finish(net, options, mode);
}

}  // namespace

Workload resnet_workload() {
  using Type = OptionSpec::Type;
  return {.name = "resnet",
          .summary = "ResNet of 50, 101 or 152 layers, an image classifier of bottleneck blocks.",
          .options = with_common_options(
              {{.name = "layers",
                .type = Type::choice,
                .default_value = "50",
                .sentence = "Which of the published networks.",
                .choices = {"50", "101", "152"}},
               {"batch", Type::integer, "32", "Images per step.", 1, 65536},
               {"image", Type::integer, "224", "Height and width of the images.", 32, 4096},
               {"classes", Type::integer, "1000", "Number of classes.", 1, 1e6}}),
          .build = build_resnet,
          .expert = one_gpu};
}

}  // namespace berth::zoo
