// A workload as the user names it, `zoo:NAME:option=value`, taken apart and put together again.
#pragma once

#include <string>

#include "base/options.h"

namespace berth {

bool is_workload(const std::string& model);
Call workload_call(const std::string& model);  // of a workload; throws InputError
std::string spelled(const Call& call);         // with colons, so that it needs no quotes in a shell

}  // namespace berth
