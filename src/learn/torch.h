// The part of libtorch that Berth uses: tensors and automatic differentiation. The framework's own
// modules, optimizers and files are not included; with them every source would take twice as long
// to compile.
#pragma once

#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>
#include <torch/csrc/autograd/generated/variable_factories.h>

namespace berth::learn {

using at::Tensor;

}  // namespace berth::learn
