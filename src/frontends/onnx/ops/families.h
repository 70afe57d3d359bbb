// The families of operators, one source each.
#pragma once

#include <array>
#include <span>

#include "frontends/onnx/ops/table.h"

namespace berth::onnx {

std::span<const Operator> activation_operators();
std::span<const Operator> arithmetic_operators();
std::span<const Operator> attention_operators();
std::span<const Operator> classical_operators();
std::span<const Operator> convolution_operators();
std::span<const Operator> einsum_operators();
std::span<const Operator> fused_operators();
std::span<const Operator> generation_operators();
std::span<const Operator> image_operators();
std::span<const Operator> indexing_operators();
std::span<const Operator> matrix_operators();
std::span<const Operator> movement_operators();
std::span<const Operator> normalization_operators();
std::span<const Operator> padding_operators();
std::span<const Operator> pooling_operators();
std::span<const Operator> quantization_operators();
std::span<const Operator> recurrent_operators();
std::span<const Operator> reduction_operators();
std::span<const Operator> selection_operators();
std::span<const Operator> sequence_operators();
std::span<const Operator> signal_operators();
std::span<const Operator> text_operators();
std::span<const Operator> training_operators();
std::span<const Operator> view_operators();

inline constexpr std::array kFamilies = {
    &activation_operators,    &arithmetic_operators, &attention_operators, &classical_operators,
    &convolution_operators,   &einsum_operators,     &fused_operators,     &generation_operators,
    &image_operators,         &indexing_operators,   &matrix_operators,    &movement_operators,
    &normalization_operators, &padding_operators,    &pooling_operators,   &quantization_operators,
    &recurrent_operators,     &reduction_operators,  &selection_operators, &sequence_operators,
    &signal_operators,        &text_operators,       &training_operators,  &view_operators,
};

}  // namespace berth::onnx
