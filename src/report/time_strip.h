// A strip of the timeline: what one device, one channel or the critical path did when, as an SVG
// that is 1000 units wide whatever the step lasts.
//
// Spans narrower than a threshold are merged with their neighbours into blocks coloured by what
// takes most of their time, so the number of shapes a strip is bounded by 2000 / threshold however
// many spans it has.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace berth {

struct StripSpan {
  double begin_seconds = 0;
  double end_seconds = 0;
  std::uint8_t color = 0;    // into the colours of the strip
  bool emphasized = false;   // on the critical path
  std::uint32_t source = 0;  // what the hint is about; the caller's number
};

struct Strip {
  std::vector<StripSpan> spans;  // ascending in begin, not overlapping
};

inline constexpr double kStripUnits = 1000;

struct StripShape {
  double begin_seconds = 0;
  double end_seconds = 0;
  double busy_seconds = 0;
  std::uint8_t color = 0;
  bool emphasized = false;
  std::uint32_t source = 0;  // of the first span
  std::uint32_t spans = 1;
};

// Spans of no length are left out. `threshold` in units of the strip.
std::vector<StripShape> merge_spans(const Strip& strip, double step_seconds, double threshold);

// The smallest threshold from half a unit up, doubling, with which all the strips together have at
// most `most_shapes` shapes.
double choose_threshold(std::span<const Strip> strips, double step_seconds,
                        std::size_t most_shapes);

// The <svg> element. `colors` are CSS class names; `hint` describes one span of the strip.
std::string strip_svg(const Strip& strip, double step_seconds, double threshold, int height,
                      std::span<const char* const> colors,
                      const std::function<std::string(const StripSpan&)>& hint);

}  // namespace berth
