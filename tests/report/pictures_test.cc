// The files about a plan: trace, page and Graphviz.
#include <gtest/gtest.h>

#include "base/json_reader.h"
#include "report/analysis.h"
#include "report/chrome_trace.h"
#include "report/dot.h"
#include "report/html/html_report.h"
#include "report/html/html_text.h"
#include "report/html/packed_numbers.h"
#include "report/html_checks.h"
#include "report/lanes.h"
#include "support/small_case.h"
#include "zoo/workload.h"

namespace berth::report {
namespace {

struct Example {
  explicit Example(const std::string& name_of_b = "b")
      : problem(small_problem("10000B", name_of_b)),
        plan(small_plan()),
        analysis(analyse(problem, plan, bounds::lower_bounds(problem))) {}
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

// The number behind the first `"key":` at or after the position.
double field_at(const std::string& text, std::size_t at, const std::string& key) {
  const std::size_t found = text.find('"' + key + "\":", at);
  return std::stod(text.substr(found + key.size() + 3));
}

TEST(ChromeTrace, LeadsArrowsFromProducersOverChannelsToReaders) {
  const Example example;
  const std::string text = chrome_trace(example.analysis);
  // a:0 goes to b and b:0 to d, over one channel each.
  std::vector<std::vector<double>> times(2);
  std::string phases;
  for (std::size_t at = text.find("\"cat\":\"transfer\",\"id\""); at != std::string::npos;
       at = text.find("\"cat\":\"transfer\",\"id\"", at + 1)) {
    const std::size_t begin = text.rfind('{', at);
    phases += text[text.find("\"ph\":\"", begin) + 6];
    times.at(static_cast<std::size_t>(field_at(text, at, "id")))
        .push_back(field_at(text, at, "ts"));
  }
  EXPECT_EQ(phases, "stfstf");
  EXPECT_EQ(times[0], (std::vector<double>{2e6 - 0.002, 2e6, 4e6}));
  EXPECT_EQ(times[1], (std::vector<double>{7e6 - 0.002, 7e6, 10e6}));
}

TEST(ChromeTrace, LeavesOutWhatTakesNoTime) {
  const std::string graph = R"({"format": "berth.graph", "version": 1, "name": "views", "ops": [
    {"name": "x", "type": "Input", "outputs": [{"bytes": 100}], "seconds": {"gpu": 0}},
    {"name": "y", "type": "MatMul", "inputs": ["x"], "outputs": [{"bytes": 100}], "seconds": {"gpu": 1}},
    {"name": "z", "type": "Reshape", "inputs": ["y"], "outputs": [{"bytes": 100}], "seconds": {"gpu": 0}}]})";
  const std::string cluster =
      R"({"format": "berth.cluster", "version": 1, "name": "pair", "devices": [
    {"name": "gpu:0", "kind": "gpu", "memory": "1MB"}, {"name": "gpu:1", "kind": "gpu", "memory": "1MB"}],
    "links": [{"between": ["gpu:0", "gpu:1"], "bandwidth": 100, "latency": 1}]})";
  const Problem problem(parse_graph(graph, "graph"), parse_cluster(cluster, "cluster"));
  const Plan plan{.placement = {DeviceId(0), DeviceId(1), DeviceId(0)}};
  const std::string text = chrome_trace(analyse(problem, plan, bounds::Bounds{}));
  // y and two transfers; the arrows of those begin and end at what is there.
  EXPECT_EQ(count(text, "\"ph\":\"X\""), 3u);
  EXPECT_EQ(count(text, "\"dur\":0,") + count(text, "\"dur\":0}"), 0u);
  EXPECT_EQ(count(text, "\"ph\":\"s\""), 2u);
  EXPECT_EQ(count(text, "\"ph\":\"f\""), 2u);
  EXPECT_EQ(count(text, "\"ph\":\"t\""), 0u);
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
  EXPECT_NE(html.find("round_<wbr>robin"), std::string::npos);
  EXPECT_NE(html.find("there is none"), std::string::npos);
  EXPECT_EQ(first_unbalanced_tag(html), "");
}

TEST(HtmlReport, StaysSmallForALargeGraph) {
  const zoo::Workload& layered = zoo::find_workload("layered");
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
  const Problem problem(layered.build(options, zoo::Mode::inference),
                        Cluster("four", devices, {"switch"}, links));
  Plan plan;
  for (std::size_t op = 0; op < problem.op_count(); ++op) {
    plan.placement.push_back(problem.allowed_devices(OpId(op))[op % 4]);
  }
  const Analysis analysis = analyse(problem, plan, bounds::Bounds{});
  const std::string html = html_report({{"large", "four", "dealt"}, analysis});
  EXPECT_LT(html.size(), 20'000'000u);
  // However little room there is to draw them, all ops are in the data.
  const std::size_t begin = html.find("\"names\":\"");
  const std::string names = html.substr(begin, html.find("\",\"type\":", begin) - begin);
  EXPECT_GE(count(names, "\\n"), problem.op_count() - 1);
}

