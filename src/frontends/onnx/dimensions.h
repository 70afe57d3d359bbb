// The dimensions that an ONNX model leaves open: which they are, which the user has set, and shapes
// with the numbers filled in.
//
// A dimension of an input is open when it has a name instead of a number ("batch"). Without a name,
// or with a negative number, which some exporters write for "any", it is called INPUT_AXIS. A
// dimension that is 0 in the file has the size 0: an input may be empty. It may still be set, under
// INPUT_AXIS, because 0 is written for "any" as well. The number of tensors in a sequence that is
// an input is open as well and called INPUT_length.
//
// Open dimensions of input tensors must be set. Those of sequences, and names that occur only
// inside the graph, may be set.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"
#include "frontends/onnx/infer.h"

namespace berth::onnx {

// A dimension that has no size yet, and where an input first has it.
struct OpenDimension {
  std::string name;
  std::size_t axis = 0;
};

// Tells which sizes are missing, so that the caller can ask for them in its own way.
class [[gnu::visibility("default")]] OpenDimensionError : public InputError {
 public:
  OpenDimensionError(const std::string& sentence, std::string source,
                     std::vector<OpenDimension> dimensions)
      : InputError(sentence, {.code = ErrorCode::open_dimension,
                              .subject = dimensions.front().name,
                              .place = std::move(source)}),
        dimensions_(std::move(dimensions)) {}
  const std::vector<OpenDimension>& dimensions() const { return dimensions_; }

 private:
  std::vector<OpenDimension> dimensions_;  // at least one
};

class Dimensions {
 public:
  using Sizes = std::map<std::string, std::int64_t>;

  // Throws OpenDimensionError when `given` does not set all that must be set, and InputError when
  // it sets one that the model does not have.
  Dimensions(const Graph& graph, const Sizes& given, std::string_view source);

  // Of the inputs that are tensors, in order of appearance.
  const std::vector<std::string>& open() const { return open_; }

  Value input(const ValueInfo& info) const;
  // Those of an input that the file says are 0 and nobody has set.
  std::vector<std::string> empty_dimensions(const ValueInfo& info) const;
  // Of any other value; what is not set stays unknown.
  Value described(const Type& type) const;

 private:
  Value described(const Type& type, std::string_view input) const;

  Sizes given_;
  std::vector<std::string> open_;
};

}  // namespace berth::onnx
