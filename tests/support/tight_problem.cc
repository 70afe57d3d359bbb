#include "support/tight_problem.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/random.h"
#include "graph/graph_builder.h"

namespace berth {
namespace {

constexpr double kBandwidth = 1e10;
constexpr double kUsualBytes = 1e6;
constexpr std::int64_t kLeastBlocksOfDevice = 25;

enum class Shape { chains, layers, random };

// The choices of one problem. Blocks (a forward op, and what is colocated with it) belong to parts;
// a part is planted on one device. Blocks of the parts of one window are added in a random order,
// so that neither the order of ops nor their depth tells the parts. Windows follow one another: a
// plan that keeps each device busy with one part at a time needs the memory of one part's
// activations.
struct Recipe {
  Shape shape = Shape::chains;
  bool training = false;
  std::size_t devices = 4;
  std::size_t blocks = 100;
  std::size_t windows = 1;
  double spread = 10;          // largest size / smallest
  double activations = 0.5;    // bytes of an output / bytes of parameters, on average
  double kept = 0.5;           // of the outputs of a forward pass
  double crossing = 0.1;       // of the reads: from any part
  std::vector<double> shares;  // of the blocks, by device
};

Recipe random_recipe(Random& random, const TightSize& size) {
  Recipe recipe;
  recipe.shape = static_cast<Shape>(random.below(3));
  recipe.training = random.chance(0.9);
  recipe.devices = static_cast<std::size_t>(random.between(4, size.most_devices));
  const auto least = kLeastBlocksOfDevice * static_cast<std::int64_t>(recipe.devices);
  recipe.blocks = static_cast<std::size_t>(random.between(least, size.most_groups));
  if (recipe.training) recipe.windows = static_cast<std::size_t>(random.between(2, 4));
  recipe.spread = 4 + 26 * random.uniform();
  recipe.activations = 0.5 + 3.5 * random.uniform();
  recipe.kept = 0.3 + 0.7 * random.uniform();
  recipe.crossing = 0.02 + 0.13 * random.uniform();
  const bool unequal = random.chance(0.5);
  for (std::size_t d = 0; d < recipe.devices; ++d) {
    recipe.shares.push_back(unequal ? 1 + random.uniform() : 1.0);
  }
  return recipe;
}

class Maker {
 public:
  Maker(Random& random, const Recipe& recipe) : random_(random), recipe_(recipe) {}

  PlantedProblem make() {
    deal_blocks();
    for (std::size_t window = 0; window < recipe_.windows; ++window) add_window(window);
    mark_kept();
    Graph graph = std::move(builder_).build();
    const Plan plan = planted_plan();
    const std::vector<double> filled(recipe_.devices, kTightFill);
    return plant(std::make_shared<const Graph>(std::move(graph)), cluster(), {}, plan, filled);
  }

 private:
  struct Block {
    std::vector<OpId> ops;
    TensorRef output;
    std::vector<std::size_t> reads;  // blocks
  };

  std::int64_t uneven_bytes(double mean) {
    const double factor = std::exp(std::log(recipe_.spread) * (random_.uniform() - 0.5));
    return static_cast<std::int64_t>(std::llround(mean * factor));
  }

  OpId add_op(const std::string& name, std::size_t block) {
    const OpId op = builder_.add_op(name, "MatMul");
    builder_.add_seconds(op, "gpu", 1e-4 * (0.2 + 2 * random_.uniform()));
    blocks_[block].ops.push_back(op);
    return op;
  }

  // The device of every block, by the shares of the devices in each window.
  void deal_blocks() {
    double total = 0;
    for (const double share : recipe_.shares) total += share;
    for (std::size_t window = 0; window < recipe_.windows; ++window) {
      begins_.push_back(devices_.size());
      double end = static_cast<double>(devices_.size());
      for (std::size_t d = 0; d < recipe_.devices; ++d) {
        end += recipe_.shares[d] / total * static_cast<double>(recipe_.blocks) /
               static_cast<double>(recipe_.windows);
        while (static_cast<double>(devices_.size()) < end - 0.5) devices_.push_back(d);
      }
      random_.shuffle(std::span(devices_).subspan(begins_.back()));
    }
    begins_.push_back(devices_.size());
  }

  // One to three of the blocks before, the latest of which are nearest; mostly of the same part.
  std::vector<std::size_t> choose_reads(std::size_t block, std::size_t begin) {
    std::vector<std::size_t> own;
    for (std::size_t other = begin; other < block; ++other) {
      if (devices_[other] == devices_[block]) own.push_back(other);
    }
    const auto latest = [&](std::size_t count, std::size_t window) {
      return count - 1 - random_.below(std::min(count, window));
    };
    std::size_t window = 1;
    std::uint64_t count = 1;
    if (recipe_.shape == Shape::layers) {
      window = 4;
      count = 1 + random_.below(2);
    } else if (recipe_.shape == Shape::random) {
      window = 15;
      count = random_.below(4);
    } else if (random_.chance(0.1)) {
      window = 8;
      count = 2;
    }
    std::vector<std::size_t> reads;
    for (; count > 0 && block > begin; --count) {
      if (random_.chance(recipe_.crossing)) {
        reads.push_back(begin + latest(block - begin, 30));
      } else if (!own.empty()) {
        reads.push_back(own[latest(own.size(), window)]);
      }
    }
    std::sort(reads.begin(), reads.end());
    reads.erase(std::unique(reads.begin(), reads.end()), reads.end());
    return reads;
  }

