#include "report/html/html_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/quantity.h"
#include "report/html/html_data.h"
#include "report/html/html_file.h"
#include "report/html/html_text.h"
#include "report/html/html_timeline.h"
#include "report/remedies.h"
#include "report/summary.h"
#include "report/text.h"

namespace berth::report {
namespace {

constexpr std::size_t kMostPathSteps = 8;
constexpr std::size_t kMostPeaks = 6;
constexpr std::size_t kMostAlive = 6;
// Bars of steps longer than this many times the best are cut off; otherwise the good ones could not
// be told apart.
constexpr double kLongestBar = 6;

constexpr std::array<const char*, 4> kPathClasses = {"heavy-bg", "transfer-bg", "channel-bg",
                                                     "idle-bg"};

// The scripts of the page, which share one scope, in the order in which they build on each other.
constexpr std::array<const char*, 9> kScripts = {"data.js",  "text.js",   "view.js",
                                                 "lanes.js", "memory.js", "why.js",
                                                 "find.js",  "tables.js", "start.js"};

std::string section(std::string_view title, std::string_view sentence, std::string_view content,
                    std::string_view id = {}) {
  std::string out = id.empty() ? "<section>\n" : fmt::format("<section id=\"{}\">\n", id);
  out += fmt::format("<h2>{}</h2>\n", title);
  out += sentence.empty() ? "<p></p>" : fmt::format("<p>{}</p>\n", sentence);
  return out + std::string(content) + "</section>\n";
}

std::string tile(std::string_view label, std::string_view figure, std::string_view kind,
                 std::string_view below) {
  return fmt::format("<div class=\"tile\"><i>{}</i><b class=\"{}\">{}</b><small>{}</small></div>\n",
                     label, kind, figure, below);
}

std::string tiles(const Analysis& analysis, const StepSize& size) {
  const Outcome& outcome = analysis.outcome();
  const DeviceId fullest = analysis.fullest_device();
  const std::string name = html_escaped(analysis.cluster().device(fullest).name, 24);
  const std::int64_t usable = analysis.problem->usable_bytes(fullest);
  const std::int64_t peak = outcome.peak_bytes[fullest.index()];
  std::string out = "<div class=\"tiles\">\n";
  if (!outcome.feasible) {
    out +=
        tile("Memory", "Does not fit", "bad",
             fmt::format("{} over in total, most on {}", format_bytes(outcome.over_bytes), name));
  } else if (usable == kUnlimitedBytes) {
    out += tile("Memory", "Fits", "good", "no device has a limit");
  } else {
    out += tile("Memory", "Fits", "good",
                fmt::format("{} left on {}, the fullest", format_bytes(usable - peak), name));
  }
  const std::string rate =
      size.known() ? throughput_sentence(size, outcome.step_seconds) + ' ' : "";
  out += tile("Step time", format_seconds(outcome.step_seconds), "",
              fmt::format("{}{}, {} moved", html_escaped(rate, 100),
                          format_number_of(static_cast<std::size_t>(outcome.transfers), "transfer"),
                          format_bytes(outcome.transferred_bytes)));
  const double gap = gap_to(outcome.step_seconds, analysis.bound.seconds);
  const std::string below =
      fmt::format("lower bound {} ({})", format_seconds(analysis.bound.seconds),
                  html_escaped(analysis.bound.name));
  const std::string above = fmt::format("Above the {}", best_name(analysis.bound.tasks));
  if (!outcome.feasible || !std::isfinite(gap)) {
    out += tile(above, "unknown", "", below);
  } else {
    out += tile(above, gap <= 1e-9 ? "0%" : "at most " + format_percent(gap), "", below);
  }
  return out + "</div>\n";
}

struct Bar {
  std::string name;
  double step_seconds = 0;
  bool feasible = true;
  bool best = false;
  std::string extra;  // further cells, already HTML
};

std::string bar_row(const Bar& bar, double shortest, double longest) {
  const double shown = std::min(bar.step_seconds, longest);
  const double percent = longest > 0 ? shown / longest * 100 : 0;
  const double ratio = shortest > 0 ? bar.step_seconds / shortest : 1;
  const bool cut = bar.step_seconds > longest;
  return fmt::format(
      "<tr class=\"{}\"><td>{}</td>{}{}"
      "<td class=\"wide\"><div class=\"bar{}{}\" style=\"width:{}%\"{}></div></td>{}</tr>\n",
      bar.best ? "best" : "", html_name(bar.name, 40),
      number_cell(bar.step_seconds, format_seconds(bar.step_seconds)),
      number_cell(ratio, format_ratio(ratio)), bar.feasible ? "" : " off", cut ? " cut" : "",
      short_number(percent), cut ? " title=\"too long to draw in full\"" : "", bar.extra);
}

std::string bars(const std::vector<Bar>& rows, double shortest, std::string_view headers) {
  double longest = 0;
  for (const Bar& bar : rows) longest = std::max(longest, bar.step_seconds);
  if (shortest > 0) longest = std::min(longest, shortest * kLongestBar);
  std::string out = fmt::format(
      "<div class=\"scroll\"><table class=\"sortable\"><tr><th>plan</th><th "
      "class=\"number\">step</th>"
      "<th class=\"number\">ratio</th><th></th>{}</tr>\n",
      headers);
  for (const Bar& bar : rows) out += bar_row(bar, shortest, longest);
  return out + "</table></div>\n";
}

std::string fits_cell(const Outcome& outcome) {
  if (outcome.feasible) return "<td data-value=\"0\">fits</td>";
  return fmt::format("<td class=\"bad\" data-value=\"{}\">{} over</td>", outcome.over_bytes,
                     format_bytes(outcome.over_bytes));
}

std::string comparison_section(const HtmlInput& input) {
  const std::size_t best = best_row(input.rows);
  if (best == kNoRow) return "";
  std::vector<Bar> rows;
  std::string failures;
  for (std::size_t i = 0; i < input.rows.size(); ++i) {
    const ComparisonRow& row = input.rows[i];
    if (!row.has_plan()) {
      failures += fmt::format("<p class=\"note\">{}: {}</p>", html_escaped(row.name(), 40),
                              html_escaped(row.failure, 200));
      continue;
    }
    const std::string extra = fits_cell(row.outcome) +
                              number_cell(static_cast<double>(row.outcome.transferred_bytes),
                                          format_bytes(row.outcome.transferred_bytes)) +
                              number_cell(row.search_seconds, format_seconds(row.search_seconds));
    rows.push_back({row.name(), row.outcome.step_seconds, row.outcome.feasible, i == best, extra});
  }
  return section(
      "Methods side by side", "The rest of this page is about the plan of the best method.",
      bars(rows, input.rows[best].outcome.step_seconds,
           "<th>memory</th><th class=\"number\">moved</th><th class=\"number\">search</th>") +
          failures);
}

// Explanations are phrased to follow a colon.
std::string bound_sentence(const bounds::Bound& bound) {
  if (bound.explanation.empty()) return "";
  return fmt::format("The lower bound: {}{}", html_escaped(bound.explanation, 300),
                     bound.explanation.ends_with('.') ? "" : ".");
}

std::string reference_section(const HtmlInput& input) {
  const Outcome& outcome = input.analysis.outcome();
  std::vector<Bar> rows = {
      {"this plan", outcome.step_seconds, outcome.feasible, true, fits_cell(outcome)}};
  rows.push_back({"lower bound", input.analysis.bound.seconds, true, false, "<td></td>"});
  for (const Reference& reference : input.references) {
    rows.push_back({reference.name, reference.outcome.step_seconds, reference.outcome.feasible,
                    false, fits_cell(reference.outcome)});
  }
  return section("Step time compared with other plans", bound_sentence(input.analysis.bound),
                 bars(rows, outcome.step_seconds, "<th>memory</th>"));
}

std::string axis_of(double step_seconds) {
  // The script draws round marks; these stay where there is none.
  return fmt::format(
      "<div class=\"axis\"><span class=\"first\" style=\"left:0\">0</span>"
      "<span class=\"last\" style=\"left:100%\">{}</span></div>\n",
      format_seconds(step_seconds));
}

std::string unused_note(const Analysis& analysis) {
  std::vector<char> used(analysis.problem->device_count(), 0);
  for (const DeviceId device : analysis.plan->placement) used[device.index()] = 1;
  std::string names;
  for (std::size_t d = 0; d < used.size(); ++d) {
    if (used[d]) continue;
    if (!names.empty()) names += ", ";
    names += html_escaped(analysis.cluster().device(DeviceId(d)).name, 24);
  }
  return names.empty() ? "" : fmt::format("<p class=\"note\">without ops: {}</p>\n", names);
}

// How to use the charts, and where the details of an op are shown.
constexpr const char* kTools =
    "<div class=\"tools\"><div class=\"find\"><input id=\"find\" type=\"search\" "
    "placeholder=\"Find an op by name\" aria-label=\"Find an op by name\" autocomplete=\"off\" "
    "spellcheck=\"false\"/><ul id=\"matches\" class=\"matches\" hidden></ul></div>"
    "<div class=\"buttons\"><button data-zoom=\"0.5\">Zoom in</button>"
    "<button data-zoom=\"2\">Zoom out</button><button data-zoom=\"0\">Whole step</button></div>"
    "</div>\n<noscript><p class=\"note\">The charts are drawn by a script, which is switched off "
    "here.</p></noscript>\n";

std::string gantt_section(const Analysis& analysis) {
  const std::string legend =
      "<div class=\"legend\"><span><i class=\"heavy-bg\"></i>products, convolutions, recurrent "
      "cells</span><span><i class=\"light-bg\"></i>other ops</span><span><i class=\"transfer-bg\">"
      "</i>transfers</span><span><i class=\"channel-bg\"></i>waiting for a channel</span>"
      "<span><i class=\"idle-bg\"></i>waiting for the device</span></div>\n";
  return section(
      "What ran when",
      "The devices, then the busiest channels, each with the part of the step in which it is busy. "
      "Ops and transfers on the critical path have full colour. Turn the wheel or pinch to zoom, "
      "drag to move, click on an op to see what it waited for.",
      kTools + legend + html_gantt(analysis) + axis_of(analysis.outcome().step_seconds) +
          unused_note(analysis) + "<div id=\"about\" hidden></div>\n",
      "when");
}

std::string ops_section() {
  return "<section>\n<h2>Ops</h2>\n<p id=\"ops-count\"></p>\n<div class=\"scroll\"><table "
         "id=\"ops\"></table></div>\n<p class=\"note\"><button id=\"more-ops\" hidden>More</button>"
         "</p>\n</section>\n";
}

std::string memory_section(const Analysis& analysis) {
  std::string sentence =
      analysis.outcome().feasible
          ? "Memory in use on every device during the step. A limit far above it is not drawn. "
          : "Memory in use on every device during the step; red where it is more than the device "
            "has. ";
  sentence += "Point at a time to see the largest tensors.";
  const std::string legend =
      "<div class=\"legend\"><span><i class=\"line\"></i>usable memory</span>"
      "<span><i class=\"dots\"></i>parameters</span></div>\n";
  const std::string content =
      legend + html_memory(analysis) + axis_of(analysis.outcome().step_seconds);
  return section("Memory over time", sentence, content);
}

std::string remedies_section(const Analysis& analysis) {
  if (analysis.outcome().feasible) return "";
  std::string content = "<ul>";
  for (const std::string& remedy : remedies(analysis)) {
    content += "<li>" + html_escaped(remedy, 400) + "</li>";
  }
  return section("What would help", html_escaped(infeasibility_proof(analysis), 400),
                 content + "</ul>\n");
}

std::string path_step_row(const Analysis& analysis, const CriticalStep& step) {
  const Graph& graph = analysis.graph();
  const std::string name =
      step.tensor.valid() ? graph.tensor_name(step.tensor) : std::string(graph.op_name(step.op));
  return fmt::format("<tr><td>{}</td><td class=\"words\">{}</td><td>{}</td>{}{}</tr>\n",
                     critical_kind_name(step.kind), html_name(name, 70),
                     html_name(analysis.cluster().device(step.device).name, 24),
                     number_cell(step.seconds(), format_seconds(step.seconds())),
                     number_cell(step.seconds(),
                                 format_percent(step.seconds() / analysis.outcome().step_seconds)));
}

std::string path_section(const Analysis& analysis) {
  const double step = analysis.outcome().step_seconds;
  if (step <= 0) return "";
  std::string stack = "<div class=\"stack\">";
  std::string legend = "<div class=\"legend\">";
  for (std::size_t i = 0; i < kCriticalKinds.size(); ++i) {
    const double seconds = analysis.critical_path.seconds(kCriticalKinds[i]);
    if (seconds <= 0) continue;
    stack += fmt::format("<div class=\"{}\" style=\"width:{}%\"></div>", kPathClasses[i],
                         short_number(seconds / step * 100));
    legend += fmt::format("<span><i class=\"{}\"></i>{} {} ({})</span>", kPathClasses[i],
                          critical_kind_name(kCriticalKinds[i]), format_seconds(seconds),
                          format_percent(seconds / step));
  }
  std::vector<const CriticalStep*> longest;
  for (const CriticalStep& each : analysis.critical_path.steps) longest.push_back(&each);
  std::stable_sort(
      longest.begin(), longest.end(),
      [](const CriticalStep* a, const CriticalStep* b) { return a->seconds() > b->seconds(); });
  longest.resize(std::min(longest.size(), kMostPathSteps));
  std::string table =
      "<div class=\"scroll\"><table class=\"sortable\"><tr><th>longest parts</th><th>of</th>"
      "<th>device</th>"
      "<th class=\"number\">time</th><th class=\"number\">of the step</th></tr>\n";
  for (const CriticalStep* each : longest) table += path_step_row(analysis, *each);
  return section("What the step waits for",
                 "The critical path: events from the start of the step to its end, each of which "
                 "starts when the one before it ends.",
                 stack + "</div>\n" + legend + "</div>\n" + table + "</table></div>\n");
}

std::string peak_card(const Analysis& analysis, DeviceId device) {
  const Timeline::DeviceMemory& memory = analysis.timeline.memory[device.index()];
  std::string out = fmt::format(
      "<div><h3>{} <span>{} at {}, parameters {}</span></h3><table>\n",
      html_name(analysis.cluster().device(device).name, 24), format_bytes(memory.peak_bytes),
      format_seconds(memory.peak_seconds), format_bytes(memory.param_bytes));
  const std::size_t shown = std::min(kMostAlive, memory.alive.size());
  for (std::size_t i = 0; i < shown; ++i) {
    out += fmt::format("<tr><td class=\"number\">{}</td><td class=\"words\">{}</td></tr>\n",
                       format_bytes(memory.alive[i].bytes),
                       html_name(alive_name(analysis.graph(), memory.alive[i], 48)));
  }
  if (shown < memory.alive.size()) {
    out += fmt::format("<tr><td></td><td class=\"words\">and {} more</td></tr>\n",
                       format_count(memory.alive.size() - shown));
  }
  return out + "</table></div>\n";
}

std::string peaks_section(const Analysis& analysis) {
  std::vector<DeviceId> devices = charted_devices(analysis);
  std::stable_sort(devices.begin(), devices.end(), [&](DeviceId a, DeviceId b) {
    const auto full = [&](DeviceId device) {
      return memory_fraction(analysis.outcome().peak_bytes[device.index()],
                             analysis.problem->usable_bytes(device));
    };
    return full(a) > full(b);
  });
  devices.resize(std::min(devices.size(), kMostPeaks));
  std::string content = "<div class=\"peaks\">\n";
  for (const DeviceId device : devices) content += peak_card(analysis, device);
  return section("Alive at the peaks", "The largest tensors of each device at its peak of memory.",
                 content + "</div>\n");
}

}  // namespace

std::string html_report(const HtmlInput& input) {
  const Analysis& analysis = input.analysis;
  std::string out = html_head(fmt::format("{} on {}", html_escaped(input.heading.model, 100),
                                          html_escaped(input.heading.cluster, 60)),
                              html_file("page.css"));
  out += fmt::format("<header><h1>{}</h1><p>on {}, {}; {}</p></header>\n",
                     html_name(input.heading.model, 100), html_name(input.heading.cluster, 100),
                     html_name(input.heading.method, 100),
                     format_number_of(analysis.graph().op_count(), "op"));
  out += tiles(analysis, input.heading.size);
  out += "<div class=\"basis\">";
  for (const std::string& sentence : input.heading.assumptions) {
    out += fmt::format("<p class=\"note\">{}</p>\n", html_escaped(sentence, 1000));
  }
  out += "</div>\n";
  out += remedies_section(analysis);
  out += input.rows.empty() ? reference_section(input) : comparison_section(input);
  out += gantt_section(analysis) + path_section(analysis) + memory_section(analysis);
  out += peaks_section(analysis) + ops_section();
  out += origin_section(input.origin, &analysis.cluster());
  out += fmt::format("<script type=\"application/json\" id=\"data\">{}</script>\n",
                     html_data(analysis));
  std::string scripts;
  for (const char* name : kScripts) scripts += html_file(name);
  return out + html_tail(scripts);
}

}  // namespace berth::report
