#include "report/throughput.h"

#include <fmt/format.h>

#include <cmath>

#include "base/quantity.h"
#include "report/text.h"

namespace berth::report {
namespace {

// Sizes are whole, whatever they are kept as.
std::string size_text(double size) { return format_count(static_cast<std::uint64_t>(size)); }

}  // namespace

std::optional<double> samples_per_second(const StepSize& size, double step_seconds) {
  if (!size.known() || !(step_seconds > 0)) return std::nullopt;
  return size.samples / step_seconds;
}

std::optional<double> tokens_per_second(const StepSize& size, double step_seconds) {
  if (!size.has_tokens() || !(step_seconds > 0)) return std::nullopt;
  return size.tokens() / step_seconds;
}

std::string format_throughput(double throughput) {
  if (throughput >= 1000) return format_count(static_cast<std::uint64_t>(std::llround(throughput)));
  if (throughput >= 100) return fmt::format("{:.0f}", throughput);
  if (throughput >= 10) return fmt::format("{:.1f}", throughput);
  if (throughput >= 1) return fmt::format("{:.2f}", throughput);
  return fmt::format("{:.3g}", throughput);
}

std::string throughput_sentence(const StepSize& size, double step_seconds) {
  const auto samples = samples_per_second(size, step_seconds);
  if (!samples) return "";
  std::string text = fmt::format("{} samples/s", format_throughput(*samples));
  std::string from = fmt::format("{}={}", plain_name(size.batch_dim, 20),
                                 static_cast<std::uint64_t>(size.samples));
  if (const auto tokens = tokens_per_second(size, step_seconds)) {
    text += fmt::format(", {} tokens/s", format_throughput(*tokens));
    from += fmt::format(", {}={}", plain_name(size.sequence_dim, 20),
                        static_cast<std::uint64_t>(size.length));
  }
  return fmt::format("{} ({}).", text, from);
}

std::string step_size_text(const StepSize& size) {
  if (!size.known()) return "";
  std::string text =
      fmt::format("{} {} ({})", size_text(size.samples), size.samples == 1 ? "sample" : "samples",
                  plain_name(size.batch_dim, 20));
  if (size.has_tokens()) {
    text += fmt::format(" of {} tokens ({})", size_text(size.length),
                        plain_name(size.sequence_dim, 20));
  }
  return text;
}

void write_step_size(JsonWriter& json, const StepSize& size) {
  json.field("batch", size.known() ? std::optional(size.samples) : std::nullopt);
  json.field("tokens", size.has_tokens() ? std::optional(size.tokens()) : std::nullopt);
}

void write_throughput(JsonWriter& json, const StepSize& size, double step_seconds) {
  json.field("samples_per_second", samples_per_second(size, step_seconds));
  json.field("tokens_per_second", tokens_per_second(size, step_seconds));
}

}  // namespace berth::report
