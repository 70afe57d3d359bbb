#include "learn/agents/colocrl.h"

namespace berth::learn {

ColocRl::ColocRl(const Options& settings, const Vocabulary& vocabulary) : SequencePolicy(settings) {
  const std::int64_t embedding = settings.integer("embedding");
  type_embedding_ =
      parameter("type_embedding", glorot(static_cast<std::int64_t>(vocabulary.size()), embedding));
  const std::int64_t inputs = embedding + Features::kShapes + settings.integer("adjacency") +
                              (full_ ? Features::kNumbers : 0);
  make_placer(settings, inputs, false);
}

Tensor ColocRl::items(const Case& of) const {
  std::vector<Tensor> columns = {of.types.matmul(type_embedding_), of.shapes, of.adjacency};
  if (full_) columns.push_back(of.numbers);
  return at::cat(columns, 1);
}

}  // namespace berth::learn
