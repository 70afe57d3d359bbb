// The parts that read graphs.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "gradient_check.h"
#include "learn/nets/chance.h"
#include "learn/nets/device_judge.h"
#include "learn/nets/device_scorer.h"
#include "learn/nets/graph_convolution.h"
#include "learn/nets/graph_sage.h"
#include "learn/nets/message_passing.h"
#include "learn/nets/neighbours.h"
#include "learn/nets/segment_attention.h"
#include "learn/rl/adam.h"

namespace berth::learn {
namespace {

using Pairs = std::vector<std::pair<std::int64_t, std::int64_t>>;

Pairs random_pairs(std::int64_t nodes, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  Pairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto node = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(nodes)));
    const auto other = static_cast<std::int64_t>(random.below(static_cast<std::size_t>(nodes)));
    pairs.emplace_back(node, other);
  }
  return pairs;
}

Tensor leaf(const std::vector<std::int64_t>& sizes) {
  return torch::randn(sizes, at::kDouble).requires_grad_();
}

template <class Part>
Part doubled(Part part) {
  part.to(at::kDouble);
  return part;
}

TEST(Neighbours, AreEachPairOnceInOrder) {
  const Neighbours rows = Neighbours::of(4, {{2, 3}, {0, 1}, {2, 0}, {2, 3}});
  EXPECT_EQ(rows.begins, (std::vector<std::int64_t>{0, 1, 1, 3, 3}));
  EXPECT_EQ(rows.items, (std::vector<std::int64_t>{1, 0, 3}));
}

TEST(Neighbours, MaximaAndSumsAreThoseOfTheRows) {
  at::manual_seed(1);
  const Neighbours rows = Neighbours::of(9, random_pairs(9, 10, 1));
  const Tensor values = torch::randn({9, 5}, at::kDouble);
  const auto count = static_cast<std::int64_t>(rows.items.size());
  const Tensor weights = torch::rand({count}, at::kDouble);
  const Tensor most = neighbour_max(values, rows);
  const Tensor sums = neighbour_sum(values, rows, weights);
  bool lonely = false;
  for (std::int64_t node = 0; node < 9; ++node) {
    const std::int64_t begin = rows.begins[static_cast<std::size_t>(node)];
    const std::int64_t end = rows.begins[static_cast<std::size_t>(node) + 1];
    Tensor right_most = torch::zeros({5}, at::kDouble);
    Tensor right_sum = torch::zeros({5}, at::kDouble);
    for (std::int64_t at = begin; at < end; ++at) {
      const Tensor row = values[rows.items[static_cast<std::size_t>(at)]];
      right_most = at == begin ? row : at::maximum(right_most, row);
      right_sum = right_sum + weights[at] * row;
    }
    lonely = lonely || begin == end;
    EXPECT_EQ(difference(most[node], right_most), 0);
    EXPECT_LT(difference(sums[node], right_sum), 1e-14);
  }
  EXPECT_TRUE(lonely) << "a node without neighbours belongs to the test";
}

TEST(Neighbours, GradientsAreThoseOfFiniteDifferences) {
  at::manual_seed(2);
  Random random(2);
  const Neighbours rows = Neighbours::of(7, random_pairs(7, 15, 2));
  const Tensor values = leaf({7, 4});
  const Tensor weights = torch::rand({static_cast<std::int64_t>(rows.items.size())}, at::kDouble);
  const Tensor by = torch::randn({7, 4}, at::kDouble);
  expect_gradients([&] { return (neighbour_max(values, rows) * by).sum(); }, {{"values", values}},
                   random);
  expect_gradients([&] { return (neighbour_sum(values, rows, weights) * by).sum(); },
                   {{"values", values}}, random);
}

