// zoo:inception_v3, the image classifier of Szegedy et al. 2015 ("Rethinking the Inception
// Architecture for Computer Vision") that every placement paper measures: a stem, eleven blocks
// ("mixed") of parallel branches, and a classifier.
//
// The paper's figures leave some widths open; the blocks here are those of the released network, as
// in TF-Slim and Keras: convolutions without bias, batch normalization with a shift but no scale
// (a scale before a relu is absorbed by the next convolution). The auxiliary classifier is left
// out, as in Keras. The batches of the placement papers are 32 (ColocRL) and 1 (HDP, Mars); the
// default here is 32.
#include <fmt/format.h>

#include "zoo/convolutional.h"
#include "zoo/expert.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

// Writes the branches of one block; every method adds one.
class Branches {
 public:
  Branches(Net& net, const Value& x) : net_(net), x_(x) {}

  Value conv(std::string_view name, const Value& x, const Net::Conv& options) const {
    const Net::Scope scope(net_, name);
    const Value sums = net_.conv("conv", x, options);
    return net_.relu("relu", net_.batch_norm("bn", sums, /*scale=*/false));
  }

  // Convolutions one behind another.
  Value chain(std::string_view name, const std::vector<Net::Conv>& convolutions) {
    const Net::Scope scope(net_, name);
    Value result = x_;
    for (std::size_t i = 0; i < convolutions.size(); ++i) {
      result = conv(fmt::format("{}", i), result, convolutions[i]);
    }
    parts_.push_back(result);
    return result;
  }

  // The same, ending in a 1x3 and a 3x1 side by side.
  void fork(std::string_view name, const std::vector<Net::Conv>& convolutions) {
    const Value stem = chain(name, convolutions);
    const Net::Scope scope(net_, name);
    parts_.back() = net_.concat("concat",
                                {conv("1x3", stem, {.filters = 384, .height = 1, .width = 3}),
                                 conv("3x1", stem, {.filters = 384, .height = 3, .width = 1})},
                                1);
  }

  void average_pool(std::int64_t filters) {
    const Net::Scope scope(net_, "pool");
    const Value pooled = net_.average_pool("average", x_, {.size = 3, .stride = 1});
    parts_.push_back(conv("project", pooled, {.filters = filters}));
  }

  void max_pool() {
    parts_.push_back(net_.max_pool("pool", x_, {.size = 3, .stride = 2, .same = false}));
  }

  Value joined() const { return net_.concat("concat", parts_, 1); }

 private:
  Net& net_;
  Value x_;
  std::vector<Value> parts_;
};

Net::Conv square(std::int64_t filters, std::int64_t size) {
  return {.filters = filters, .height = size, .width = size};
}
Net::Conv wide(std::int64_t filters) { return {.filters = filters, .height = 1, .width = 7}; }
Net::Conv high(std::int64_t filters) { return {.filters = filters, .height = 7, .width = 1}; }
// What shrinks the image: 3x3 of stride 2, not padded.
Net::Conv shrink(std::int64_t filters) {
  return {.filters = filters, .height = 3, .width = 3, .stride = 2, .same = false};
}

Value stem(Net& net, const Value& image) {
  const Branches layers(net, image);
  Value x = layers.conv("0", image, shrink(32));
  x = layers.conv("1", x, {.filters = 32, .height = 3, .width = 3, .same = false});
  x = layers.conv("2", x, square(64, 3));
  x = net.max_pool("pool_0", x, {.size = 3, .stride = 2, .same = false});
  x = layers.conv("3", x, square(80, 1));
  x = layers.conv("4", x, {.filters = 192, .height = 3, .width = 3, .same = false});
  return net.max_pool("pool_1", x, {.size = 3, .stride = 2, .same = false});
}

// 35x35 of 256 and 288 channels.
void fine(Branches& branches, std::int64_t pooled) {
  branches.chain("1x1", {square(64, 1)});
  branches.chain("5x5", {square(48, 1), square(64, 5)});
  branches.chain("3x3", {square(64, 1), square(96, 3), square(96, 3)});
  branches.average_pool(pooled);
}

void fine_to_middle(Branches& branches) {
  branches.chain("3x3", {shrink(384)});
  branches.chain("3x3_twice", {square(64, 1), square(96, 3), shrink(96)});
  branches.max_pool();
}

// 17x17 of 768 channels; `filters` inside the branches of 7x7 taken apart.
void middle(Branches& branches, std::int64_t filters) {
  branches.chain("1x1", {square(192, 1)});
  branches.chain("7x7", {square(filters, 1), wide(filters), high(192)});
  branches.chain("7x7_twice",
                 {square(filters, 1), high(filters), wide(filters), high(filters), wide(192)});
  branches.average_pool(192);
}

void middle_to_coarse(Branches& branches) {
  branches.chain("3x3", {square(192, 1), shrink(320)});
  branches.chain("7x7_3x3", {square(192, 1), wide(192), high(192), shrink(192)});
  branches.max_pool();
}

// 8x8 of 2048 channels.
void coarse(Branches& branches) {
  branches.chain("1x1", {square(320, 1)});
  branches.fork("3x3", {square(384, 1)});
  branches.fork("3x3_twice", {square(448, 1), square(384, 3)});
  branches.average_pool(192);
}

void mixed(Branches& branches, int block) {
  constexpr std::int64_t kPooled[] = {32, 64, 64};
  constexpr std::int64_t kMiddle[] = {128, 160, 160, 192};
  if (block < 3) return fine(branches, kPooled[block]);
  if (block == 3) return fine_to_middle(branches);
  if (block < 8) return middle(branches, kMiddle[block - 4]);
  if (block == 8) return middle_to_coarse(branches);
  coarse(branches);
}

Graph build_inception_v3(const Options& options, Mode mode) {
  const std::int64_t size = options.integer("image");
  Net net("inception_v3");
  Value x;
  {
    const Net::Scope scope(net, "stem", "stem");
    x = stem(net, net.input("image", {options.integer("batch"), 3, size, size}));
  }
  for (int block = 0; block < 11; ++block) {
    const std::string label = fmt::format("mixed_{}", block);
    const Net::Scope scope(net, label, label);
    Branches branches(net, x);
    mixed(branches, block);
    x = branches.joined();
  }
  const Net::Scope scope(net, "head", "head");
  net.output(classifier(net, x, options.integer("classes")));
  return finish(net, options, mode);
}

}  // namespace

Workload inception_v3_workload() {
  using Type = OptionSpec::Type;
  return {.name = "inception_v3",
          .summary = "Inception-V3, an image classifier of parallel branches of convolutions.",
          .options = with_common_options(
              {{"batch", Type::integer, "32", "Images per step.", 1, 65536},
               {"image", Type::integer, "299", "Height and width of the images.", 75, 4096},
               {"classes", Type::integer, "1000", "Number of classes.", 1, 1e6}}),
          .build = build_inception_v3,
          .expert = one_gpu};
}

}  // namespace berth::zoo
