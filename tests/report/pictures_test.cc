// The files about a plan: trace, page and Graphviz.
#include <gtest/gtest.h>

#include "base/json_reader.h"
#include "report/chrome_trace.h"
#include "report/dot.h"
#include "report/html_checks.h"
#include "report/html_report.h"
#include "report/lanes.h"
#include "report/small_case.h"
#include "report/time_strip.h"
#include "zoo/workload.h"

namespace berth {
namespace {

struct Example {
  explicit Example(const std::string& name_of_b = "b")
      : problem(small_problem("10000B", name_of_b)),
        plan(small_plan()),
        analysis(analyse(problem, plan, lower_bounds(problem))) {}
  Problem problem;
  Plan plan;
  Analysis analysis;
};

TEST(ChromeTrace, IsJsonWithAnEventForEveryOpAndTransfer) {
  const Example example;
  const std::string text = chrome_trace(example.analysis);
  JsonReader reader(text, "trace");
  reader.skip();
  reader.expect_end();
  EXPECT_EQ(count(text, "\"ph\":\"X\""), 5u + 2u);
  EXPECT_GT(count(text, "\"ph\":\"C\""), 0u);
  EXPECT_NE(text.find("\"ts\":2000000"), std::string::npos) << text;
}

TEST(HtmlReport, IsWellFormedAndNeedsNothingElse) {
  const Example example;
  const std::string html = html_report({{"small", "pair", "by hand"}, example.analysis});
  EXPECT_EQ(first_unbalanced_tag(html), "");
  for (const char* outside : {"http:", "https:", "//cdn", "src=", "@import", "url("}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
}

TEST(HtmlReport, IsNotBrokenByNames) {
  const Example example(R"(</title><script>alert('\"')</script>)");
  const std::string html = html_report({{"<b>model</b>", "\"pair\"", "a&b"}, example.analysis});
  EXPECT_EQ(first_unbalanced_tag(html), "");
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("<b>model"), std::string::npos);
}

TEST(HtmlReport, ShowsTheRowsOfAComparison) {
  const Example example;
  ComparisonRow row{.method = "round_robin", .failure = ""};
  row.outcome = example.analysis.outcome();
  const std::vector<ComparisonRow> rows = {row, {.method = "expert", .failure = "there is none"}};
  const std::string html = html_report({{"small", "pair", "x"}, example.analysis, {}, rows});
  EXPECT_NE(html.find("round_robin"), std::string::npos);
  EXPECT_NE(html.find("there is none"), std::string::npos);
  EXPECT_EQ(first_unbalanced_tag(html), "");
}

TEST(HtmlReport, StaysSmallForALargeGraph) {
  const Workload& layered = find_workload("layered");
  const Options options("layered", layered.options, {"layered", {{"ops", "100000"}}});
  std::vector<Device> devices(4);
  std::vector<Link> links;
  for (std::uint32_t d = 0; d < 4; ++d) {
    devices[d] = {.name = "gpu:" + std::to_string(d),
                  .kind = "gpu",
                  .model = "",
                  .flops = {{DType::unknown, 1e12}},
                  .bandwidth = 1e11};
    links.push_back({.from = d, .to = 4, .bandwidth = 1e9});
  }
  const Problem problem(layered.build(options, Mode::inference),
                        Cluster("four", devices, {"switch"}, links));
  Plan plan;
  for (std::size_t op = 0; op < problem.op_count(); ++op) {
    plan.placement.push_back(problem.allowed_devices(OpId(op))[op % 4]);
  }
  const Analysis analysis = analyse(problem, plan, Bounds{});
  const std::string html = html_report({{"large", "four", "dealt"}, analysis});
  EXPECT_LT(html.size(), 2'000'000u);
}

TEST(TimeStrip, MergesWhatIsTooNarrowToSee) {
  Strip strip;
  for (int i = 0; i < 1000; ++i) {
    strip.spans.push_back({i * 0.001, i * 0.001 + 0.0009, 0, false, static_cast<std::uint32_t>(i)});
  }
  strip.spans.push_back({1, 51, 1, true, 1000});
  const std::vector<StripShape> shapes = merge_spans(strip, 100, 10);
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].spans, 1000u);
  EXPECT_NEAR(shapes[0].busy_seconds, 0.9, 1e-9);
  EXPECT_EQ(shapes[1].spans, 1u);
  EXPECT_EQ(shapes[1].source, 1000u);
  EXPECT_TRUE(shapes[1].emphasized);
}

TEST(TimeStrip, FindsAThresholdThatKeepsToTheLimit) {
  Strip strip;
  for (int i = 0; i < 5000; ++i) {
    strip.spans.push_back({i * 2.0, i * 2.0 + 1, 0, false, 0});
  }
  const std::vector<Strip> strips = {strip};
  const double threshold = choose_threshold(strips, 10000, 100);
  EXPECT_LE(merge_spans(strip, 10000, threshold).size(), 100u);
}

TEST(Lanes, KeepOverlappingOpsApart) {
  Timeline timeline;
  timeline.ops = {{OpId(0), DeviceId(0), 0, 4, 0},
                  {OpId(1), DeviceId(0), 1, 2, 1},
                  {OpId(2), DeviceId(0), 2, 3, 2}};
  const Lanes lanes = assign_lanes(timeline, 2);
  EXPECT_EQ(lanes.lane, (std::vector<std::uint32_t>{0, 1, 1}));
  EXPECT_EQ(lanes.count, (std::vector<std::uint32_t>{2, 1}));
}

TEST(Dot, DrawsEveryOpAndMarksWhatTravels) {
  const Example example("say \\\"hi\\\"");
  const std::string dot = placement_dot(example.problem, example.plan);
  EXPECT_EQ(count(dot, "label=") - count(dot, "penwidth"), 5u + 2u + 1u);
  EXPECT_EQ(count(dot, "penwidth=2"), 2u);
  EXPECT_NE(dot.find("say \\\"hi\\\""), std::string::npos) << dot;
}

}  // namespace
}  // namespace berth
