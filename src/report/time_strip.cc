#include "report/time_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/units.h"
#include "report/html_text.h"
#include "report/text.h"

namespace berth {
namespace {

constexpr std::size_t kMostColors = 8;
// Thinner than this a shape is not drawn at all by some browsers.
constexpr double kThinnest = 0.25;

// Spans gathered until something wide or a gap ends the block.
class Block {
 public:
  void add(const StripSpan& span) {
    const double seconds = span.end_seconds - span.begin_seconds;
    if (count_ == 0) {
      begin_ = span.begin_seconds;
      source_ = span.source;
    }
    end_ = std::max(end_, span.end_seconds);
    count_ += 1;
    busy_ += seconds;
    by_color_[span.color] += seconds;
    if (span.emphasized) emphasized_ += seconds;
  }
  bool empty() const { return count_ == 0; }
  double end() const { return end_; }

  StripShape shape() const {
    const auto largest = std::max_element(by_color_.begin(), by_color_.end());
    return {.begin_seconds = begin_,
            .end_seconds = end_,
            .busy_seconds = busy_,
            .color = static_cast<std::uint8_t>(largest - by_color_.begin()),
            .emphasized = emphasized_ * 2 > busy_,
            .source = source_,
            .spans = count_};
  }

 private:
  double begin_ = 0, end_ = 0, busy_ = 0, emphasized_ = 0;
  std::uint32_t source_ = 0;
  std::uint32_t count_ = 0;
  std::array<double, kMostColors> by_color_ = {};
};

}  // namespace

std::vector<StripShape> merge_spans(const Strip& strip, double step_seconds, double threshold) {
  std::vector<StripShape> shapes;
  if (step_seconds <= 0) return shapes;
  const double narrow = threshold / kStripUnits * step_seconds;
  Block block;
  const auto flush = [&] {
    if (!block.empty()) shapes.push_back(block.shape());
    block = Block();
  };
  for (const StripSpan& span : strip.spans) {
    const double seconds = span.end_seconds - span.begin_seconds;
    if (seconds <= 0) continue;
    if (!block.empty() && span.begin_seconds - block.end() >= narrow) flush();
    if (seconds >= narrow) {
      flush();
      block.add(span);
      flush();
    } else {
      block.add(span);
    }
  }
  flush();
  return shapes;
}

double choose_threshold(std::span<const Strip> strips, double step_seconds,
                        std::size_t most_shapes) {
  double threshold = 0.5;
  for (;; threshold *= 2) {
    std::size_t shapes = 0;
    for (const Strip& strip : strips) shapes += merge_spans(strip, step_seconds, threshold).size();
    if (shapes <= most_shapes || threshold >= kStripUnits) return threshold;
  }
}

std::string strip_svg(const Strip& strip, double step_seconds, double threshold, int height,
                      std::span<const char* const> colors,
                      const std::function<std::string(const StripSpan&)>& hint) {
  std::string out = fmt::format(
      "<svg class=\"t\" viewBox=\"0 0 1000 {}\" preserveAspectRatio=\"none\" "
      "style=\"height:{}px\">",
      height, height);
  for (const StripShape& shape : merge_spans(strip, step_seconds, threshold)) {
    const double scale = kStripUnits / step_seconds;
    const double width = std::max(kThinnest, (shape.end_seconds - shape.begin_seconds) * scale);
    std::string text;
    std::string density;
    if (shape.spans == 1) {
      text = hint(
          {shape.begin_seconds, shape.end_seconds, shape.color, shape.emphasized, shape.source});
    } else {
      // A block is as dense as it is busy, so that idle time shows where single spans cannot.
      const double length = shape.end_seconds - shape.begin_seconds;
      const double busy = std::min(1.0, shape.busy_seconds / length);
      density = fmt::format(" fill-opacity=\"{}\"", short_number(std::max(0.15, busy)));
      text = fmt::format("{} short ones in {}, {} busy", format_count(shape.spans),
                         format_seconds(length), format_percent(busy));
    }
    out += fmt::format(
        "<rect class=\"{}{}\" x=\"{}\" width=\"{}\" height=\"{}\"{}><title>{}</title></rect>",
        colors[shape.color], shape.emphasized ? " e" : "",
        short_number(shape.begin_seconds * scale), short_number(width), height, density, text);
  }
  return out + "</svg>";
}

}  // namespace berth
