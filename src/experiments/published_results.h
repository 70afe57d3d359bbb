// Our results for a published table, and both side by side as text and as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "experiments/published.h"
#include "report/text.h"

namespace berth::experiments {

// Our result for one cell.
struct OurCell {
  bool ran = false;
  bool fits = false;
  double seconds = 0;
  double bound_seconds = 0;       // no plan with the decisions of this column is shorter
  std::int64_t peak_bytes = 0;    // on the fullest device
  std::int64_t usable_bytes = 0;  // of that device
};

struct OurRow {
  const PublishedRow* published = nullptr;
  std::vector<OurCell> cells = {};  // one per column
  double bound_seconds = 0;         // no plan that only places is shorter
  double flops = 0;
  double gpu_peak = 0;  // flop/s of one GPU
};

// "0.84", "OOM", "-"; with a question mark where the figure could not be read in its source.
std::string published_text(const PublishedCell& cell);

std::string published_answer(const PublishedTable& table, const std::vector<OurRow>& rows,
                             report::Ink ink);
std::string published_json(const PublishedTable& table, const std::vector<OurRow>& rows);

}  // namespace berth::experiments
