#include "learn/bundles.h"

#include <algorithm>
#include <tuple>

#include "place/crossings.h"

namespace berth {
namespace {

std::vector<Bundle> joined(std::vector<Bundle> bundles) {
  std::sort(bundles.begin(), bundles.end(), [](const Bundle& left, const Bundle& right) {
    return std::tie(left.from, left.readers, left.bytes) <
           std::tie(right.from, right.readers, right.bytes);
  });
  std::size_t kept = 0;
  for (Bundle& bundle : bundles) {
    Bundle* const last = kept > 0 ? &bundles[kept - 1] : nullptr;
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

std::vector<Bundle> bundles_of(const Graph& graph, const Units& units) {
  std::vector<Bundle> bundles;
  TensorId last;
  for_each_crossing(
      graph, units.size(), [&](OpId op) { return units.of_op[op.index()]; },
      [&](TensorId tensor, std::size_t from, std::size_t to, double bytes) {
        if (bundles.empty() || tensor != last) {
          bundles.push_back({static_cast<std::uint32_t>(from), {}, bytes});
        }
        bundles.back().readers.push_back(static_cast<std::uint32_t>(to));
        last = tensor;
      });
  for (Bundle& bundle : bundles) std::sort(bundle.readers.begin(), bundle.readers.end());
  return joined(std::move(bundles));
}

std::vector<Bundle> bundles_of_groups(const std::vector<Bundle>& of_units,
                                      const std::int64_t* group_of_unit) {
  const auto group = [&](std::uint32_t unit) {
    return static_cast<std::uint32_t>(group_of_unit[unit]);
  };
  std::vector<Bundle> bundles;
  for (const Bundle& of_unit : of_units) {
    Bundle bundle{group(of_unit.from), {}, of_unit.bytes};
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

}  // namespace berth