TEST(GraphSage, GivesANodeTheSameWhateverTheOrderOfNodes) {
  at::manual_seed(3);
  const GraphSage sage = doubled(GraphSage({.width = 6, .layers = 3}));
  const Pairs pairs = random_pairs(12, 30, 3);
  const Tensor nodes = torch::randn({12, 6}, at::kDouble);
  const Tensor order = torch::randperm(12, at::kLong);  // new number -> old number
  std::vector<std::int64_t> renumbered(12);
  for (std::int64_t i = 0; i < 12; ++i) {
    renumbered[static_cast<std::size_t>(order[i].item<std::int64_t>())] = i;
  }
  Pairs moved;
  for (const auto& [node, other] : pairs) {
    moved.emplace_back(renumbered[static_cast<std::size_t>(node)],
                       renumbered[static_cast<std::size_t>(other)]);
  }
  const Neighbours there = Neighbours::of(12, pairs);
  const Neighbours here = Neighbours::of(12, moved);
  const Tensor before = sage(nodes, std::vector{&there});
  const Tensor after = sage(nodes.index_select(0, order), std::vector{&here});
  EXPECT_LT(difference(after, before.index_select(0, order)), 1e-12);
  EXPECT_GT(difference(after, before), 1e-3);
}

// A ring of nodes with a feature each that its neighbours share.
struct Ring {
  Ring() {
    Pairs pairs;
    for (std::int64_t node = 0; node < 30; ++node) {
      pairs.emplace_back(node, (node + 1) % 30);
      pairs.emplace_back((node + 1) % 30, node);
    }
    graph = Convolution::of(Neighbours::of(30, pairs));
    const Tensor angle = torch::arange(30) * (2 * M_PI / 30);
    nodes = at::stack({angle.sin(), angle.cos(), (2 * angle).sin(), (2 * angle).cos()}, 1);
  }
  Convolution graph;
  Tensor nodes;
};

TEST(Convolution, CountsANodeByTheRootsOfDegrees) {
  const Convolution graph = Convolution::of(Neighbours::of(3, {{0, 1}, {1, 0}, {1, 2}, {2, 1}}));
  EXPECT_EQ(graph.neighbours.items, (std::vector<std::int64_t>{0, 1, 0, 1, 2, 1, 2}));
  const double two_three = 1 / std::sqrt(6.0);
  const double right[] = {0.5, two_three, two_three, 1 / 3.0, two_three, two_three, 0.5};
  for (std::int64_t i = 0; i < 7; ++i) {
    EXPECT_NEAR(graph.weights[i].item<double>(), right[i], 1e-15) << i;
  }
}

TEST(Infomax, LearnsToTellTheGraphFromOneWithFeaturesExchanged) {
  at::manual_seed(11);
  const Ring ring;
  GraphConvolution encoder(4, 8, 2);
  Infomax infomax(8);
  std::vector<Tensor> parameters;
  for (const auto& [name, tensor] : encoder.parameters()) parameters.push_back(tensor);
  for (const auto& [name, tensor] : infomax.parameters()) parameters.push_back(tensor);
  Adam adam(parameters);
  const auto share_told_apart = [&] {
    at::NoGradGuard guard;
    const Tensor real = encoder(ring.nodes, ring.graph);
    const Tensor other = encoder(ring.nodes.index_select(0, torch::randperm(30)), ring.graph);
    const Tensor right =
        at::cat({infomax(real, real).gt(0), infomax(other, real).lt(0)}).to(at::kDouble);
    return right.mean().item<double>();
  };
  double before = 0, after = 0;
  for (int i = 0; i < 10; ++i) before += share_told_apart() / 10;
  for (int i = 0; i < 400; ++i) {
    const Tensor real = encoder(ring.nodes, ring.graph);
    const Tensor other = encoder(ring.nodes.index_select(0, torch::randperm(30)), ring.graph);
    infomax.loss(real, other).backward();
    adam.step(0.01, 1);
  }
  for (int i = 0; i < 10; ++i) after += share_told_apart() / 10;
  EXPECT_LT(before, 0.75);
  EXPECT_GT(after, 0.9);
}

