#include "learn/stored_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "base/error.h"

namespace berth::learn {
namespace {

template <class T>
StoredArray array_of(std::string name, StoredArray::Type type, std::vector<std::int64_t> shape,
                     const T* values, std::size_t count) {
  StoredArray array{.name = std::move(name), .type = type, .shape = std::move(shape), .data = {}};
  array.data.resize(count * sizeof(T));
  if (count > 0) std::memcpy(array.data.data(), values, array.data.size());
  return array;
}

template <class T>
std::vector<T> values_of(const StoredArray& array) {
  std::vector<T> values(array.data.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), array.data.data(), array.data.size());
  return values;
}

}  // namespace

StoredArray stored(std::string name, const Tensor& values) {
  const Tensor flat = values.detach().contiguous();
  return array_of(std::move(name), StoredArray::Type::f32, values.sizes().vec(),
                  flat.data_ptr<float>(), static_cast<std::size_t>(flat.numel()));
}

StoredArray stored(std::string name, const std::vector<double>& values) {
  return array_of(std::move(name), StoredArray::Type::f64,
                  {static_cast<std::int64_t>(values.size())}, values.data(), values.size());
}

StoredArray stored(std::string name, const std::vector<std::int64_t>& values) {
  return array_of(std::move(name), StoredArray::Type::i64,
                  {static_cast<std::int64_t>(values.size())}, values.data(), values.size());
}

StoredArray stored_numbers(std::string name, const Tensor& numbers) {
  const Tensor flat = numbers.contiguous();
  return array_of(std::move(name), StoredArray::Type::i64, numbers.sizes().vec(),
                  flat.data_ptr<std::int64_t>(), static_cast<std::size_t>(flat.numel()));
}

const StoredArray& StoredState::required(const std::string& name, StoredArray::Type type) const {
  const StoredArray* const array = file_.find(name);
  if (array && array->type == type) return *array;
  throw InputError(fmt::format("{}: the policy lacks the array {}; it is not one of the method {}",
                               source_, quoted(name), quoted(file_.method)));
}

void StoredState::copy_into(const Tensor& tensor, const std::string& name) const {
  const StoredArray& array = required(name, StoredArray::Type::f32);
  if (array.shape != tensor.sizes().vec()) {
    throw InputError(fmt::format("{}: the array {} has the shape [{}] where the policy has [{}]",
                                 source_, quoted(name), fmt::join(array.shape, ", "),
                                 fmt::join(tensor.sizes().vec(), ", ")));
  }
  if (!std::ranges::all_of(values_of<float>(array),
                           [](float value) { return std::isfinite(value); })) {
    throw InputError(
        fmt::format("{}: the array {} holds numbers that are not finite; train the policy again",
                    source_, quoted(name)));
  }
  at::NoGradGuard guard;
  std::memcpy(tensor.data_ptr<float>(), array.data.data(), array.data.size());
}

std::vector<double> StoredState::reals(const std::string& name) const {
  return values_of<double>(required(name, StoredArray::Type::f64));
}

std::vector<std::int64_t> StoredState::numbers(const std::string& name, std::size_t count) const {
  auto values = values_of<std::int64_t>(required(name, StoredArray::Type::i64));
  if (values.size() != count) refuse(name);
  return values;
}

Tensor StoredState::row(const std::string& name, std::int64_t limit) const {
  if (!has(name)) return {};
  const auto values = values_of<std::int64_t>(required(name, StoredArray::Type::i64));
  for (const std::int64_t value : values) {
    if (value >= 0 && value < limit) continue;
    throw InputError(fmt::format("{}: the array {} holds {}; expected numbers from 0 to {}",
                                 source_, quoted(name), value, limit - 1));
  }
  return torch::tensor(values, at::kLong).unsqueeze(0);
}

void StoredState::refuse(const std::string& name) const {
  throw InputError(
      fmt::format("{}: the array {} does not fit the problem; the file was not "
                  "written by this training",
                  source_, quoted(name)));
}

}  // namespace berth::learn
