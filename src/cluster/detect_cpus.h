// The processors of a Linux machine, one CPU device per NUMA node; see detect.h.
#pragma once

#include <string>
#include <vector>

#include "cluster/topo_machine.h"

namespace berth {

// `proc` and `sys` are the folders. Adds to `notes` what is assumed. Throws InputError when the
// files are not there.
std::vector<MachineCpu> detect_cpus(const std::string& proc, const std::string& sys,
                                    std::vector<std::string>& notes);

// "Xeon Platinum 8168" of "Intel(R) Xeon(R) Platinum 8168 CPU @ 2.70GHz".
std::string plain_processor_name(std::string name);

}  // namespace berth