TEST(HtmlReport, HasEveryOpAndTransfer) {
  const Example example;
  const std::string html = html_report({{"small", "pair", "by hand"}, example.analysis});
  EXPECT_NE(html.find("\"names\":\" a\\n b\\n c\\n d\\n e\""), std::string::npos);
  // The step is 12 s in ticks of 10 ns. a, c, e, b and d start at 0, 2, 3, 4 and 10 s.
  PackedNumbers start, waited, after, brought;
  for (const std::int64_t second : {0, 2, 3, 4, 10}) start.add_next(second * 100'000'000);
  for (int i = 0; i < 5; ++i) waited.add(0);
  // Each follows the op so many places before it, and b and d a transfer, the first and second.
  for (const std::int64_t places : {0, 1, 1, 3, 1}) after.add(places);
  for (const std::int64_t transfer : {0, 0, 0, 1, 2}) brought.add_next(transfer);
  EXPECT_NE(html.find("\"start\":\"" + start.base64() + "\""), std::string::npos);
  EXPECT_NE(html.find("\"waited\":\"" + waited.base64() + "\""), std::string::npos);
  EXPECT_NE(html.find("\"after\":\"" + after.base64() + "\""), std::string::npos);
  EXPECT_NE(html.find("\"brought\":\"" + brought.base64() + "\""), std::string::npos);
}

TEST(HtmlReport, NamesItsOriginAndTheFiguresOfTheCluster) {
  const Example example;
  HtmlInput input{{"small", "pair", "by hand"}, example.analysis};
  input.origin = {"berth simulate 'a<b'", "2030-01-02 03:04 UTC"};
  const std::string html = html_report(input);
  EXPECT_EQ(first_unbalanced_tag(html), "");
  const std::string program = std::string("berth ") + BERTH_VERSION;
  for (const char* part : {"<code>berth simulate 'a&lt;b'</code>", "2030-01-02 03:04 UTC",
                           program.c_str(), "9.77 KiB", "100 B/s", "1.00 s"}) {
    EXPECT_NE(html.find(part), std::string::npos) << part;
  }
  // Nothing in it depends on the clock.
  EXPECT_EQ(html, html_report(input));
}

TEST(HtmlReport, SaysWhatTheFiguresRestOnAndTheThroughput) {
  const Example example;
  const StepSize size{.batch_dim = "N", .samples = 24};
  const HtmlInput input{{"small", "pair", "by hand", {"Precision: f32."}, size}, example.analysis};
  const std::string html = html_report(input);
  EXPECT_NE(html.find("Precision: f32."), std::string::npos);
  EXPECT_NE(html.find(" samples/s (N=24)."), std::string::npos);
}

TEST(HtmlReport, LetsNamesBreakAtTheirSeparators) {
  EXPECT_EQ(html_name("a/b.c_d:0"), "a/<wbr>b.<wbr>c_<wbr>d:<wbr>0");
  EXPECT_EQ(html_name("<a/"), "&lt;a/<wbr>");
}

TEST(HtmlReport, MarksBarsThatAreCut) {
  const Example example;
  const Outcome& outcome = example.analysis.outcome();
  Reference slow{"slow", outcome};
  slow.outcome.step_seconds *= 7;
  const std::vector<Reference> references = {slow};
  const std::string html = html_report({{"small", "pair", "x"}, example.analysis, references});
  EXPECT_EQ(count(html, "class=\"bar cut\""), 1u);
}

TEST(PackedNumbers, TakeSevenBitsAByteWithTheSignLowest) {
  PackedNumbers numbers;
  for (const std::int64_t number : {0, -1, 1, 63, -65}) numbers.add(number);
  // 0, 1, 2, 126 and 129 as 0x81 0x01.
  EXPECT_EQ(numbers.base64(), "AAECfoEB");
  PackedNumbers ascending;
  for (const std::int64_t number : {10, 12, 11}) ascending.add_next(number);
  EXPECT_EQ(ascending.base64(), "FAQB");
  PackedNumbers large;
  large.add(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(large.base64(), "/v//////////AQ==");
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
}  // namespace berth::report
