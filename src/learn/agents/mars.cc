#include "learn/agents/mars.h"

#include <algorithm>
#include <numeric>

#include "base/interrupt.h"
#include "learn/agents/parts.h"
#include "learn/rl/adam.h"

namespace berth {
namespace {

constexpr double kLargestGradient = 1;

// Row i becomes row order[i].
Tensor exchanged(const Tensor& rows, Random& random) {
  std::vector<std::int64_t> order(static_cast<std::size_t>(rows.size(0)));
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  return rows.index_select(0, torch::tensor(order, at::kLong));
}

std::vector<Tensor> tensors_of(const Module& module) {
  std::vector<Tensor> tensors;
  for (const auto& [name, tensor] : module.parameters()) tensors.push_back(tensor);
  return tensors;
}

}  // namespace

Mars::Mars(const Options& settings, const Vocabulary& vocabulary)
    : samples_(settings.integer("samples")),
      width_(settings.integer("encoder_width")),
      pretrain_updates_(settings.boolean("pretrain") ? settings.integer("pretrain_updates") : 0),
      pretrain_rate_(settings.real("pretrain_lr")),
      full_(settings.text("features") == "full") {
  const auto known = static_cast<std::int64_t>(vocabulary.size());
  const std::int64_t inputs = known + Features::kShapes + (full_ ? Features::kNumbers : 0);
  encoder_ = part("encoder", GraphConvolution(inputs, width_, settings.integer("encoder_layers")));
  SequenceSettings sequence = sequence_settings(settings);
  sequence.both_ways = true;
  sequence.inputs = width_ + (full_ ? Features::kNumbers : 0);
  placer_ = part("placer", SequencePlacer(sequence));
}

Tensor Mars::nodes_of(const Case& of) const {
  std::vector<Tensor> columns = {of.types, of.shapes};
  if (full_) columns.push_back(of.numbers);
  return at::cat(columns, 1);
}

void Mars::pretrain(std::span<const Case* const> on, Random& random) {
  // The form serves nothing but this.
  Infomax infomax(width_);
  std::vector<Tensor> trained = tensors_of(encoder_);
  for (const Tensor& tensor : tensors_of(infomax)) trained.push_back(tensor);
  Adam adam(std::move(trained));
  for (std::int64_t i = 0; i < pretrain_updates_ && !Interrupt::requested(); ++i) {
    const Case& of = *on[static_cast<std::size_t>(i) % on.size()];
    if (of.unit_count() < 2) continue;  // nothing to exchange
    const Tensor nodes = nodes_of(of);
    const Tensor real = encoder_(nodes, of.convolution);
    const Tensor shuffled = encoder_(exchanged(nodes, random), of.convolution);
    infomax.loss(real, shuffled).backward();
    adam.step(pretrain_rate_, kLargestGradient);
  }
}

SequenceInput Mars::read(const Case& of) const {
  std::vector<Tensor> columns = {encoder_(nodes_of(of), of.convolution)};
  if (full_) columns.push_back(of.numbers);
  return whole_graph(of, at::cat(columns, 1), full_);
}

Drawn Mars::draw(const Case& of, std::int64_t most, double noise, Random& random) {
  at::NoGradGuard guard;
  return draw_sequence(placer_, read(of), std::min(most, samples_), noise, random);
}

Scores Mars::score(const Case& of, const Decisions& decisions) {
  return score_sequence(placer_, read(of), decisions);
}

Decisions Mars::greedy(const Case& of) {
  at::NoGradGuard guard;
  return greedy_sequence(placer_, read(of));
}

Plan Mars::plan(const Case& of, const Decisions& decisions, std::int64_t plan) const {
  return plan_from(of, decisions.devices[plan]);
}

}  // namespace berth
