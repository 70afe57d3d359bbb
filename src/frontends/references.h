// The edges of a graph file as they are written, `op` or `op:k`, until all ops are known. They can
// only be resolved at the end, because ops may be listed in any order, and "a:0" as a whole may be
// the name of an op. 32 bytes per edge.
#pragma once

#include <cstdint>
#include <vector>

#include "base/json_reader.h"
#include "frontends/op_reader.h"
#include "graph/graph_builder.h"

namespace berth {

class References {
 public:
  enum class Kind : std::uint8_t { input, after, graph_output };

  // `op` is the one that refers, none for an output of the graph. Throws InputError through
  // `reader` when there are more than the graph can number.
  void add(const JsonReader& reader, Kind kind, OpId op, const NamedPlace& place);
  // Adds every edge to the builder, in the order they were added here.
  void resolve(const JsonReader& reader, GraphBuilder& builder) const;

 private:
  struct Reference {
    NamedPlace place;
    OpId op;
    Kind kind;
  };
  static_assert(sizeof(Reference) == 32);

  std::vector<Reference> references_;
};

}  // namespace berth
