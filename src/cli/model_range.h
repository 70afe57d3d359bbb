// Several models under one name: `zoo:enas_cifar:seed=0..23` stands for 24 of them.
#pragma once

#include <string>
#include <vector>

namespace berth::cli {

// The models of the name in ascending order; of several ranges the last varies fastest. Without a
// range, the name itself. Throws InputError; `option` is what the name was given with.
std::vector<std::string> expand_models(const std::string& name, const std::string& option);

}  // namespace berth::cli
