// Runs a number of tasks on a number of threads, including the calling one. Tasks are taken in
// order and must not write to the same data.
//
// If the system provides fewer threads than asked for, these do all the work. When a task throws,
// no further task is started, and the caller gets the exception of the first task, in order, that
// threw. All tasks before that one had been started already, so it is the same at any number of
// threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <vector>

namespace berth {

template <class Task>
void in_parallel(std::size_t tasks, std::size_t threads, const Task& task) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::size_t first_failed = tasks;
  std::exception_ptr failure;
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks; i = next++) {
      try {
        task(i);
      } catch (...) {
        const std::lock_guard lock(mutex);
        if (i < first_failed) failure = std::current_exception();
        first_failed = std::min(first_failed, i);
        next = tasks;
      }
    }
  };
  {
    std::vector<std::jthread> others;
    try {
      others.reserve(std::min(tasks, threads));
      for (std::size_t i = 1; i < std::min(tasks, threads); ++i) others.emplace_back(work);
    } catch (const std::system_error&) {
      // No thread is to be had.
    } catch (const std::bad_alloc&) {
      // No memory for one.
    }
    work();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace berth
