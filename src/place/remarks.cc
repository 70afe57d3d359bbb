#include "place/remarks.h"

#include <fmt/format.h>

#include "base/quantity.h"

namespace berth::place {

std::string remark_on(const Outcome& best) {
  if (!best.routable) return "found no plan with a route for every tensor that is sent";
  if (best.feasible) return "";
  return fmt::format("found no plan that fits; the best is {} over", format_bytes(best.over_bytes));
}

std::string remark_on_repair(const std::string& what, const Outcome& raw, Repair repair,
                             const Outcome& best) {
  if (raw.routable && raw.feasible) return "";
  std::string said = raw.routable ? fmt::format("{} is {} over", what, format_bytes(raw.over_bytes))
                                  : fmt::format("{} lacks a route for a tensor that is sent", what);
  if (repair == Repair::worked) return said + ", so groups were moved";
  if (repair == Repair::failed) said += " and moving groups did not make it fit";
  // The best plan may be the one to start from.
  if (best.routable && best.feasible) return said + "; the plan to start from is kept";
  if (repair == Repair::failed) {
    said += fmt::format("; the best found is {} over", format_bytes(best.over_bytes));
  }
  return said;
}

}  // namespace berth::place