  // Nothing of a window begins before all of the last one has ended.
  void add_window(std::size_t window) {
    const std::size_t begin = begins_[window];
    const std::size_t end = begins_[window + 1];
    for (std::size_t block = begin; block < end; ++block) add_forward(block, begin);
    if (recipe_.training) add_gradients(begin, end);
    for (std::size_t block = begin; block < end; ++block) {
      if (!blocks_[block].reads.empty()) continue;
      for (const OpId last : last_of_window_) builder_.add_after(blocks_[block].ops.front(), last);
    }
    last_of_window_.clear();
    for (std::size_t block = begin; block < end; ++block) {
      if (blocks_[block].reads.empty()) last_of_window_.push_back(blocks_[block].ops.back());
    }
  }

  void add_forward(std::size_t block, std::size_t begin) {
    blocks_.emplace_back();
    const std::string name = "block" + std::to_string(block);
    // A block of several ops holds together by its label.
    const bool several = recipe_.training || random_.chance(0.15);
    const OpId op = add_op(name, block);
    if (several) builder_.set_colocation(op, name);
    builder_.set_param_bytes(op, uneven_bytes(kUsualBytes));
    if (random_.chance(0.1)) builder_.set_temp_bytes(op, uneven_bytes(0.1 * kUsualBytes));
    blocks_[block].reads = choose_reads(block, begin);
    for (const std::size_t read : blocks_[block].reads) {
      builder_.add_input(op, blocks_[read].output);
    }
    const std::int64_t bytes = uneven_bytes(recipe_.activations * kUsualBytes);
    blocks_[block].output = builder_.add_output(op, {.bytes = bytes});
    if (!several || recipe_.training) return;
    const OpId second = add_op(name + "/second", block);
    builder_.set_colocation(second, name);
    builder_.add_input(second, blocks_[block].output);
    blocks_[block].output = builder_.add_output(second, {.bytes = bytes / 2});
  }

  // Backwards; reads what its block read and made, and the gradients of the blocks that read it.
  void add_gradients(std::size_t begin, std::size_t end) {
    std::vector<std::vector<TensorRef>> arriving(end);
    for (std::size_t block = end; block-- > begin;) {
      const std::string name = "block" + std::to_string(block);
      const OpId op = add_op(name + "/gradient", block);
      builder_.set_colocation(op, name);
      builder_.add_input(op, blocks_[block].output);
      for (const TensorRef& gradient : arriving[block]) builder_.add_input(op, gradient);
      const std::int64_t bytes = uneven_bytes(recipe_.activations * kUsualBytes / 2);
      const TensorRef gradient = builder_.add_output(op, {.bytes = bytes});
      for (const std::size_t read : blocks_[block].reads) {
        builder_.add_input(op, blocks_[read].output);
        arriving[read].push_back(gradient);
      }
    }
  }

  void mark_kept() {
    for (const Block& block : blocks_) {
      if (!recipe_.training && random_.chance(recipe_.kept))
        builder_.add_graph_output(block.output);
    }
  }

  Plan planted_plan() const {
    Plan plan;
    for (std::size_t block = 0; block < blocks_.size(); ++block) {
      for (const OpId op : blocks_[block].ops) {
        if (plan.placement.size() <= op.index()) plan.placement.resize(op.index() + 1);
        plan.placement[op.index()] = DeviceId(devices_[block]);
      }
    }
    return plan;
  }

  Cluster cluster() const {
    std::vector<Device> devices(recipe_.devices);
    std::vector<Link> links;
    const auto hub = static_cast<std::uint32_t>(recipe_.devices);
    for (std::uint32_t d = 0; d < hub; ++d) {
      devices[d].name = "gpu:" + std::to_string(d);
      devices[d].kind = "gpu";
      links.push_back({.from = d, .to = hub, .bandwidth = kBandwidth, .latency_seconds = 1e-5});
    }
    return Cluster("tight", std::move(devices), {"switch"}, std::move(links));
  }

  Random& random_;
  const Recipe& recipe_;
  GraphBuilder builder_{"tight"};
  std::vector<Block> blocks_;
  std::vector<std::size_t> devices_;  // by block
  std::vector<std::size_t> begins_;   // the first block of every window, and the end
  std::vector<OpId> last_of_window_;
};

bool small_enough(const Problem& problem) {
  std::int64_t smallest = problem.usable_bytes(DeviceId(0));
  for (std::size_t d = 1; d < problem.device_count(); ++d) {
    smallest = std::min(smallest, problem.usable_bytes(DeviceId(d)));
  }
  return static_cast<double>(largest_group_bytes(problem)) <=
         kLargestTightGroup * static_cast<double>(smallest);
}

}  // namespace

std::int64_t largest_group_bytes(const Problem& problem) {
  const Graph& graph = problem.graph();
  std::int64_t largest = 0;
  for (std::size_t g = 0; g < problem.group_count(); ++g) {
    std::int64_t bytes = 0;
    for (const OpId op : problem.members(GroupId(g))) {
      bytes += graph.param_bytes(op) + graph.temp_bytes(op);
      for (std::size_t k = 0; k < graph.output_count(op); ++k)
        bytes += graph.bytes(graph.output(op, k));
    }
    largest = std::max(largest, bytes);
  }
  return largest;
}

PlantedProblem tight_problem(std::uint64_t seed, const TightSize& size) {
  Random random(seed);
  const Recipe recipe = random_recipe(random, size);
  // Less uneven, more blocks and smaller outputs until no group takes too much of any device.
  for (Recipe attempt = recipe;;) {
    Random numbers = Random(seed).fork();
    PlantedProblem made = Maker(numbers, attempt).make();
    if (small_enough(made.problem)) return made;
    attempt.spread = 1 + 0.85 * (attempt.spread - 1);
    attempt.blocks = std::min(static_cast<std::size_t>(size.most_groups), attempt.blocks + 10);
    attempt.activations *= 0.98;
  }
}

}  // namespace berth
