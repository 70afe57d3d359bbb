// The learned methods as plain data: names, summaries, references and hyperparameters. They are in
// the core so that `berth methods` and the check of a method's options do not need the learned
// module, which takes half a second to load.
//
// Every hyperparameter is an option of the method's string and has two values: one in the preset
// `fast` (sized for a CPU; the default) and one in the preset `paper` (as published).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"

namespace berth::place {

struct Hyperparameter {
  OptionSpec option;        // its default is the value of the preset `fast`
  std::string paper_value;  // the value of the preset `paper`
};

struct LearnedMethod {
  std::string name;
  std::string summary;
  std::string reference;
  std::vector<Hyperparameter> hyperparameters;

  std::vector<OptionSpec> options() const;  // these, and `preset`
  bool has(std::string_view option) const;
};

const std::vector<LearnedMethod>& learned_methods();  // in the order of listings
// Their names, for messages.
std::vector<std::string> learned_names();

const LearnedMethod* find_learned(std::string_view name);  // null when there is none

// The options, with those that were not given set as in their preset.
Options resolve_preset(const LearnedMethod& method, const Options& given);

// What a policy file keeps: the method with the value of every option, so that the policy means the
// same when a default changes. And what people read of it: the options that differ from the preset
// as it is now; `text` unchanged when it names no learned method.
std::string complete_method(const LearnedMethod& method, const Options& given);
std::string brief_method(const std::string& text);

}  // namespace berth::place
