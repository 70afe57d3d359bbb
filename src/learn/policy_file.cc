#include "learn/policy_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"

namespace berth::learn {

const StoredArray* PolicyFile::find(std::string_view name) const {
  const auto found = std::find_if(arrays.begin(), arrays.end(),
                                  [&](const StoredArray& array) { return array.name == name; });
  return found == arrays.end() ? nullptr : &*found;
}

void write_policy(const std::string& path, const PolicyFile& file) {
  write_file(path, to_bytes(file));
}

PolicyFile read_policy(const std::string& path) {
  const InputFile file(path);
  return policy_from_bytes(file.text(), path);
}

}  // namespace berth::learn
