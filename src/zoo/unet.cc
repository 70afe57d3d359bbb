// zoo:unet, the denoiser of Stable Diffusion v1 (Rombach et al. 2021, "High-Resolution Image
// Synthesis with Latent Diffusion Models"): a U-Net over latents of 64x64x4 with four levels of
// 320, 640, 1280 and 1280 channels. Each level has two residual blocks going down and three going
// up, which read what the way down left behind; at the upper three levels a spatial transformer
// follows each, with attention to itself and to the 77 x 768 tokens of the text.
//
// As released (openaimodel.py of CompVis/stable-diffusion, v1-inference.yaml), to the last
// parameter. The autoencoder and the text encoder are not part of it: latents, tokens and the
// sinusoids of the time step are inputs. Attention is written out, with its scores in memory, as
// that code does. Batch 4 is what each GPU had in the published training. In training the loss
// stands for the mean squared error, which costs as little.
#include <fmt/format.h>

#include "base/error.h"
#include "zoo/expert.h"
#include "zoo/transformer.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

constexpr std::int64_t kLevels = 4;
constexpr std::int64_t kMultiples[kLevels] = {1, 2, 4, 4};
constexpr std::int64_t kHeads = 8;
constexpr std::int64_t kTokens = 77;
constexpr std::int64_t kTokenWidth = 768;

class Unet {
 public:
  Unet(Net& net, std::int64_t width) : net_(net), width_(width) {}

  Value build(std::int64_t batch, std::int64_t resolution);

 private:
  Value conv3(std::string_view name, const Value& x, std::int64_t filters, std::int64_t stride = 1);
  Value norm_swish_conv(std::string_view name, const Value& x, std::int64_t filters);
  Value residual_block(const Value& x, std::int64_t filters);
  Value transformer_block(const Value& x);
  Value spatial_transformer(const Value& x);
  Value block(const std::string& label, const Value& x, std::int64_t level);
  void embed_time(std::int64_t batch);
  Value go_down(Value x);
  Value go_up(Value x);

  Net& net_;
  std::int64_t width_;
  Value time_;                // [batch, 4 width]
  Value tokens_;              // [batch, 77, 768]
  std::vector<Value> skips_;  // what the way down left behind, last first to be read
};

Value Unet::conv3(std::string_view name, const Value& x, std::int64_t filters,
                  std::int64_t stride) {
  return net_.conv(name, x,
                   {.filters = filters, .height = 3, .width = 3, .stride = stride, .bias = true});
}

Value Unet::norm_swish_conv(std::string_view name, const Value& x, std::int64_t filters) {
  const Net::Scope scope(net_, name);
  return conv3("conv", net_.unary("Swish", "swish", net_.group_norm("norm", x)), filters);
}

// The time step is added between the two convolutions.
Value Unet::residual_block(const Value& x, std::int64_t filters) {
  const Net::Scope scope(net_, "residual");
  Value inner = norm_swish_conv("first", x, filters);
  const Value time = net_.linear("time", net_.unary("Swish", "time_swish", time_), filters);
  inner = net_.add("add_time", inner, net_.reshape("spread", time, {time.dim(0), filters, 1, 1}));
  inner = norm_swish_conv("second", inner, filters);
  const Value shortcut =
      x.dim(1) == filters ? x : net_.conv("shortcut", x, {.filters = filters, .bias = true});
  return net_.add("add", shortcut, inner);
}

// Over [batch, pixels, channels]: to itself, to the text, and a gated feed-forward block.
Value Unet::transformer_block(const Value& x) {
  const Attention heads{.heads = kHeads, .bias = false, .output_bias = true};
  const Value own = net_.layer_norm("self_norm", x);
  Value sum = net_.add("self_add", attention(net_, "self", own, own, heads), x);
  const Value asking = net_.layer_norm("text_norm", sum);
  sum = net_.add("text_add", attention(net_, "text", asking, tokens_, heads), sum);
  const Value hidden =
      net_.linear("expand", net_.layer_norm("feed_forward_norm", sum), 8 * x.dim(-1));
  const std::vector<Value> halves = net_.split("split", hidden, 2, -1);
  const Value gated = net_.mul("gated", halves[0], net_.unary("Gelu", "gelu", halves[1]));
  return net_.add("feed_forward_add", net_.linear("contract", gated, x.dim(-1)), sum);
}

