// Numbers of a training as arrays of a policy file, and back. What a file holds is checked here
// before anything is built from it: a policy file may come from another program, another version or
// a broken disk, and is never trusted.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "learn/policy_file.h"
#include "learn/torch.h"

namespace berth::learn {

StoredArray stored(std::string name, const Tensor& values);  // of 32-bit floats
StoredArray stored(std::string name, const std::vector<double>& values);
StoredArray stored(std::string name, const std::vector<std::int64_t>& values);
StoredArray stored_numbers(std::string name, const Tensor& numbers);  // of whole numbers

// Reads the arrays of a file. Everything throws InputError, naming the file, where an array is
// missing or is not what it must be. The file must outlive it.
class StoredState {
 public:
  StoredState(const PolicyFile& file, const std::string& source) : file_(file), source_(source) {}

  bool has(const std::string& name) const { return file_.find(name) != nullptr; }
  // Finite numbers of the tensor's shape, in place.
  void copy_into(const Tensor& tensor, const std::string& name) const;
  std::vector<double> reals(const std::string& name) const;
  std::vector<std::int64_t> numbers(const std::string& name, std::size_t count) const;
  // Whole numbers of [0, limit) as a tensor of one row; undefined when there is no such array.
  Tensor row(const std::string& name, std::int64_t limit) const;
  // The array is there, but its values are none that this training would write.
  [[noreturn]] void refuse(const std::string& name) const;

  const std::string& source() const { return source_; }

 private:
  const StoredArray& required(const std::string& name, StoredArray::Type type) const;

  const PolicyFile& file_;
  std::string source_;
};

}  // namespace berth::learn
