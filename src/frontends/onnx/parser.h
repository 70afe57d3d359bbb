// Reads an ONNX file into an onnx::Model. It walks over the wire format and knows the messages of
// onnx.proto by field number. Unknown fields are skipped, so files of later versions of the format
// are read as far as they agree with this one. Time and memory are linear in the number of nodes
// and do not depend on the size of the weights.
#pragma once

#include <string_view>

#include "frontends/onnx/model.h"

namespace berth::onnx {

// The model has views into `bytes`. Throws InputError, with the position in the file, on anything
// that does not follow the format; graphs within graphs and types within types are followed to a
// depth that no exporter reaches.
Model parse_model(std::string_view bytes, std::string_view source);

// One TensorProto, which is also a format of files (test data, single weights).
Tensor parse_tensor(std::string_view bytes, std::string_view source);

// The tensors in a SequenceProto or OptionalProto, formats of test data.
std::vector<Tensor> parse_sequence(std::string_view bytes, std::string_view source);

}  // namespace berth::onnx
