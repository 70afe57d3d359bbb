// zoo:vit, the vision transformer (Dosovitskiy et al. 2021): patches of an image as words. With
// patches of 16 and 1,000 classes: 86,567,656 parameters at `base`, 304,326,632 at `large`.
#include <fmt/format.h>

#include <array>

#include "zoo/expert.h"
#include "zoo/transformer.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

struct Size {
  std::string_view name;
  std::int64_t layers, width, heads;
};
constexpr std::array<Size, 3> kSizes = {
    {{"base", 12, 768, 12}, {"large", 24, 1024, 16}, {"huge", 32, 1280, 16}}};
constexpr std::int64_t kClasses = 1000;

Value embed_patches(Net& net, const Size& size, std::int64_t batch, std::int64_t side,
                    std::int64_t patch) {
  const Net::Scope scope(net, "embedding", "embedding");
  const Value image = net.input("image", {batch, 3, side, side});
  const Value patches = net.conv("patches", image,
                                 {.filters = size.width,
                                  .height = patch,
                                  .width = patch,
                                  .stride = patch,
                                  .same = false,
                                  .bias = true});
  const std::int64_t count = patches.dim(2) * patches.dim(3);
  const Value flat = net.reshape("flat", patches, {batch, size.width, count});
  const Value words = net.transpose("words", flat, {0, 2, 1});
  const Value token = net.custom("Expand", "class_token", {net.weight("class", {1, 1, size.width})},
                                 {batch, 1, size.width}, 0);
  const Value all = net.concat("with_class", {token, words}, 1);
  return net.add("add_positions", all, net.weight("positions", {1, count + 1, size.width}));
}

Graph build_vit(const Options& options, Mode mode) {
  const std::string& wanted = options.text("size");
  const Size& size = *std::find_if(kSizes.begin(), kSizes.end(),
                                   [&](const Size& candidate) { return candidate.name == wanted; });
  const std::int64_t batch = options.integer("batch");
  Net net("vit");
  Value x = embed_patches(net, size, batch, options.integer("image"), options.integer("patch"));
  const Attention self{.heads = size.heads};
  for (std::int64_t layer = 0; layer < size.layers; ++layer) {
    const std::string label = fmt::format("layer_{}", layer);
    const Net::Scope scope(net, label, label);
    const Value normed = net.layer_norm("attention_norm", x);
    x = net.add("attention_residual", x, attention(net, "attention", normed, normed, self));
    const Value second = net.layer_norm("feed_forward_norm", x);
    const Value fed = feed_forward(net, "feed_forward", second, 4 * size.width, "Gelu");
    x = net.add("feed_forward_residual", x, fed);
  }
  const Net::Scope scope(net, "head", "head");
  x = net.slice("class", net.layer_norm("norm", x), 1, 1);
  net.output(net.linear("logits", net.reshape("class_row", x, {batch, size.width}), kClasses));
  return finish(net, options, mode);
}

}  // namespace

Workload vit_workload() {
  using Type = OptionSpec::Type;
  return {.name = "vit",
          .summary = "Vision transformer, base to huge.",
          .options = with_common_options(
              {{.name = "size",
                .type = Type::choice,
                .default_value = "base",
                .sentence = "12 layers of width 768, 24 of 1,024 or 32 of 1,280.",
                .choices = {"base", "large", "huge"}},
               {"batch", Type::integer, "64", "Images per step.", 1, 65536},
               {"image", Type::integer, "224", "Height and width of the images.", 32, 4096},
               {"patch", Type::integer, "16", "Height and width of a patch.", 4, 64}}),
          .build = build_vit,
          .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
