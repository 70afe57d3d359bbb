// Whether the decided groups can fit in memory, and which devices are therefore closed to other
// groups.
//
//  - Parameters stay during the whole step, kept outputs until its end. While an op runs, its
//    inputs, outputs and workspace are there as well.
//  - A tensor that is made (or received) on a device before an op starts there, and is read there
//    after that op has ended, is there while the op runs. Which op comes before which is known from
//    the graph.
//  - Groups that can only go to some of the devices must fit on these together.
#pragma once

#include "place/proof/relaxation.h"

namespace berth::place {

class Capacity {
 public:
  explicit Capacity(const Relaxation& relaxation);

  Narrowed narrow(Domains& domains);

 private:
  void find_waiting();
  void sum_up(const Domains& domains);
  std::int64_t waiting_bytes(const Domains& domains, std::size_t op, DeviceSet device) const;
  bool subsets_fit(const Domains& domains) const;

  const Relaxation& problem_;
  bool limited_ = false;  // some device could not hold everything
  // By op: tensors that may wait on its device while it runs; empty for large graphs.
  Rows<std::uint32_t> waiting_;
  std::vector<std::int64_t> params_, residents_, passing_;  // by device, of what is decided
};

}  // namespace berth::place
