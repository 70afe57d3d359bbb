// The answer as text, in the order in which users ask: does the plan fit, how fast is it, how much
// faster could it be, what limits it. The command adds which files were written.
#pragma once

#include <span>
#include <string>

#include "report/analysis.h"
#include "report/text.h"
#include "report/throughput.h"

namespace berth::report {

struct SummaryInput {
  Heading heading;
  const Analysis& analysis;
  std::span<const Reference> references = {};
  std::string remark = {};  // of the method; may be empty
  // What users of the caller type before the name of a device to do without it; may be empty.
  std::string without_flag = {};
};

std::string summarize(const SummaryInput& input, Ink ink);

// The parts of it.
std::string fit_section(const Analysis& analysis, Ink ink, const std::string& without_flag = "");
std::string speed_section(const Analysis& analysis, std::span<const Reference> references,
                          const StepSize& size, Ink ink);
std::string limits_section(const Analysis& analysis, Ink ink);

// "best placement": what the bound for these tasks is a bound of. A plan that decides more than
// these tasks may be shorter.
std::string_view best_name(Tasks tasks);
// "at most 4.1% above the best placement", or why that cannot be said.
std::string gap_sentence(double step_seconds, bool feasible, const bounds::Bound& bound);

// "decoder/lstm:0 (copy)", as lists of what is alive at a peak name it.
std::string alive_name(const Graph& graph, const Timeline::Alive& alive, std::size_t most_columns);

}  // namespace berth::report
