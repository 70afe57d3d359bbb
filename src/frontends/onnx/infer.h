// What an ONNX operator makes of its inputs: types, shapes, small contents, work. It is called once
// per node, in order of execution. Subgraphs (If, Loop, Scan, SequenceMap) and local functions are
// handled by the importer and never come here.
//
// Shapes are numbers throughout: dynamic dimensions have been given values before. The output sizes
// of some operators depend on data (NonZero, NonMaxSuppression, Unique, Compress, a slice between
// computed bounds). These get the largest extent they can have, which is what a memory planner
// needs, and set `is_bound`. What cannot be known at all (a reshape to contents that are computed
// at run time) has the dimension kUnknown until some other source says more. What does not fit in
// 63 bits has the dimension kTooLarge, and the importer refuses it.
//
// Contents of small tensors are computed too, because models compute their shapes. Work is that of
// the plain algorithm; an unknown dimension counts as one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "frontends/onnx/model.h"

namespace berth::onnx {

constexpr std::int64_t kUnknown = -1;
// Only in the results of inference. A number that files do not use for anything else: the smallest
// integers stand for the end of a reversed slice.
constexpr std::int64_t kTooLarge = INT64_MIN + 0x70'0000'1a26;

// The contents of a small tensor, in row-major order; one of the two lists has them all. An element
// of `integers` may be unknown (kUnknownElement): a shape of which one dimension is not known. It
// may also be kTooLarge, which counts as unknown until somebody takes it for a dimension. Among
// `reals` NaN says the same as kUnknownElement.
struct Contents {
  static constexpr std::int64_t kUnknownElement = INT64_MIN;
  static constexpr bool is_known(std::int64_t element) {
    return element != kUnknownElement && element != kTooLarge;
  }
  std::vector<std::int64_t> integers;  // of integer and boolean tensors
  std::vector<double> reals;           // of floating-point tensors
};
constexpr std::int64_t kMaxContents = 4096;  // elements; larger tensors have no contents

// An integer that is only known at run time, expressed as another value plus a constant. The
// difference between two that refer to the same value is known.
struct Offset {
  std::uint32_t of;
  std::int64_t by;
};

struct Value {
  Type::Kind kind = Type::Kind::unknown;
  ElementType element = ElementType::undefined;
  bool has_rank = false;
  std::vector<std::int64_t> dims;  // kUnknown where not known
  std::optional<Contents> contents;
  std::optional<Offset> offset;  // of a tensor with one integer
  std::vector<Value>
      inner;  // of a sequence or optional: what its elements have in common, if known
  std::int64_t length = kUnknown;  // of a sequence
  bool is_weight = false;          // an initializer, or a Constant too large for contents
  bool is_bound = false;           // its extents, or what follows from them, may be smaller

  void forget_contents() {
    contents.reset();
    offset.reset();
  }
  bool has_shape() const;                        // rank and every dimension known
  std::optional<std::int64_t> elements() const;  // when the shape is known and it fits 63 bits
};

struct InferInput {
  const Node& node;
  std::int64_t opset;                    // of the node's domain
  std::span<const Value* const> inputs;  // nullptr: left out
};

struct Inferred {
  bool known_op = true;        // false: an operator that is not known
  std::vector<Value> outputs;  // one per output of the node, left-out ones included
  double flops = 0;            // of one execution; a multiply-add is two
  std::int64_t temp_bytes = 0;
  // By output, the input whose memory it is a view of (Reshape, Identity, ...), or -1.
  std::vector<int> alias;
  // Extents of the outputs are upper bounds, of their own or because those of an input are; what
  // the file says of them is at least as near.
  bool is_bound = false;
  std::string complaint;  // what does not fit together, in one sentence; empty when all does
};

// No op does more operations than this; one that would has sizes that are too large.
constexpr double kMostFlops = 1e30;

// Never throws, whatever a file contains: what does not fit together is left unknown.
Inferred infer(const InferInput& input);

// Merges what is said elsewhere (value_info, a branch's other arm) into what was inferred: known
// beats unknown; where both are known and differ, the first stays.
void merge(Value& value, const Value& other);

}  // namespace berth::onnx
