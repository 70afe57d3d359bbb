#include "learn/agents/colocrl.h"

#include <algorithm>

#include "learn/agents/parts.h"

namespace berth {

ColocRl::ColocRl(const Options& settings, const Vocabulary& vocabulary)
    : samples_(settings.integer("samples")), full_(settings.text("features") == "full") {
  type_embedding_ = parameter("type_embedding", glorot(static_cast<std::int64_t>(vocabulary.size()),
                                                       settings.integer("embedding")));
  SequenceSettings sequence = sequence_settings(settings);
  sequence.inputs = settings.integer("embedding") + Features::kShapes +
                    settings.integer("adjacency") + (full_ ? Features::kNumbers : 0);
  placer_ = part("placer", SequencePlacer(sequence));
}

SequenceInput ColocRl::read(const Case& of) {
  std::vector<Tensor> columns = {of.types.matmul(type_embedding_), of.shapes, of.adjacency};
  if (full_) columns.push_back(of.numbers);
  return whole_graph(of, at::cat(columns, 1), full_);
}

Drawn ColocRl::draw(const Case& of, std::int64_t most, double noise, Random& random) {
  at::NoGradGuard guard;
  return draw_sequence(placer_, read(of), std::min(most, samples_), noise, random);
}

Scores ColocRl::score(const Case& of, const Decisions& decisions) {
  return score_sequence(placer_, read(of), decisions);
}

Decisions ColocRl::greedy(const Case& of) {
  at::NoGradGuard guard;
  return greedy_sequence(placer_, read(of));
}

Plan ColocRl::plan(const Case& of, const Decisions& decisions, std::int64_t plan) const {
  return plan_from(of, decisions.devices[plan]);
}

}  // namespace berth
