// Runs a number of tasks on a number of threads, the calling one among them. Tasks are taken in
// order; what they may write to must be their own. An exception ends the program.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace berth {

template <class Task>
void in_parallel(std::size_t tasks, std::size_t threads, const Task& task) {
  std::atomic<std::size_t> next = 0;
  const auto work = [&]() noexcept {
    for (std::size_t i = next++; i < tasks; i = next++) task(i);
  };
  std::vector<std::thread> others;
  for (std::size_t i = 1; i < std::min(tasks, threads); ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace berth
