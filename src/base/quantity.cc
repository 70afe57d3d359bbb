#include "base/quantity.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "base/decimal.h"
#include "base/error.h"

namespace berth {
namespace {

constexpr double kKibi = 1024.0;
constexpr double kMebi = kKibi * 1024;
constexpr double kGibi = kMebi * 1024;
constexpr double kTebi = kGibi * 1024;
constexpr double kPebi = kTebi * 1024;

// A unit either multiplies or divides, by a factor that is an exact double: a microsecond divides
// by 1e6, because 1e-6 is no exact double and multiplying by it would round twice.
struct Unit {
  std::string_view name;
  double multiply = 1;
  double divide = 1;
};

constexpr Unit kBytes[] = {{"B"},          {"kB", 1e3},    {"KB", 1e3},    {"MB", 1e6},
                           {"GB", 1e9},    {"TB", 1e12},   {"PB", 1e15},   {"KiB", kKibi},
                           {"MiB", kMebi}, {"GiB", kGibi}, {"TiB", kTebi}, {"PiB", kPebi}};
constexpr Unit kSeconds[] = {{"s"},       {"ms", 1, 1e3}, {"us", 1, 1e6},      {"ns", 1, 1e9},
                             {"min", 60}, {"h", 3600},    {"\u00b5s", 1, 1e6}, {"\u03bcs", 1, 1e6}};
constexpr Unit kRates[] = {{"B/s"},          {"kB/s", 1e3},    {"KB/s", 1e3},    {"MB/s", 1e6},
                           {"GB/s", 1e9},    {"TB/s", 1e12},   {"KiB/s", kKibi}, {"MiB/s", kMebi},
                           {"GiB/s", kGibi}, {"TiB/s", kTebi}, {"b/s", 1, 8},    {"kb/s", 125},
                           {"Kb/s", 125},    {"Mb/s", 1.25e5}, {"Gb/s", 1.25e8}, {"Tb/s", 1.25e11}};
// Spelled FLOPS, FLOP/s or flop/s behind the prefix.
constexpr Unit kFlopsPrefixes[] = {{""},       {"k", 1e3},  {"K", 1e3}, {"M", 1e6},
                                   {"G", 1e9}, {"T", 1e12}, {"P", 1e15}};
constexpr std::string_view kFlopsSpellings[] = {"FLOPS", "FLOP/s", "flops", "flop/s"};

std::span<const Unit> units_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::bytes:
      return kBytes;
    case Dimension::seconds:
      return kSeconds;
    case Dimension::bytes_per_second:
      return kRates;
    case Dimension::flops:
      return kFlopsPrefixes;
  }
  return {};
}

std::string_view noun_of(Dimension dimension) {
  switch (dimension) {
    case Dimension::bytes:
      return "size";
    case Dimension::seconds:
      return "time";
    case Dimension::bytes_per_second:
      return "bandwidth";
    case Dimension::flops:
      return "rate of operations";
  }
  return {};
}

const Unit* find_unit(std::string_view name, Dimension dimension) {
  if (dimension == Dimension::flops) {
    for (const std::string_view spelling : kFlopsSpellings) {
      if (!name.ends_with(spelling)) continue;
      name.remove_suffix(spelling.size());
      for (const Unit& unit : kFlopsPrefixes)
        if (unit.name == name) return &unit;
      return nullptr;
    }
    return nullptr;
  }
  for (const Unit& unit : units_of(dimension))
    if (unit.name == name) return &unit;
  return nullptr;
}

std::vector<std::string> unit_names(Dimension dimension) {
  std::vector<std::string> names;
  for (const Unit& unit : units_of(dimension)) {
    const bool second_spelling =
        unit.name.starts_with('K') && unit.name.find('i') == unit.name.npos;
    const bool ascii = unit.name.empty() || static_cast<unsigned char>(unit.name[0]) < 0x80;
    if (second_spelling || !ascii) continue;
    names.push_back(std::string(unit.name) + (dimension == Dimension::flops ? "FLOPS" : ""));
  }
  return names;
}

[[noreturn]] void refuse(std::string_view text, Dimension dimension, std::string_view why,
                         std::string_view wrong_unit = {}) {
  const std::vector<std::string> names = unit_names(dimension);
  throw InputError(fmt::format("{} is not a {}: {}; known units are {}{}", quoted(text),
                               noun_of(dimension), why, join_names(names),
                               did_you_mean(wrong_unit, names)));
}

