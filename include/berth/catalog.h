// Lists of what can be chosen: methods, workloads and presets.
#pragma once

#include <string>
#include <vector>

#include "berth/export.h"

namespace berth::v1 {

// An option of a method or a workload.
struct OptionFacts {
  std::string name = {};
  std::string default_value = {};
  std::string values = {};  // in words: "a whole number from 1 to 100"
  std::string summary = {};
};

struct MethodFacts {
  std::string name = {};
  std::string summary = {};
  std::string reference = {};
  bool searches = false;  // spends the budget; other methods make only a few plans
  bool learned = false;   // needs the module of learned methods
  std::vector<OptionFacts> options = {};
};

struct WorkloadFacts {
  std::string name = {};  // load it as "zoo:" + name
  std::string summary = {};
  std::vector<OptionFacts> options = {};
};

struct ClusterFacts {
  std::string name = {};
  std::string summary = {};
};

BERTH_API std::vector<MethodFacts> methods();  // those registered at run time come last
BERTH_API std::vector<WorkloadFacts> workloads();
BERTH_API std::vector<ClusterFacts> clusters();  // the common ones; more names are valid
BERTH_API std::string version();                 // of the library: "0.1.0"

}  // namespace berth::v1
