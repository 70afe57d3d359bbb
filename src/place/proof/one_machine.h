// The jobs that a device, a channel or the whole cluster has to work off, put together step by
// step; bounds/one_machine.h says how soon they can be done.
#pragma once

#include <vector>

#include "bounds/one_machine.h"

namespace berth::place {

class OneMachine {
 public:
  void clear() { jobs_.clear(); }
  void add(const bounds::Job& job) { jobs_.push_back(job); }
  bool empty() const { return jobs_.empty(); }
  std::size_t size() const { return jobs_.size(); }
  void shrink(std::size_t size) { jobs_.resize(size); }

  double least_end();
  // No less than least_end() and quick, to see whether that can matter.
  double most_end() const;

 private:
  std::vector<bounds::Job> jobs_;
  std::vector<bounds::Job> sorted_, open_;  // scratch
};

}  // namespace berth::place