place::Units four_units() {
  // 0 -> 1 -> 2, 0 -> 3.
  place::Units units;
  for (std::size_t op = 0; op < 4; ++op) {
    units.of_op.push_back(static_cast<std::uint32_t>(op));
    units.members.items.emplace_back(op);
  }
  units.members.begins = {0, 1, 2, 3, 4};
  units.edges = {{0, 1, 1}, {0, 3, 1}, {1, 2, 1}};
  return units;
}

TEST(Reachability, KnowsWhatComesBeforeAfterAndBeside) {
  const Reachability reach = Reachability::of(four_units(), at::kDouble);
  const auto matrix = [](const std::vector<double>& numbers) {
    return torch::tensor(numbers, at::kDouble).view({4, 4});
  };
  EXPECT_EQ(difference(reach.feeders, matrix({0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0})), 0);
  EXPECT_EQ(difference(reach.readers, matrix({0, .5, 0, .5, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0})),
            0);
  EXPECT_EQ(difference(reach.ancestors, matrix({0, 0, 0, 0, 1, 0, 0, 0, .5, .5, 0, 0, 1, 0, 0, 0})),
            0);
  EXPECT_LT(difference(reach.descendants.narrow(0, 0, 1),
                       torch::tensor({0.0, 1 / 3.0, 1 / 3.0, 1 / 3.0}, at::kDouble).view({1, 4})),
            1e-15);
  EXPECT_EQ(difference(reach.parallel, matrix({0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, .5, .5, 0})),
            0);
}

TEST(MessagePassing, GivesANodeTheSameWhateverTheOrderOfNodes) {
  at::manual_seed(12);
  const MessagePassing network = doubled(MessagePassing(5, 3, 2));
  const Reachability reach = Reachability::of(four_units(), at::kDouble);
  const Tensor nodes = torch::randn({4, 2, 5}, at::kDouble);
  const Tensor order = torch::tensor({2, 0, 3, 1}, at::kLong);  // new number -> old number
  const auto moved = [&](const Tensor& rows) {
    return rows.index_select(0, order).index_select(1, order);
  };
  const Reachability other = {moved(reach.feeders), moved(reach.readers), moved(reach.ancestors),
                              moved(reach.descendants), moved(reach.parallel)};
  const Tensor before = network.embed(nodes, reach);
  const Tensor after = network.embed(nodes.index_select(0, order), other);
  EXPECT_LT(difference(after, before.index_select(0, order)), 1e-12);
  // Old nodes 3 and 0 are new nodes 2 and 1.
  EXPECT_LT(difference(network.read(before, torch::tensor({3, 0}, at::kLong), reach),
                       network.read(after, torch::tensor({2, 1}, at::kLong), other)),
            1e-12);
}

TEST(TwoLayers, AreSummedAsIfOneByOne) {
  at::manual_seed(13);
  const TwoLayers layers = doubled(TwoLayers(3, 4, 2));
  for (const auto& [name, tensor] : layers.parameters()) tensor.data().normal_();
  const Tensor inputs = torch::randn({5, 2, 3}, at::kDouble);
  const Tensor weights = torch::rand({2, 5}, at::kDouble);
  const Tensor one_by_one = (layers(inputs) * weights.t().unsqueeze(2)).sum(0);
  EXPECT_LT(difference(layers.summed(inputs, weights), one_by_one), 1e-12);
}

SegmentAttention attention(std::int64_t segment, bool modulated = true) {
  at::manual_seed(4);
  return doubled(
      SegmentAttention({.width = 8, .heads = 2, .segment = segment, .modulated = modulated}));
}

// One sequence by itself.
Tensor attend(const SegmentAttention& layer, const Tensor& items, const Tensor& graph) {
  return layer(items.unsqueeze(0), graph.view({1, 1, -1})).squeeze(0);
}

