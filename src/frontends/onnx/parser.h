// Reads an ONNX file: bytes to onnx::Model, by a walk over the wire format that knows the messages
// of onnx.proto by field number. Fields it does not know are stepped over, so files of later
// versions of the format are read for what they have in common with this one. Time and memory go
// with the number of nodes, not with the size of the weights.
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
