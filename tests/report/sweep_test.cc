#include "report/sweep.h"

#include <gtest/gtest.h>

#include "base/json_reader.h"
#include "base/quantity.h"
#include "report/html/line_chart.h"
#include "report/html_checks.h"

namespace berth::report {
namespace {

SweepPoint point(const std::string& cluster, const std::string& batch, double step_seconds,
                 std::int64_t missing_bytes = 0, std::int64_t proved_bytes = 0) {
  SweepPoint made{.cluster = cluster, .values = {batch}, .model = "zoo:net:batch=" + batch};
  made.step_seconds = step_seconds;
  made.feasible = missing_bytes == 0;
  made.missing_bytes = missing_bytes;
  made.fullest_device = "gpu:0";
  made.usable_bytes = 1 << 20;
  made.peak_bytes = made.usable_bytes + (missing_bytes > 0 ? missing_bytes : -1000);
  made.proved_missing_bytes = proved_bytes;
  made.bound_seconds = step_seconds / 2;
  made.bound_name = "work";
  made.size = {.batch_dim = "batch", .samples = *sweep_number(batch)};
  return made;
}

Sweep two_clusters() {
  Sweep sweep;
  sweep.model = "zoo:net";
  sweep.mode = "training";
  sweep.method = "auto";
  sweep.budget = "100evals";
  sweep.tasks = "placement";
  sweep.clusters = {"small", "big"};
  sweep.dims = {"batch"};
  sweep.points = {point("small", "8", 1), point("small", "16", 1.5), point("small", "32", 4, 2048),
                  point("big", "8", 0.5), point("big", "16", 0.8),   point("big", "32", 2)};
  return sweep;
}

TEST(Sweep, SeriesAreByClusterAndAscend) {
  Sweep sweep = two_clusters();
  std::swap(sweep.points[0], sweep.points[2]);
  const std::vector<SweepSeries> series = sweep_series(sweep);
  ASSERT_EQ(series.size(), 2u);
  EXPECT_EQ(series[0].name, "small");
  EXPECT_EQ(series[0].points[0]->values[0], "8");
  EXPECT_EQ(series[0].points[2]->values[0], "32");
}

TEST(Sweep, OtherDimensionsMakeSeriesOfTheirOwn) {
  Sweep sweep = two_clusters();
  sweep.dims = {"seq", "batch"};
  for (SweepPoint& each : sweep.points) each.values.insert(each.values.begin(), "128");
  sweep.points[1].values[0] = "256";
  const std::vector<SweepSeries> series = sweep_series(sweep);
  ASSERT_EQ(series.size(), 3u);
  EXPECT_EQ(series[0].name, "small seq=128");
  EXPECT_EQ(series[1].name, "small seq=256");
  EXPECT_EQ(sweep.main_dim(), 1u);
}

TEST(Sweep, SaysTheLargestThatFitsAndWhatIsKnownOfTheNext) {
  Sweep sweep = two_clusters();
  EXPECT_EQ(largest_fit_sentence(sweep, sweep_series(sweep)[0]),
            "largest batch that fits: 16; at 32 no plan that fits was found: gpu:0 lacks 2.00 KiB");
  EXPECT_EQ(largest_fit_sentence(sweep, sweep_series(sweep)[1]),
            "largest batch that fits: 32, the largest tried");
  sweep.points[2].proved_missing_bytes = 1024;
  EXPECT_EQ(largest_fit_sentence(sweep, sweep_series(sweep)[0]),
            "largest batch that fits: 16; at 32 no plan can fit: at least 1.00 KiB more memory is "
            "needed");
  sweep.points[2].failure = "too large";
  EXPECT_EQ(largest_fit_sentence(sweep, sweep_series(sweep)[0]),
            "largest batch that fits: 16; 32 could not be tried");
  sweep.points.resize(1);
  sweep.points[0] = point("small", "8", 1, 1 << 20);
  EXPECT_EQ(largest_fit_sentence(sweep, sweep_series(sweep)[0]),
            "no batch that was tried fits; at 8 no plan that fits was found: gpu:0 lacks 1.00 MiB");
  sweep.points[0].values = {"adam"};
  EXPECT_EQ(largest_fit_sentence(sweep, sweep_series(sweep)[0]), "");
}

// A plan found at 32 stands, whatever was not found at 16.
TEST(Sweep, LargestIsTheLargestEvenBeyondAGap) {
  Sweep sweep = two_clusters();
  sweep.points[4] = point("big", "16", 1, 10);
  EXPECT_EQ(largest_fit(sweep_series(sweep)[1]).fits->values[0], "32");
  EXPECT_EQ(largest_fit(sweep_series(sweep)[1]).next, nullptr);
}

TEST(Sweep, TableOfASmallCase) {
  Sweep sweep = two_clusters();
  sweep.points[5] = {.cluster = "big",
                     .values = {"32"},
                     .model = "zoo:net:batch=32",
                     .failure = "it does not build"};
  EXPECT_EQ(sweep_text(sweep, Ink()),
            "zoo:net (training), auto, 100evals per point\n"
            "\n"
            "cluster  batch     step  samples/s               gap  fits\n"
            "small        8   1.00 s       8.00  ████░░░░░░  100%  yes, 100%\n"
            "small       16   1.50 s       10.7  █████░░░░░  100%  yes, 100%\n"
            "small       32   4.00 s       8.00  ████░░░░░░     -  2.00 KiB over\n"
            "big          8   500 ms       16.0  ████████░░  100%  yes, 100%\n"
            "big         16   800 ms       20.0  ██████████  100%  yes, 100%\n"
            "big         32  no plan\n"
            "gap: above the lower bound; fits: memory used on the fullest device\n"
            "\n"
            "No plan\n"
            "  - zoo:net:batch=32 on big: it does not build\n"
            "\n"
            "small: largest batch that fits: 16; at 32 no plan that fits was found: gpu:0\n"
            "lacks 2.00 KiB\n"
            "big: largest batch that fits: 16; 32 could not be tried\n");
}

TEST(Sweep, ThroughputIsInStepsWhereNoBatchIsKnown) {
  Sweep sweep = two_clusters();
  EXPECT_STREQ(sweep.throughput_unit(), "samples/s");
  for (SweepPoint& each : sweep.points) each.size = {};
  EXPECT_STREQ(sweep.throughput_unit(), "steps/s");
  EXPECT_EQ(sweep.points[3].throughput(), 2);
}

TEST(Sweep, TheBatchMayHaveAnotherName) {
  Sweep sweep = two_clusters();
  sweep.dims = {"seq", "N"};
  sweep.batch_dim = "N";
  EXPECT_EQ(sweep.main_dim(), 1u);
  sweep.batch_dim = "batch";
  EXPECT_EQ(sweep.main_dim(), 0u);
}

TEST(Sweep, TokensHaveAColumnAndAPlotOfTheirOwn) {
  Sweep sweep = two_clusters();
  EXPECT_FALSE(sweep.has_tokens());
  EXPECT_EQ(sweep_html(sweep).find("tokens/s"), std::string::npos);
  for (SweepPoint& each : sweep.points) {
    each.size.sequence_dim = "seq";
    each.size.length = 128;
  }
  EXPECT_TRUE(sweep.has_tokens());
  const std::string text = sweep_text(sweep, Ink());
  EXPECT_NE(text.find("cluster  batch    step  samples/s  tokens/s"), std::string::npos) << text;
  EXPECT_NE(text.find("big         32  2.00 s       16.0     2,048"), std::string::npos) << text;
  const std::string html = sweep_html(sweep);
  EXPECT_EQ(first_unbalanced_tag(html), "");
  EXPECT_NE(html.find("<h3>Throughput, tokens/s</h3><svg"), std::string::npos);
  JsonWriter json;
  json.begin_object();
  write_sweep(json, sweep);
  json.end_object();
  EXPECT_EQ(count(json.take(), "\"tokens_per_second\": 2048"), 2u);
}

TEST(Sweep, JsonIsOneObject) {
  Sweep sweep = two_clusters();
  sweep.points[1].failure = "it does not build";
  JsonWriter json;
  json.begin_object();
  write_sweep(json, sweep);
  json.end_object();
  const std::string text = json.take();
  JsonReader reader(text, "sweep");
  reader.skip();
  reader.expect_end();
  EXPECT_EQ(count(text, "\"step_seconds\""), 5u);
  EXPECT_NE(text.find("\"dims\": {\"batch\": 32}"), std::string::npos) << text;
  EXPECT_NE(text.find("\"value\": 32, \"missing_bytes\": 2048, \"proved\": false"),
            std::string::npos)
      << text;
}

TEST(SweepHtml, IsWellFormedAndMarksWhatDoesNotFit) {
  Sweep sweep = two_clusters();
  sweep.clusters[0] = sweep.points[0].cluster = sweep.points[1].cluster = sweep.points[2].cluster =
      "<script>alert(1)</script>";
  const std::string html = sweep_html(sweep);
  EXPECT_EQ(first_unbalanced_tag(html), "");
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  for (const char* outside : {"http:", "https:", "//cdn", "src=", "@import", "url("}) {
    EXPECT_EQ(html.find(outside), std::string::npos) << outside;
  }
  // Once in each of the two plots.
  EXPECT_EQ(count(html, "<circle class=\"hollow\""), 2u);
  EXPECT_NE(html.find("Hollow marks"), std::string::npos);
}

TEST(SweepHtml, NeedsNoDimension) {
  Sweep sweep = two_clusters();
  sweep.dims.clear();
  for (SweepPoint& each : sweep.points) each.values.clear();
  EXPECT_EQ(first_unbalanced_tag(sweep_html(sweep)), "");
  EXPECT_EQ(sweep_html(sweep).find("<svg"), std::string::npos);
}

// Sizes that double stand at equal distances; the marks of a line tell.
TEST(LineChart, LogarithmicAxisSpacesDoublesEvenly) {
  Chart chart{.x_label = "batch",
              .ticks = {{8, "8"}, {16, "16"}, {32, "32"}},
              .log_x = true,
              .y_text = format_seconds,
              .lines = {{"a", {{8, 1, false, "x"}, {16, 2, false, "x"}, {32, 3, true, "x"}}}}};
  const std::string even = line_chart(chart);
  EXPECT_NE(even.find("cx=\"82\""), std::string::npos) << even;
  EXPECT_NE(even.find("cx=\"287\""), std::string::npos) << even;
  EXPECT_NE(even.find("cx=\"492\""), std::string::npos) << even;
  chart.log_x = false;
  EXPECT_EQ(line_chart(chart).find("cx=\"287\""), std::string::npos);
  EXPECT_EQ(count(even, "class=\"hollow\""), 1u);
}

TEST(LineChart, AxesHaveRoundValues) {
  EXPECT_EQ(axis_values(0, 25.6, false), (std::vector<double>{0, 5, 10, 15, 20, 25}));
  EXPECT_EQ(axis_values(1.2, 60, true), (std::vector<double>{2, 5, 10, 20, 50}));
  EXPECT_EQ(axis_values(1, 1e6, true).size(), 7u);
  EXPECT_TRUE(axis_values(0, 0, false).empty());
}

}  // namespace
}  // namespace berth::report
