#include "learn/agents/colocrl.h"

#include "learn/agents/parts.h"

namespace berth::learn {

ColocRlSettings ColocRlSettings::parse(const Options& options) {
  return {.samples = options.integer("samples"),
          .embedding = options.integer("embedding"),
          .adjacency = options.integer("adjacency"),
          .placer = parse_sequence(options)};
}

ColocRl::ColocRl(const ColocRlSettings& settings, const Vocabulary& vocabulary)
    : SequencePolicy(settings.placer.full, settings.samples) {
  type_embedding_ = parameter(
      "type_embedding", glorot(static_cast<std::int64_t>(vocabulary.size()), settings.embedding));
  SequenceSettings placer = settings.placer;
  placer.inputs = settings.embedding + Features::kShapes + settings.adjacency +
                  (full_ ? Features::kNumbers : 0);
  make_placer(placer);
}

Tensor ColocRl::items(const Case& of) const {
  std::vector<Tensor> columns = {of.types.matmul(type_embedding_), of.shapes, of.adjacency};
  if (full_) columns.push_back(of.numbers);
  return at::cat(columns, 1);
}

}  // namespace berth::learn
