// Where `place` gets its plan from: a method of the registry, or a policy that was trained before.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "cli/outputs.h"
#include "place/learned/module.h"

namespace berth::cli {

struct WayArguments {
  std::string method;
  std::string policy;
  std::string samples;
  std::string finetune;
  OutputFile curve{"--curve", ""};
  bool method_given = false;
  bool budget_given = false;

  void declare(Arguments& arguments);
};

struct PlanSource {
  std::string name;              // the method as its options have it, or policy(FILE)
  bool keeps = false;            // it respects Request::keep
  bool knows_bound = false;      // and Request::gap
  bool learned = false;          // a policy places, which decides devices alone
  bool sampled = true;           // of a policy: plans are drawn from it
  std::string policy_path = {};  // empty for a method
  std::vector<std::string> input_files = {};
  std::optional<place::PolicySummary> policy;  // what the file says of itself, once it was asked
  std::function<place::Placed(const Problem&, const place::Request&)> place;
};

// Throws InputError when the arguments contradict each other or there is no such policy file. The
// contents of the file are not read yet: that needs the learned part, which takes time to load.
PlanSource choose_way(const WayArguments& arguments);

}  // namespace berth::cli