Value Unet::spatial_transformer(const Value& x) {
  const Net::Scope scope(net_, "transformer");
  const std::int64_t filters = x.dim(1);
  const std::int64_t pixels = x.dim(2) * x.dim(3);
  Value inner = net_.conv("into", net_.group_norm("norm", x), {.filters = filters, .bias = true});
  inner =
      net_.transpose("pixels", net_.reshape("flat", inner, {x.dim(0), filters, pixels}), {0, 2, 1});
  inner = net_.transpose("channels", transformer_block(inner), {0, 2, 1});
  inner = net_.conv("out_of", net_.reshape("image", inner, x.shape),
                    {.filters = filters, .bias = true});
  return net_.add("add", inner, x);
}

Value Unet::block(const std::string& label, const Value& x, std::int64_t level) {
  const Net::Scope scope(net_, label, label);
  const bool attends = level + 1 < kLevels;
  const Value result = residual_block(x, width_ * kMultiples[level]);
  return attends ? spatial_transformer(result) : result;
}

void Unet::embed_time(std::int64_t batch) {
  const Net::Scope scope(net_, "time", "time");
  const Value sinusoids = net_.input("sinusoids", {batch, width_});
  const Value hidden = net_.unary("Swish", "swish", net_.linear("first", sinusoids, 4 * width_));
  time_ = net_.linear("second", hidden, 4 * width_);
}

Value Unet::go_down(Value x) {
  for (std::int64_t level = 0; level < kLevels; ++level) {
    for (int i = 0; i < 2; ++i) {
      x = block(fmt::format("down_{}_{}", level, i), x, level);
      skips_.push_back(x);
    }
    if (level + 1 == kLevels) break;
    const std::string label = fmt::format("down_{}_shrink", level);
    const Net::Scope scope(net_, label, label);
    x = conv3("shrink", x, x.dim(1), 2);
    skips_.push_back(x);
  }
  return x;
}

Value Unet::go_up(Value x) {
  for (std::int64_t level = kLevels - 1; level >= 0; --level) {
    for (int i = 0; i < 3; ++i) {
      const std::string label = fmt::format("up_{}_{}", level, i);
      {
        const Net::Scope scope(net_, label, label);
        x = net_.concat("concat", {x, skips_.back()}, 1);
      }
      skips_.pop_back();
      x = block(label, x, level);
    }
    if (level == 0) break;
    const std::string label = fmt::format("up_{}_grow", level);
    const Net::Scope scope(net_, label, label);
    x = conv3("conv", net_.upsample("upsample", x, 2), x.dim(1));
  }
  return x;
}

Value Unet::build(std::int64_t batch, std::int64_t resolution) {
  embed_time(batch);
  Value x;
  {
    const Net::Scope scope(net_, "input", "input");
    tokens_ = net_.input("tokens", {batch, kTokens, kTokenWidth});
    x = net_.input("latents", {batch, 4, resolution, resolution});
    x = conv3("conv", x, width_);
    skips_.push_back(x);
  }
  x = go_down(x);
  {
    const Net::Scope scope(net_, "middle", "middle");
    {
      const Net::Scope before(net_, "before");
      x = residual_block(x, x.dim(1));
    }
    x = spatial_transformer(x);
    const Net::Scope after(net_, "after");
    x = residual_block(x, x.dim(1));
  }
  x = go_up(x);
  const Net::Scope scope(net_, "output", "output");
  return norm_swish_conv("noise", x, 4);
}

Graph build_unet(const Options& options, Mode mode) {
  const std::int64_t resolution = options.integer("resolution");
  const std::int64_t width = options.integer("width");
  if (resolution % 8 != 0) {
    throw InputError(fmt::format(
        "unet: resolution={} must be a multiple of 8, because the latents are halved three times",
        resolution));
  }
  if (width % 32 != 0) {
    throw InputError(fmt::format(
        "unet: width={} must be a multiple of 32, the number of groups of its normalization",
        width));
  }
  Net net("unet");
  net.output(Unet(net, width).build(options.integer("batch"), resolution));
  return finish(net, options, mode);
}

}  // namespace

Workload unet_workload() {
  using Type = OptionSpec::Type;
  return {
      .name = "unet",
      .summary = "The U-Net of Stable Diffusion v1: convolutions, attention and skip connections.",
      .options = with_common_options(
          {{"width", Type::integer, "320", "Channels of the top level.", 32, 65536},
           {"batch", Type::integer, "4", "Images per step.", 1, 65536},
           {"resolution", Type::integer, "64", "Height and width of the latents.", 8, 4096}}),
      .build = build_unet,
      .expert = split_layers_over_gpus};
}

}  // namespace berth::zoo
