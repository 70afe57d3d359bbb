// The only random generator: xoshiro256** seeded through splitmix64. It is passed in, never global,
// never seeded from a clock, and gives the same numbers on every platform (which the distributions
// of the standard library do not promise), so that one seed means one plan.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>

namespace berth {

class Random {
 public:
  explicit Random(std::uint64_t seed) {
    for (auto& word : state_) word = splitmix(seed);
  }

  std::uint64_t next() {
    const std::uint64_t result = rotate(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = rotate(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound) without bias; bound > 0.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t reject_under = (0 - bound) % bound;
    for (;;) {
      const std::uint64_t word = next();
      if (word >= reject_under) return word % bound;
    }
  }

  // Uniform in [low, high], both included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  // Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  bool chance(double probability) { return uniform() < probability; }

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // Its state, to continue from there later.
  std::array<std::uint64_t, 4> state() const { return state_; }
  void restore(const std::array<std::uint64_t, 4>& state) { state_ = state; }

  // An independent generator for a sub-task, so that more draws in one part do not change another.
  Random fork() { return Random(next()); }

 private:
  static std::uint64_t rotate(std::uint64_t word, int by) {
    return (word << by) | (word >> (64 - by));
  }
  static std::uint64_t splitmix(std::uint64_t& seed) {
    std::uint64_t word = (seed += 0x9e3779b97f4a7c15u);
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9u;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebu;
    return word ^ (word >> 31);
  }

  std::array<std::uint64_t, 4> state_;
};

}  // namespace berth
