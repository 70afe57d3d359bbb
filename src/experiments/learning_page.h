// Learning curves of learning.h as a page: one picture per problem, with a line per policy and one
// for each plan that needs no learning.
#pragma once

#include <string>
#include <vector>

#include "experiments/learning_run.h"
#include "report/html/html_origin.h"

namespace berth::experiments {

// The mean step of the last 200 samples of a run, against its evaluations.
struct CurvePoint {
  double evaluations = 0;
  double mean_seconds = 0;
};
// Throws InputError.
std::vector<CurvePoint> curve_points(std::string_view text, std::string_view source);

// Several runs as one line: at equally spaced evaluations the mean over the runs, from where all
// have 200 samples. Each run counts with its last point before.
std::vector<CurvePoint> mean_curve(const std::vector<std::vector<CurvePoint>>& runs);

// Of these parts, with the curves in the folder. Throws InputError.
std::string learning_html(const std::string& folder, const std::vector<LearningRecord>& records,
                          const report::Origin& origin);

}  // namespace berth::experiments
