// Strong index types. An op, a tensor, a device and a colocation group are all small integers, and
// it is easy to index an array with the wrong one. These types make that a compile error and cost
// the same as the integer.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>

namespace berth {

template <class Tag, class Integer = std::uint32_t>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::size_t index) : value_(static_cast<Integer>(index)) {}

  // The value of a default-constructed id: no op, no device.
  static constexpr Id none() { return Id(); }

  constexpr std::size_t index() const { return value_; }
  constexpr bool valid() const { return value_ != static_cast<Integer>(-1); }
  constexpr auto operator<=>(const Id&) const = default;

 private:
  Integer value_ = static_cast<Integer>(-1);
};

using OpId = Id<struct OpTag>;          // position in the graph's list of ops
using TensorId = Id<struct TensorTag>;  // numbered by producing op, then by output index
using GroupId = Id<struct GroupTag>;    // colocation group of a Problem
using DeviceId = Id<struct DeviceTag, std::uint16_t>;  // position in the cluster's list of devices

}  // namespace berth

template <class Tag, class Integer>
struct std::hash<berth::Id<Tag, Integer>> {
  std::size_t operator()(berth::Id<Tag, Integer> id) const noexcept { return id.index(); }
};