// Attention of all to all, head by head, from the layer's own parameters.
Tensor full_attention(const SegmentAttention& layer, const Tensor& items, const Tensor& graph) {
  std::map<std::string, Tensor> of;
  for (const auto& [name, tensor] : layer.parameters()) of[name] = tensor;
  const auto linear = [&](const std::string& name, const Tensor& x) {
    return x.matmul(of[name + ".weight"].t()) + of[name + ".bias"];
  };
  const auto gated = [&](const std::string& name, const Tensor& x) {
    const Tensor scaled = x * linear(name + "_gate", graph).sigmoid();
    const Tensor centred = scaled - scaled.mean(1, true);
    const Tensor normal = centred / (centred.square().mean(1, true) + 1e-5).sqrt();
    return normal * of[name + "_norm.weight"] + of[name + "_norm.bias"];
  };
  const Tensor seen = gated("attention", items);
  std::vector<Tensor> heads;
  for (std::int64_t head = 0; head < 2; ++head) {
    const auto part = [&](const std::string& name) {
      return linear(name, seen).narrow(1, head * 4, 4);
    };
    const Tensor weights = (part("query").matmul(part("key").t()) / 2).softmax(1);
    heads.push_back(weights.matmul(part("value")));
  }
  const Tensor heard = items + linear("output", at::cat(heads, 1));
  return heard + linear("back", linear("hidden", gated("feed", heard)).relu());
}

TEST(SegmentAttention, IsFullAttentionWhenOneSegmentCoversAll) {
  at::manual_seed(5);
  const Tensor items = torch::randn({11, 8}, at::kDouble);
  const Tensor graph = torch::randn({8}, at::kDouble);
  const Tensor right = full_attention(attention(0), items, graph);
  for (const std::int64_t segment : {0, 11, 12, 100}) {
    EXPECT_LT(difference(attend(attention(segment), items, graph), right), 1e-12) << segment;
  }
  EXPECT_GT(difference(attend(attention(6), items, graph), right), 1e-3);
}

// What of the items each output depends on, by changing them and by gradients.
TEST(SegmentAttention, ReadsTheSegmentBeforeAndSendsNoGradientThere) {
  at::manual_seed(6);
  const SegmentAttention layer = attention(4);
  const Tensor items = leaf({11, 8});  // segments of 4, 4 and 3
  const Tensor graph = torch::randn({8}, at::kDouble);
  const Tensor outputs = attend(layer, items, graph);
  for (std::int64_t changed = 0; changed < 3; ++changed) {
    Tensor other = items.detach().clone();
    other[changed * 4].add_(torch::randn({8}, at::kDouble));
    const Tensor change = (attend(layer, other, graph) - outputs).abs().sum(1).detach();
    for (std::int64_t read = 0; read < 3; ++read) {
      const bool hears = read == changed || read == changed + 1;
      EXPECT_EQ(change[read * 4 + 1].item<double>() > 1e-6, hears) << changed << " " << read;
    }
  }
  for (std::int64_t read = 0; read < 3; ++read) {
    const Tensor to_items = gradients_of(attend(layer, items, graph)[read * 4 + 1].square().sum(),
                                         {{"items", items}})[0];
    for (std::int64_t segment = 0; segment < 3; ++segment) {
      EXPECT_EQ(largest(to_items[segment * 4]) > 0, segment == read) << segment << " " << read;
    }
  }
}

TEST(SegmentAttention, TreatsSequencesApart) {
  at::manual_seed(11);
  const SegmentAttention layer = attention(4);
  const Tensor items = torch::randn({3, 11, 8}, at::kDouble);
  const Tensor graphs = torch::randn({3, 1, 8}, at::kDouble);
  const Tensor all = layer(items, graphs);
  for (std::int64_t i = 0; i < 3; ++i) {
    EXPECT_LT(difference(all[i], attend(layer, items[i], graphs[i])), 1e-12);
  }
}

