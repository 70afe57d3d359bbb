#include "learn/tensor_groups.h"

#include <algorithm>
#include <tuple>

#include "place/groups/crossings.h"

namespace berth::learn {
namespace {

std::vector<TensorGroup> joined(std::vector<TensorGroup> bundles) {
  std::sort(bundles.begin(), bundles.end(), [](const TensorGroup& left, const TensorGroup& right) {
    return std::tie(left.from, left.readers, left.bytes) <
           std::tie(right.from, right.readers, right.bytes);
  });
  std::size_t kept = 0;
  for (TensorGroup& bundle : bundles) {
    TensorGroup* const last = kept > 0 ? &bundles[kept - 1] : nullptr;
    if (last && last->from == bundle.from && last->readers == bundle.readers) {
      last->bytes += bundle.bytes;
    } else {
      if (&bundles[kept] != &bundle) bundles[kept] = std::move(bundle);
      ++kept;
    }
  }
  bundles.resize(kept);
  return bundles;
}

}  // namespace

std::vector<TensorGroup> bundles_of(const Graph& graph, const place::Units& units) {
  std::vector<TensorGroup> bundles;
  TensorId last;
  place::for_each_crossing(
      graph, units.size(), [&](OpId op) { return units.of_op[op.index()]; },
      [&](TensorId tensor, std::size_t from, std::size_t to, double bytes) {
        if (bundles.empty() || tensor != last) {
          bundles.push_back({static_cast<std::uint32_t>(from), {}, bytes});
        }
        bundles.back().readers.push_back(static_cast<std::uint32_t>(to));
        last = tensor;
      });
  for (TensorGroup& bundle : bundles) std::sort(bundle.readers.begin(), bundle.readers.end());
  return joined(std::move(bundles));
}

std::vector<TensorGroup> bundles_of_groups(const std::vector<TensorGroup>& of_units,
                                           const std::int64_t* group_of_unit) {
  const auto group = [&](std::uint32_t unit) {
    return static_cast<std::uint32_t>(group_of_unit[unit]);
  };
  std::vector<TensorGroup> bundles;
  for (const TensorGroup& of_unit : of_units) {
    TensorGroup bundle{group(of_unit.from), {}, of_unit.bytes};
    for (const std::uint32_t reader : of_unit.readers) {
      if (group(reader) != bundle.from) bundle.readers.push_back(group(reader));
    }
    if (bundle.readers.empty()) continue;  // what is inside a group does not travel
    std::sort(bundle.readers.begin(), bundle.readers.end());
    bundle.readers.erase(std::unique(bundle.readers.begin(), bundle.readers.end()),
                         bundle.readers.end());
    bundles.push_back(std::move(bundle));
  }
  return joined(std::move(bundles));
}

}  // namespace berth::learn
