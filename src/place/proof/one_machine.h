// The jobs of a device, a channel or the whole cluster, added one by one. bounds/one_machine.h says
// how soon they can be done.
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
  // An upper bound on least_end() in one pass without sorting. If it is small enough, least_end()
  // need not be computed.
  double most_end() const;

 private:
  std::vector<bounds::Job> jobs_;
  std::vector<bounds::Job> sorted_, open_;  // scratch
};

}  // namespace berth::place
