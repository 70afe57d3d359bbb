#include "learn/tensor_groups.h"

#include <algorithm>
#include <tuple>

#include "place/groups/crossings.h"

namespace berth::learn {
namespace {

std::vector<TensorGroup> joined(std::vector<TensorGroup> tensor_groups) {
  std::sort(tensor_groups.begin(), tensor_groups.end(),
            [](const TensorGroup& left, const TensorGroup& right) {
              return std::tie(left.from, left.readers, left.bytes) <
                     std::tie(right.from, right.readers, right.bytes);
            });
  std::size_t kept = 0;
  for (TensorGroup& tensor_group : tensor_groups) {
    TensorGroup* const last = kept > 0 ? &tensor_groups[kept - 1] : nullptr;
    if (last && last->from == tensor_group.from && last->readers == tensor_group.readers) {
      last->bytes += tensor_group.bytes;
    } else {
      if (&tensor_groups[kept] != &tensor_group) tensor_groups[kept] = std::move(tensor_group);
      ++kept;
    }
  }
  tensor_groups.resize(kept);
  return tensor_groups;
}

}  // namespace

std::vector<TensorGroup> tensor_groups_of(const Graph& graph, const place::Units& units) {
  std::vector<TensorGroup> tensor_groups;
  TensorId last;
  place::for_each_crossing(
      graph, units.size(), [&](OpId op) { return units.of_op[op.index()]; },
      [&](TensorId tensor, std::size_t from, std::size_t to, double bytes) {
        if (tensor_groups.empty() || tensor != last) {
          tensor_groups.push_back({static_cast<std::uint32_t>(from), {}, bytes});
        }
        tensor_groups.back().readers.push_back(static_cast<std::uint32_t>(to));
        last = tensor;
      });
  for (TensorGroup& tensor_group : tensor_groups)
    std::sort(tensor_group.readers.begin(), tensor_group.readers.end());
  return joined(std::move(tensor_groups));
}

std::vector<TensorGroup> tensor_groups_of_groups(const std::vector<TensorGroup>& of_units,
                                                 const std::int64_t* group_of_unit) {
  const auto group = [&](std::uint32_t unit) {
    return static_cast<std::uint32_t>(group_of_unit[unit]);
  };
  std::vector<TensorGroup> tensor_groups;
  for (const TensorGroup& of_unit : of_units) {
    TensorGroup tensor_group{group(of_unit.from), {}, of_unit.bytes};
    for (const std::uint32_t reader : of_unit.readers) {
      if (group(reader) != tensor_group.from) tensor_group.readers.push_back(group(reader));
    }
    if (tensor_group.readers.empty()) continue;  // what is inside a group does not travel
    std::sort(tensor_group.readers.begin(), tensor_group.readers.end());
    tensor_group.readers.erase(
        std::unique(tensor_group.readers.begin(), tensor_group.readers.end()),
        tensor_group.readers.end());
    tensor_groups.push_back(std::move(tensor_group));
  }
  return joined(std::move(tensor_groups));
}

}  // namespace berth::learn
