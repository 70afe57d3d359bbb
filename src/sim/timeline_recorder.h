// Collects the reports of the general engine and makes a Timeline of them.
#pragma once

#include <cstdint>
#include <vector>

#include "cost/problem.h"
#include "sim/assignment.h"
#include "sim/timeline.h"

namespace berth {

class TimelineRecorder {
 public:
  static constexpr bool kEnabled = true;

  TimelineRecorder(const Program& program, const Assignment& assignment)
      : program_(program), assignment_(assignment) {}

  void op(std::uint32_t kernel, double start, double end, double ready);
  void transfer(std::uint32_t tensor, std::size_t from, std::size_t to, double sent, double start,
                double end);
  // Bytes held by a tensor on a device during [from, until), or by a kernel's workspace when
  // `tensor` is Program::kNone.
  void memory(bool is_copy, std::uint32_t tensor, std::uint32_t kernel, std::size_t device,
              double from, double until, std::int64_t bytes);

  Timeline finish(const Problem& problem, const Outcome& outcome);

 private:
  Timeline::DeviceMemory account(std::vector<Timeline::Held> held, std::int64_t params,
                                 std::int64_t usable) const;

  const Program& program_;
  const Assignment& assignment_;
  Timeline timeline_;
  std::vector<std::vector<Timeline::Held>> held_;  // by device
};

}  // namespace berth
