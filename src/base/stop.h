// Stops a long task early. The starter of the task keeps a StopSource and puts its token into the
// request. The task polls the token and, once a stop was requested, returns the best it has. Each
// task has its own token, so a program can stop one search of several.
//
// Not std::stop_token: requesting a stop there takes a lock, which is not allowed in a signal
// handler.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace berth {

class StopToken {
 public:
  StopToken() = default;  // never stops
  explicit StopToken(std::shared_ptr<const std::atomic<bool>> flag) : flag_(std::move(flag)) {}

  // Cheap enough for inner loops, from any thread.
  bool requested() const { return flag_ && flag_->load(std::memory_order_relaxed); }

 private:
  std::shared_ptr<const std::atomic<bool>> flag_;
};

class StopSource {
 public:
  StopToken token() const { return StopToken(flag_); }
  void request() { flag_->store(true, std::memory_order_relaxed); }

 private:
  std::shared_ptr<std::atomic<bool>> flag_ = std::make_shared<std::atomic<bool>>(false);
};

}  // namespace berth
