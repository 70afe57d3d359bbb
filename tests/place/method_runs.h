// Short ways to run methods in tests.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "place/evaluator.h"
#include "place/placer.h"

namespace berth::place::fixtures {

// Runs a method by its string, without budget.
inline Placed run_method(std::string_view method, const Problem& problem, std::uint64_t seed = 1) {
  Request request;
  request.seed = seed;
  return parse_method(method).place(problem, request);
}

// "gpu:0 gpu:0 cpu:0": the device of every op.
inline std::string devices_of(const Problem& problem, const Plan& plan) {
  std::string names;
  for (const DeviceId device : plan.placement) {
    if (!names.empty()) names += ' ';
    names += problem.cluster().device(device).name;
  }
  return names;
}

// Work by device in seconds, for tests of balance.
inline std::vector<double> busy_seconds(const Problem& problem, const Plan& plan) {
  std::vector<double> busy(problem.device_count(), 0);
  for (std::size_t op = 0; op < plan.placement.size(); ++op) {
    busy[plan.placement[op].index()] += problem.seconds(OpId(op), plan.placement[op]);
  }
  return busy;
}

// What the function throws as an InputError, or "nothing".
template <class Function>
std::string input_error_of(const Function& function) {
  try {
    function();
  } catch (const InputError& error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace berth::place::fixtures
