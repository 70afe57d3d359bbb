// How much shorter a step is than the human expert's: the headline figure of the papers. Ours is
// shown next to it, with the largest reduction that the lower bound allows. So it is clear which
// published figures no placement could reach under this cost model, and where ours is nearly proven
// optimal.
//
// Reductions of step times carry over between machines better than times do, but not exactly: a
// human plan that was slow there for reasons outside any cost model leaves less to gain here.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/json_writer.h"
#include "experiments/published_results.h"
#include "report/text.h"

namespace berth::experiments {

inline constexpr const char* kCostTableNote =
    "The cost table is not tuned for reductions. It is fitted only to the times marked as fitted "
    "in berth bench hdp and berth bench mars.";

// Fractions of the human expert's step; 0.606 is 60.6% shorter, below 0 is longer. Absent where one
// of the two steps is: out of memory, or not published.
struct Reduction {
  std::optional<double> published;
  bool printed = false;                 // in the paper; otherwise worked out from its seconds
  bool verified = false;                // read in the source
  std::optional<double> ours;           // auto that only places, as the papers do
  std::optional<double> with_schedule;  // auto that orders ops as well
  std::optional<double> most;           // that the lower bound of placement leaves
  std::optional<double> gap;            // of auto's step to that bound; 0.01 is 1% above

  bool proven() const;     // the gap is within 1%
  bool reachable() const;  // false: the published reduction is more than the bound leaves
  std::string remark() const;
};

Reduction reduction_of(const PublishedTable& table, const OurRow& row);

std::string reductions_text(const PublishedTable& table, const std::vector<OurRow>& rows,
                            report::Ink ink);
// As the object "reduction" of a row.
void write_reduction(JsonWriter& json, const PublishedTable& table, const OurRow& row);

}  // namespace berth::experiments
