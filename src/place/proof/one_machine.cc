#include "place/proof/one_machine.h"

#include <algorithm>

namespace berth::place {

double OneMachine::most_end() const {
  bounds::Job all;
  for (const bounds::Job& job : jobs_) {
    all.head = std::max(all.head, job.head);
    all.tail = std::max(all.tail, job.tail);
    all.work += job.work;
  }
  return all.head + all.work + all.tail;
}

double OneMachine::least_end() {
  sorted_ = jobs_;
  return bounds::jackson_seconds(sorted_, open_);
}

}  // namespace berth::place