TEST(SegmentAttention, IsModulatedByTheGraph) {
  at::manual_seed(7);
  const Tensor items = torch::randn({5, 8}, at::kDouble);
  const Tensor one = torch::randn({8}, at::kDouble);
  const Tensor other = torch::randn({8}, at::kDouble);
  for (const bool modulated : {false, true}) {
    const SegmentAttention layer = attention(0, modulated);
    EXPECT_EQ(difference(attend(layer, items, one), attend(layer, items, other)) > 1e-6, modulated);
  }
}

TEST(DeviceJudge, SaysTheSameInPlainNumbers) {
  at::manual_seed(12);
  DeviceJudge judge(5);
  {
    at::NoGradGuard guard;
    for (const auto& [name, tensor] : judge.parameters()) {
      Tensor values = tensor;
      values.add_(torch::randn(values.sizes()));
    }
  }
  const Tensor numbers = torch::randn({2, 3, 4, DeviceJudge::kNumbers});
  const DeviceJudge::Item items = judge.item(torch::randn({3, 5}));
  const Tensor logits = judge(numbers, items);
  const DeviceJudge::Plain plain(judge);
  for (std::int64_t item = 0; item < 3; ++item) {
    std::vector<double> one(4);
    plain(numbers[1][item].data_ptr<float>(), items.weights[item].contiguous().data_ptr<float>(),
          items.biases[item].contiguous().data_ptr<float>(), 4, one.data());
    for (std::int64_t device = 0; device < 4; ++device) {
      EXPECT_NEAR(one[static_cast<std::size_t>(device)], logits[1][item][device].item<double>(),
                  1e-4);
    }
  }
}

// The judge is one operation with a gradient of its own: it must agree with the formula.
TEST(DeviceJudge, HasTheGradientsOfItsFormula) {
  at::manual_seed(13);
  const auto leaf = [](const std::vector<std::int64_t>& sizes) {
    return torch::randn(sizes, at::kDouble).requires_grad_();
  };
  // More items than one thread takes at a time.
  constexpr std::int64_t kItems = 150;
  DeviceJudge judge(5);
  judge.to(at::kDouble);
  {
    at::NoGradGuard guard;
    for (const auto& [name, tensor] : judge.parameters()) {
      Tensor values = tensor;
      values.add_(torch::randn(values.sizes(), at::kDouble));
    }
  }
  const Tensor numbers = torch::randn({2, kItems, 4, DeviceJudge::kNumbers}, at::kDouble);
  const Tensor by = torch::randn({2, kItems, 4}, at::kDouble);
  for (const bool per_plan : {false, true}) {
    const Tensor embeddings = per_plan ? leaf({2, kItems, 5}) : leaf({kItems, 5});
    NamedTensors leaves = judge.parameters();
    leaves.emplace_back("embeddings", embeddings);
    const auto of = [&](const std::string& name) {
      return std::ranges::find(leaves, name, &NamedTensors::value_type::first)->second;
    };
    const Tensor logits = judge(numbers, judge.item(embeddings));
    const DeviceJudge::Item item = judge.item(embeddings);
    const Tensor seen = numbers.matmul(of("hidden").t()) + item.biases.unsqueeze(-2);
    const Tensor expected =
        numbers.matmul(item.weights.unsqueeze(-1)).squeeze(-1) + seen.relu().matmul(of("output"));
    EXPECT_LT(difference(logits, expected), 1e-12);
    const std::vector<Tensor> gradients = gradients_of((logits * by).sum(), leaves);
    const std::vector<Tensor> right = gradients_of((expected * by).sum(), leaves);
    for (std::size_t i = 0; i < leaves.size(); ++i) {
      EXPECT_GT(largest(right[i]), 0) << leaves[i].first;
      EXPECT_LT(difference(gradients[i], right[i]), 1e-9) << leaves[i].first;
    }
  }
}

