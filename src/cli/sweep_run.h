// The points of a sweep: every combination of clusters and sizes, or per cluster the search for the
// largest batch that fits.
#pragma once

#include <string>
#include <vector>

#include "cli/search.h"
#include "cli/sweep_dims.h"
#include "report/sweep.h"

namespace berth::cli {

struct SweepRequest {
  SettingArguments setting;  // its cluster and dims are filled in for every point
  SearchArguments search;
  place::Method method;
  std::vector<std::string> clusters;
  std::vector<SweptDim> dims;
};

// The cluster as it is named in a sweep, with what it is without. Throws InputError.
std::string swept_cluster_text(const SettingArguments& arguments, const std::string& cluster);

// Ctrl-C ends it with what is done so far, and the current point with its best plan.
// Throws InputError when no point could be tried; else a point that could not says why.
report::Sweep run_sweep(const SweepRequest& request, const Console& console);

}  // namespace berth::cli