// Three significant digits, or all digits before the point if there are more.
std::string three_digits(double value) {
  const double size = std::abs(value);
  if (size < 0.0995) return fmt::format("{:.3g}", value);
  if (size < 0.9995) return fmt::format("{:.3f}", value);
  if (size < 9.995) return fmt::format("{:.2f}", value);
  if (size < 99.95) return fmt::format("{:.1f}", value);
  return fmt::format("{:.0f}", value);
}

struct Step {
  double factor;
  std::string_view name;
};

// Written in the largest unit in which the rounded value is at least 1 (the steps go from small to
// large), so that 1023.9 KiB becomes 1.00 MiB and not 1024 KiB.
std::string format_scaled(double value, std::span<const Step> steps) {
  if (std::isnan(value)) return "unknown";
  const Step* chosen = &steps.front();
  for (const Step& step : steps) {
    if (std::abs(value) / step.factor >= 0.9995) chosen = &step;
  }
  return fmt::format("{} {}", three_digits(value / chosen->factor), chosen->name);
}

}  // namespace

double parse_quantity(std::string_view text, Dimension dimension) {
  const std::string_view content = trimmed(text);
  const Decimal number = parse_decimal(content);
  if (number.length == 0) refuse(text, dimension, "it does not begin with a number");
  const std::string_view unit_name = trimmed(content.substr(number.length));
  if (unit_name.empty()) refuse(text, dimension, "the unit is missing");
  const Unit* unit = find_unit(unit_name, dimension);
  if (!unit) {
    refuse(text, dimension, fmt::format("the unit {} is unknown", quoted(unit_name)), unit_name);
  }
  if (number.value < 0) refuse(text, dimension, "it is negative");
  const double value =
      unit->divide == 1 ? number.value * unit->multiply : number.value / unit->divide;
  if (!std::isfinite(value)) refuse(text, dimension, "it is too large");
  return value + 0.0;  // a minus zero becomes a plain one
}

std::int64_t to_bytes(double bytes) {
  const double rounded = std::round(bytes);
  if (!(std::abs(rounded) < 0x1p63)) {
    throw InputError(fmt::format("{} bytes do not fit in 63 bits", bytes));
  }
  return static_cast<std::int64_t>(rounded);
}

std::string format_bytes(std::int64_t bytes) {
  if (bytes == kUnlimitedBytes) return "unlimited";
  if (bytes > -1024 && bytes < 1024) return fmt::format("{} B", bytes);
  constexpr Step kSteps[] = {
      {kKibi, "KiB"}, {kMebi, "MiB"}, {kGibi, "GiB"}, {kTebi, "TiB"}, {kPebi, "PiB"}};
  return format_scaled(static_cast<double>(bytes), kSteps);
}

std::string format_seconds(double seconds) {
  if (seconds == 0) return "0 s";
  if (std::isinf(seconds)) return "unlimited";
  // Minutes only from two on: "90.0 s" is easier to compare with "45.0 s" than "1.50 min".
  constexpr Step kSteps[] = {{1e-9, "ns"}, {1e-6, "us"}, {1e-3, "ms"}, {1, "s"}};
  constexpr Step kLong[] = {{60, "min"}, {3600, "h"}};
  const bool is_long = std::abs(seconds) >= 120;
  return is_long ? format_scaled(seconds, kLong) : format_scaled(seconds, kSteps);
}

std::string format_rate(double bytes_per_second) {
  if (bytes_per_second == 0) return "0 B/s";
  if (std::isinf(bytes_per_second)) return "unlimited";
  constexpr Step kSteps[] = {
      {1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}};
  return format_scaled(bytes_per_second, kSteps);
}

std::string format_flops(double flops) {
  if (flops == 0) return "0 FLOPS";
  if (std::isinf(flops)) return "unlimited";
  constexpr Step kSteps[] = {{1, "FLOPS"},    {1e3, "kFLOPS"},  {1e6, "MFLOPS"},
                             {1e9, "GFLOPS"}, {1e12, "TFLOPS"}, {1e15, "PFLOPS"}};
  return format_scaled(flops, kSteps);
}

std::string format_count(std::uint64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

}  // namespace berth
