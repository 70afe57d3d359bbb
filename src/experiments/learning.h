// What `berth bench learn` measures: which methods learn, on which problems, beside which controls.
//
// A part is one question with its table: problems, and arms (methods with their options, or
// controls) that run on all of them, each with several seeds. A cell is one arm on one problem with
// one seed. The lists are in learning_parts.cc and nowhere else.
//
// A training leaves two files in the folder of the run: its learning curve and its result. A cell
// whose result is there is not run again, so a run can be stopped and continued, and several
// processes can share a folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::experiments {

struct LearningProblem {
  std::string name;  // short, for tables and file names
  std::string workload;
  std::string cluster;
  double evaluations = 0;  // the most of an arm that searches or learns
  std::string units = {};  // of the learned methods; empty for what each has
};

struct LearningArm {
  std::string name;    // short, for tables and file names
  std::string method;  // with options
  std::string of;      // the arm that this one is a control or a variant of; empty for none
  bool drawn = true;   // by chance: it runs with every seed, the others with one
  // The most evaluations it gets on any problem, for arms that need fewer; 0 for no limit.
  double most_evaluations = 0;
};

struct LearningPart {
  std::string name;   // for the command line
  std::string title;  // for people
  std::vector<LearningProblem> problems;
  std::vector<LearningArm> arms;
  bool against_expert = false;  // has a table of how soon policies are as good as the expert
};

inline constexpr std::uint64_t kLearningSeeds = 5;

const std::vector<LearningPart>& learning_parts();

struct LearningCell {
  const LearningPart* part = nullptr;
  const LearningProblem* problem = nullptr;
  const LearningArm* arm = nullptr;
  std::uint64_t seed = 0;

  std::string file_name() const;  // "published.layered60.hdp.0", without an ending
  std::string method() const;     // of the arm, with the units of the problem
  double evaluations() const;
  std::string task() const;  // for people
};
// All cells, seed by seed, so that a run that is stopped early has all arms of the first seeds.
std::vector<LearningCell> learning_cells(const LearningPart& part, std::uint64_t seeds);

// Step times in seconds; none where no plan fits or where there is nothing of the kind.
struct LearningResult {
  std::optional<double> step;          // of the best plan
  std::optional<double> greedy;        // of the final policy's greedy plan
  std::optional<double> first_mean;    // of the first 200 samples, those that fit
  std::optional<double> last_mean;     // of the last 200 samples, those that fit
  std::optional<double> last_fitting;  // share of the last 200 samples that fits
  std::optional<double> bound;         // no placement is shorter
  // Evaluations until the mean of 200 samples was at most the expert's step; none when it never
  // was, or there is no expert.
  std::optional<double> to_expert;
  std::int64_t updates = 0;
  std::int64_t zero_gradients = 0;  // longest run of updates whose gradient was exactly 0
  double evaluations = 0;
  double seconds = 0;
};

std::string learning_result_json(const LearningCell& cell, const LearningResult& result);
// Throws InputError.
LearningResult parse_learning_result(std::string_view text, std::string_view source);

// A line of a learning curve, as far as it is needed here.
struct CurveLine {
  double evaluations = 0;
  double mean_seconds = 0;  // of the last kCurveSamples samples; 0 when none of them fits
  double gradient_norm = 0;
};
inline constexpr double kCurveSamples = 200;
// Throws InputError.
std::vector<CurveLine> curve_lines(std::string_view text, std::string_view source);

// Takes from a learning curve what the result needs: the mean of the first samples, the longest run
// of zero gradients, and when the samples were as good as the expert's plan. Throws InputError.
void read_curve(std::string_view text, std::string_view source, std::optional<double> expert_step,
                LearningResult& result);

}  // namespace berth::experiments
