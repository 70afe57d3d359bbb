// zoo:layered, random networks of any size: ops in layers, each reading from one of the few layers
// before it. For tests of scale, for benchmarks and for training on graphs that are all different.
// Shapes match as in a real network (a sum has operands of one shape, a matrix product has weights
// for all it reads), so costs are realistic: a third of the ops has nearly all the work and nearly
// all the weights.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "graph/graph_builder.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

constexpr std::int64_t kElementBytes = 4;                               // f32
constexpr std::array<std::int64_t, 5> kFeatureParts = {8, 4, 4, 2, 1};  // the widest over these
constexpr std::int64_t kMostConcatenated = 2;  // times the widest, which concatenation may grow to
constexpr std::size_t kReach = 4;              // how many layers back an input may lie

class LayeredBuilder {
 public:
  LayeredBuilder(const Options& options)
      : random_(static_cast<std::uint64_t>(options.integer("seed"))),
        builder_("layered"),
        ops_(static_cast<std::size_t>(options.integer("ops"))),
        batch_(options.integer("batch")),
        widest_(options.integer("features")) {
    width_ = static_cast<std::size_t>(options.integer("width"));
    if (width_ == 0) {
      width_ = static_cast<std::size_t>(std::round(std::sqrt(static_cast<double>(ops_))));
    }
    features_.reserve(ops_);
    read_.reserve(ops_);
  }

  Graph build();

 private:
  void add_input_op();
  void add_inner_op(std::size_t layer);
  void choose_sources(std::size_t layer);
  void finish_op(OpId op, std::int64_t features, double flops);
  bool sources_agree() const;
  std::int64_t random_features() {
    return std::max<std::int64_t>(1, widest_ / kFeatureParts[random_.below(kFeatureParts.size())]);
  }

  Random random_;
  GraphBuilder builder_;
  std::size_t ops_, width_ = 0;
  std::int64_t batch_, widest_;
  std::vector<std::size_t> layer_begins_ = {0};
  std::vector<std::int64_t> features_;  // by op
  std::vector<std::uint8_t> read_;      // by op: whether any op reads it
  std::vector<OpId> sources_;           // of the op in hand
  std::string label_;                   // of the layer in hand
};

Graph LayeredBuilder::build() {
  for (std::size_t layer = 0; builder_.op_count() < ops_; ++layer) {
    // Layers differ in width by up to half, the way branches come and go.
    const double scale = 0.5 + random_.uniform();
    const auto width = std::max<std::size_t>(
        1, static_cast<std::size_t>(std::round(static_cast<double>(width_) * scale)));
    const std::size_t end = std::min(ops_, builder_.op_count() + width);
    label_ = fmt::format("layer{}", layer);
    while (builder_.op_count() < end) {
      if (layer == 0) {
        add_input_op();
      } else {
        add_inner_op(layer);
      }
    }
    layer_begins_.push_back(end);
  }
  for (std::size_t i = 0; i < ops_; ++i) {
    if (!read_[i]) builder_.add_graph_output({OpId(i), 0});
  }
  return std::move(builder_).build();
}

void LayeredBuilder::add_input_op() {
  const OpId op = builder_.add_op(fmt::format("input{}", builder_.op_count()), "Input");
  finish_op(op, random_features(), 0);
}

// One source from the layer right before, so that depth is what it seems; on average two in all.
void LayeredBuilder::choose_sources(std::size_t layer) {
  constexpr std::array<std::size_t, 4> kCounts = {1, 2, 2, 3};
  sources_.clear();
  const std::size_t count = kCounts[random_.below(kCounts.size())];
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t back =
        i == 0 ? 1 : 1 + random_.below(std::min(kReach, layer_begins_.size() - 1));
    const std::size_t begin = layer_begins_[layer - back];
    const std::size_t end = layer_begins_[layer - back + 1];
    const OpId source(begin + random_.below(end - begin));
    if (std::find(sources_.begin(), sources_.end(), source) == sources_.end()) {
      sources_.push_back(source);
    }
  }
}

bool LayeredBuilder::sources_agree() const {
  return std::all_of(sources_.begin(), sources_.end(), [&](OpId source) {
    return features_[source.index()] == features_[sources_.front().index()];
  });
}

void LayeredBuilder::add_inner_op(std::size_t layer) {
  choose_sources(layer);
  std::int64_t read = 0;
  for (const OpId source : sources_) read += features_[source.index()];
  const std::int64_t same = features_[sources_.front().index()];
  const auto elements = static_cast<double>(batch_ * same);

  std::string_view type;
  std::int64_t features = same;
  double flops = 0;
  std::int64_t param_bytes = 0;
  if (random_.chance(0.3) || (!sources_agree() && read > kMostConcatenated * widest_)) {
    type = "MatMul";
    features = random_features();
    flops = 2.0 * static_cast<double>(batch_) * static_cast<double>(read * features);
    param_bytes = read * features * kElementBytes;
  } else if (!sources_agree()) {
    type = "Concat";
    features = read;
  } else if (sources_.size() > 1) {
    type = random_.chance(0.7) ? "Add" : "Mul";
    flops = elements * static_cast<double>(sources_.size() - 1);
  } else {
    constexpr std::array<std::string_view, 4> kTypes = {"Relu", "Gelu", "LayerNorm", "Softmax"};
    const std::size_t kind = random_.below(kTypes.size());
    type = kTypes[kind];
    flops = elements * (kind == 0 ? 1 : 8);
    if (type == "LayerNorm") param_bytes = 2 * same * kElementBytes;
  }

  const OpId op = builder_.add_op(
      fmt::format("{}/{}{}", label_, type, builder_.op_count() - layer_begins_[layer]), type);
  builder_.set_param_bytes(op, param_bytes);
  for (const OpId source : sources_) {
    builder_.add_input(op, {source, 0});
    read_[source.index()] = 1;
  }
  finish_op(op, features, flops);
}

void LayeredBuilder::finish_op(OpId op, std::int64_t features, double flops) {
  const std::int64_t shape[] = {batch_, features};
  builder_.set_flops(op, flops);
  builder_.set_layer(op, label_);
  builder_.add_output(op, {.shape = shape, .dtype = DType::f32});
  features_.push_back(features);
  read_.push_back(0);
}

Graph build_layered(const Options& options, Mode) {
  return with_dtype(LayeredBuilder(options).build(), options);
}

}  // namespace

Workload layered_workload() {
  using Type = OptionSpec::Type;
  return {.name = "layered",
          .summary = "A random network in layers, of any size; the same in either mode.",
          .options = with_dtype_option(
              {{"ops", Type::integer, "1000", "Number of ops.", 1, 1e7},
               {"width", Type::integer, "0",
                "Ops per layer, on average; 0 is the square root of the number of ops.", 0, 1e7},
               {"batch", Type::integer, "64", "Samples per step.", 1, 1e6},
               {"features", Type::integer, "2048", "Features of the widest tensors.", 1, 1e6},
               {"seed", Type::integer, "0", "Seed of the network.", 0, 1e15}}),
          .build = build_layered};
}

}  // namespace berth::zoo
