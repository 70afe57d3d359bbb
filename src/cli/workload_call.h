// A workload as the user names it, `zoo:NAME:option=value`, parsed and put together again.
#pragma once

#include <string>
#include <vector>

#include "base/options.h"

namespace berth::cli {

bool is_workload(const std::string& model);
Call workload_call(const std::string& model);  // of a workload; throws InputError
std::string spelled(const Call& call);         // with colons, so that it needs no quotes in a shell

// Throws InputError when the workload has no such option (listing those it has), or when its name
// sets it already.
void check_dim(const std::string& workload, const std::string& option);

// The workload with every `--dim OPTION=VALUE` as an option. Throws InputError, also when an option
// is given twice; whether the value will do, loading says.
std::string with_dim_options(const std::string& workload, const std::vector<std::string>& dims);

}  // namespace berth::cli
