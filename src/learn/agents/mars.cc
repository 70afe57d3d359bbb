#include "learn/agents/mars.h"

#include <numeric>

#include "learn/agents/parts.h"
#include "learn/rl/adam.h"

namespace berth::learn {
namespace {

// Infomax has no option for it; its loss is a mean of order 1.
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

std::vector<Tensor> copies_of(const std::vector<Tensor>& tensors) {
  std::vector<Tensor> copies;
  for (const Tensor& tensor : tensors) copies.push_back(tensor.detach().clone());
  return copies;
}

void put_back(const std::vector<Tensor>& copies, std::vector<Tensor> into) {
  at::NoGradGuard guard;
  for (std::size_t i = 0; i < copies.size(); ++i) into[i].copy_(copies[i]);
}

}  // namespace

MarsSettings MarsSettings::parse(const Options& options) {
  const bool pretrain = options.boolean("pretrain");
  return {.samples = options.integer("samples"),
          .encoder_width = options.integer("encoder_width"),
          .encoder_layers = options.integer("encoder_layers"),
          .pretrain_updates = pretrain ? options.integer("pretrain_updates") : 0,
          .pretrain_rate = options.real("pretrain_lr"),
          .placer = parse_sequence(options)};
}

Mars::Mars(const MarsSettings& settings, const Vocabulary& vocabulary)
    : SequencePolicy(settings.placer.full, settings.samples),
      width_(settings.encoder_width),
      pretrain_updates_(settings.pretrain_updates),
      pretrain_rate_(settings.pretrain_rate) {
  const std::int64_t numbers = full_ ? Features::kNumbers : 0;
  const auto known = static_cast<std::int64_t>(vocabulary.size());
  encoder_ = part("encoder", GraphConvolution(known + Features::kShapes + numbers, width_,
                                              settings.encoder_layers));
  SequenceSettings placer = settings.placer;
  placer.inputs = width_ + numbers;
  placer.both_ways = true;
  make_placer(placer);
}

Tensor Mars::nodes(const Case& of) const {
  std::vector<Tensor> columns = {of.types, of.shapes};
  if (full_) columns.push_back(of.numbers);
  return at::cat(columns, 1);
}

Tensor Mars::items(const Case& of) const {
  std::vector<Tensor> columns = {encoder_(nodes(of), of.convolution)};
  if (full_) columns.push_back(of.numbers);
  return at::cat(columns, 1);
}

bool Mars::pretrain(std::span<const Case* const> on, Random& random, const StopToken& stop) {
  // The bilinear form is used only here, so it is no parameter of the policy.
  at::manual_seed(random.below(1u << 31));
  Infomax infomax(width_);
  // The placer has no part in it and stays as it is.
  std::vector<Tensor> trained = tensors_of(encoder_);
  const std::vector<Tensor> before = copies_of(trained);
  for (const Tensor& tensor : tensors_of(infomax)) trained.push_back(tensor);
  Adam adam(std::move(trained));
  for (std::int64_t i = 0; i < pretrain_updates_; ++i) {
    if (stop.requested()) {
      put_back(before, tensors_of(encoder_));
      return false;
    }
    const Case& of = *on[static_cast<std::size_t>(i) % on.size()];
    if (of.unit_count() < 2) continue;  // with one unit a shuffled graph is the graph itself
    const Tensor read = nodes(of);
    const Tensor real = encoder_(read, of.convolution);
    const Tensor shuffled = encoder_(exchanged(read, random), of.convolution);
    infomax.loss(real, shuffled).backward();
    adam.step(pretrain_rate_, kLargestGradient);
  }
  return true;
}

}  // namespace berth::learn
