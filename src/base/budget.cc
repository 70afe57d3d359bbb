#include "base/budget.h"

#include <fmt/format.h>

#include <cmath>

#include "base/decimal.h"
#include "base/error.h"
#include "base/quantity.h"

namespace berth {
namespace {

[[noreturn]] void refuse(std::string_view text, std::string_view why) {
  throw InputError(
      fmt::format(
          "the budget {} {}; write a time such as 10s, 2min or 1h, or a number of evaluations such "
          "as 5000evals",
          quoted(text), why),
      {.code = ErrorCode::bad_option, .subject = "budget"});
}

void parse_part(std::string_view part, std::string_view whole, Budget& budget) {
  const Decimal number = parse_decimal(part);
  if (number.length == 0) refuse(whole, "does not begin with a number");
  const std::string_view unit = trimmed(part.substr(number.length));
  const bool counts = unit == "evals" || unit == "eval" || unit == "evaluations";
  if (unit.empty()) refuse(whole, "has no unit");
  double amount = number.value;
  if (!(amount > 0)) refuse(whole, "must be more than 0");
  constexpr double kLargest = 1e300;  // finite in every unit
  if (amount > kLargest) refuse(whole, "is too large");
  if (!counts) {
    try {
      amount = parse_quantity(part, Dimension::seconds);
    } catch (const InputError&) {
      refuse(whole, fmt::format("has the unknown unit {}", quoted(unit)));
    }
  }
  if (!(amount > 0)) refuse(whole, "must be more than 0");
  double& limit = counts ? budget.evaluations : budget.seconds;
  if (std::isfinite(limit)) refuse(whole, "gives the same limit twice");
  limit = amount;
}

}  // namespace

Budget parse_budget(std::string_view text) {
  Budget budget;
  std::string_view rest = text;
  for (;;) {
    const std::size_t comma = rest.find(',');
    parse_part(trimmed(rest.substr(0, comma)), text, budget);
    if (comma == rest.npos) return budget;
    rest.remove_prefix(comma + 1);
  }
}

std::string format_budget(const Budget& budget) {
  const std::string seconds =
      std::isfinite(budget.seconds) ? fmt::format("{}s", budget.seconds) : std::string();
  const std::string evaluations = std::isfinite(budget.evaluations)
                                      ? fmt::format("{}evals", budget.evaluations)
                                      : std::string();
  if (seconds.empty() && evaluations.empty()) return "unlimited";
  if (seconds.empty() || evaluations.empty()) return seconds + evaluations;
  return seconds + "," + evaluations;
}

}  // namespace berth