TEST(DeviceScorer, SaysTheSameInPlainNumbers) {
  at::manual_seed(8);
  const DeviceScorer scorer = doubled(DeviceScorer(1));
  const Tensor numbers = torch::randn({3, 4, DeviceScorer::kInputs}, at::kDouble);
  const Tensor item_biases = torch::randn({3, 1, DeviceScorer::kWidth}, at::kDouble);
  const Tensor logits = scorer(numbers, item_biases);
  const DeviceScorer::Plain plain(scorer);
  for (std::int64_t item = 0; item < 3; ++item) {
    for (std::int64_t device = 0; device < 4; ++device) {
      EXPECT_NEAR(
          plain(numbers[item][device].data_ptr<double>(), item_biases[item].data_ptr<double>()),
          logits[item][device].item<double>(), 1e-12);
    }
  }
}

TEST(Chance, LimitsOneDecisionAsItLimitsMany) {
  at::manual_seed(9);
  const Tensor logits = torch::randn({20, 5}, at::kDouble) * 4;
  const Tensor forbidden = torch::rand({20, 5}, at::kDouble).lt(0.3);
  forbidden.select(1, 2).fill_(false);
  for (const LogitLimit& to :
       {LogitLimit{.size = 0, .temperature = 2}, LogitLimit{.size = 5, .temperature = 2},
        LogitLimit{.size = 5, .temperature = 2, .of_odds = true}}) {
    const Tensor many = limited(logits, forbidden, to);
    for (std::int64_t row = 0; row < 20; ++row) {
      std::vector<double> one(5);
      std::vector<std::uint8_t> allowed(5);
      for (std::size_t i = 0; i < 5; ++i) {
        one[i] = logits[row][static_cast<std::int64_t>(i)].item<double>();
        allowed[i] = forbidden[row][static_cast<std::int64_t>(i)].item<bool>() ? 0 : 1;
      }
      limit(one, allowed.data(), to);
      for (std::size_t i = 0; i < 5; ++i) {
        if (!allowed[i]) continue;
        EXPECT_NEAR(one[i], many[row][static_cast<std::int64_t>(i)].item<double>(), 1e-12);
      }
    }
  }
}

// HDP: C tanh(logit / T). With C=5 and T=10 a device can have nearly all of the probability.
TEST(Chance, TheTemperatureIsInsideTheTanh) {
  const Tensor logits = torch::tensor({60.0, -60.0, 10.0}, at::kDouble);
  const Tensor of = limited(logits, {}, {.size = 5, .temperature = 10});
  EXPECT_NEAR(of[0].item<double>(), 5, 1e-4);
  EXPECT_NEAR(of[2].item<double>(), 5 * std::tanh(1.0), 1e-12);
  EXPECT_GT(of.softmax(0)[0].item<double>(), 0.7);
}

// A part that all logits have in common changes nothing, however large.
TEST(Chance, ALimitOfOddsIgnoresWhatIsCommon) {
  const LogitLimit limit_of_odds = {.size = 5, .temperature = 5, .of_odds = true};
  const Tensor logits = torch::tensor({1.0, -2.0, 0.5}, at::kDouble);
  EXPECT_LT(
      difference(limited(logits, {}, limit_of_odds), limited(logits + 1000, {}, limit_of_odds)),
      1e-9);
  EXPECT_EQ(limited(logits + 1000, {}, {.size = 5, .temperature = 5}).softmax(0)[0].item<double>(),
            limited(logits + 1000, {}, {.size = 5, .temperature = 5}).softmax(0)[1].item<double>());
}

TEST(Chance, ChoosesAmongWhatIsAllowedEvenWhenNothingIsFinite) {
  Random random(10);
  const std::vector<std::uint8_t> allowed = {0, 1, 0, 1};
  const double nan = std::nan("");
  for (int i = 0; i < 200; ++i) {
    std::vector<double> logits = {nan, nan, 100, i % 2 == 0 ? 1.0 : -INFINITY};
    limit(logits, allowed.data(), {.size = 5, .temperature = 5, .of_odds = true});
    const std::size_t drawn = choose(logits, allowed.data(), i % 3 == 0 ? nullptr : &random);
    EXPECT_TRUE(allowed[drawn]) << drawn;
  }
}

}  // namespace
}  // namespace berth::learn
