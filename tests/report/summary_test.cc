#include "report/summary.h"

#include <gtest/gtest.h>

#include "base/json_reader.h"
#include "report/analysis.h"
#include "report/comparison.h"
#include "report/outcome_json.h"
#include "report/remedies.h"
#include "support/small_case.h"

namespace berth::report {
namespace {

TEST(Summary, OfASmallCase) {
  const Problem problem = small_problem();
  const Plan plan = small_plan();
  const Analysis analysis = analyse(problem, plan, bounds::lower_bounds(problem));
  Reference single{"best single device", analysis.outcome()};
  single.outcome.step_seconds = 18;
  const std::vector<Reference> references = {single};
  const std::string text = summarize({{"small", "pair", "by hand"}, analysis, references}, Ink());
  EXPECT_EQ(text,
            "small on pair, by hand\n"
            "\n"
            "Fits: the fullest device, gpu:0, has 8.50 KiB left.\n"
            "  device  parameters  outputs  copies      peak    usable\n"
            "  gpu:0       1000 B    100 B   200 B  1.27 KiB  9.77 KiB  █░░░░░░░░░   13%\n"
            "  gpu:1          0 B    200 B   100 B     300 B  9.77 KiB  █░░░░░░░░░  3.0%\n"
            "  alive at the peak of gpu:0, 10.0 s into the step:\n"
            "    200 B  b:0 (copy)\n"
            "     50 B  d:0\n"
            "     50 B  e:0\n"
            "\n"
            "Step time 12.0 s: at most 71% above the best placement.\n"
            "  this plan           12.0 s  1.00x\n"
            "  lower bound         7.00 s  0.58x  critical path\n"
            "  best single device  18.0 s  1.50x\n"
            "\n"
            "What limits the step\n"
            "  critical path    compute 58%, transfer 42%\n"
            "  busiest device   gpu:0, computing 75% of the step\n"
            "  busiest channel  gpu:1 -> gpu:0, busy 25% of the step (1 transfer, 200 B)\n");
}

TEST(Summary, TellsTheThroughputWhereTheBatchIsKnown) {
  const Problem problem = small_problem();
  const Plan plan = small_plan();
  const Analysis analysis = analyse(problem, plan, bounds::lower_bounds(problem));
  const StepSize size{.batch_dim = "N", .samples = 24, .sequence_dim = "seq", .length = 1000};
  const std::string text =
      summarize({{"small", "pair", "by hand", {}, size}, analysis, {}, ""}, Ink());
  EXPECT_NE(text.find("above the best placement.\n"
                      "2.00 samples/s, 2,000 tokens/s (N=24, seq=1000).\n"),
            std::string::npos)
      << text;
}

TEST(Summary, SaysWhatIsMissingAndWhatWouldHelp) {
  const Problem problem = small_problem("1200B");
  const Plan plan = small_plan();
  const Analysis analysis = analyse(problem, plan, bounds::lower_bounds(problem));
  ASSERT_FALSE(analysis.outcome().feasible);
  const std::string text = fit_section(analysis, Ink());
  EXPECT_NE(text.find("Does not fit"), std::string::npos) << text;
  EXPECT_NE(text.find("100 B over\n"), std::string::npos) << text;
  EXPECT_GE(remedies(analysis).size(), 2u);
  EXPECT_NE(text.find("What would help"), std::string::npos) << text;
}

TEST(Summary, GapIsClaimedOnlyForPlansThatFit) {
  EXPECT_EQ(gap_sentence(2, true, {1, "work", ""}), "at most 100% above the best placement");
  EXPECT_EQ(gap_sentence(1, true, {1, "work", ""}), "proven best placement");
  EXPECT_EQ(gap_sentence(0, true, {0, "work", ""}), "proven best placement");
  EXPECT_EQ(gap_sentence(1, true, {0, "work", ""}), "no bound above zero was found");
  EXPECT_EQ(gap_sentence(0.5, false, {1, "work", ""}), "if memory is ignored");
}

TEST(OutcomeJson, IsOneWellFormedObject) {
  const Problem problem = small_problem("1200B");
  const Plan plan = small_plan();
  const Analysis analysis = analyse(problem, plan, bounds::lower_bounds(problem));
  JsonWriter json;
  json.begin_object();
  write_outcome(json, problem, analysis.outcome(), analysis.bound);
  write_analysis(json, analysis);
  json.end_object();
  const std::string text = json.take();
  JsonReader reader(text, "json");
  reader.skip();
  reader.expect_end();
  for (const char* key : {"step_seconds", "feasible", "peak_bytes", "busy_seconds", "transfers",
                          "transferred_bytes", "lower_bound_seconds", "infeasible"}) {
    EXPECT_NE(text.find('"' + std::string(key) + "\":"), std::string::npos) << key;
  }
}

ComparisonRow row(const char* name, double seconds, std::int64_t over) {
  ComparisonRow row{.method = name, .failure = ""};
  row.outcome.step_seconds = seconds;
  row.outcome.feasible = over == 0;
  row.outcome.over_bytes = over;
  return row;
}

TEST(Comparison, BestFitsFirstThenIsFastest) {
  const std::vector<ComparisonRow> rows = {row("fast but over", 1, 10),
                                           row("slow", 5, 0),
                                           row("good", 3, 0),
                                           row("same", 3, 0),
                                           {.method = "failed", .failure = "no expert plan"}};
  EXPECT_EQ(best_row(rows), 2u);
  EXPECT_EQ(best_row(std::vector{row("a", 1, 20), row("b", 9, 10)}), 1u);
  EXPECT_EQ(best_row(std::vector{rows.back()}), kNoRow);
  const std::string text = comparison_table(rows, Ink());
  EXPECT_NE(text.find("*  good"), std::string::npos) << text;
  EXPECT_NE(text.find("failed: no expert plan"), std::string::npos) << text;
}

TEST(Comparison, FitsThePageWhateverTheNames) {
  std::vector<ComparisonRow> rows = {
      row("a_method_with_a_long_name(and=options,without=end,for=each,of=them)", 1234.5, 1 << 30),
      row("short", 1234.5, 0)};
  rows[0].evaluations = rows[1].evaluations = 123456789;
  rows[0].search_seconds = rows[1].search_seconds = 12345;
  rows[1].bound = {0.001, "work", ""};
  for (const Ink ink : {Ink(false), Ink(true)}) {
    const std::string text = comparison_table(rows, ink);
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      EXPECT_LE(visible_width(text.substr(at, text.find('\n', at) - at)), 80u) << text;
    }
    EXPECT_NE(text.find("1.00 GiB over"), std::string::npos) << text;
  }
}

TEST(Comparison, EveryRowIsMeasuredByTheBoundOfItsOwnTasks) {
  std::vector<ComparisonRow> rows = {row("auto", 4, 0), row("auto", 3, 0)};
  rows[0].bound = {2, "work", ""};
  rows[1].bound = {1.5, "critical path", ""};
  rows[1].variant = " +schedule";
  rows[1].tasks.schedule = true;
  rows.push_back(row("etf", 6, 0));
  rows.back().bound = {5, "work", ""};
  const std::string text = comparison_table(rows, Ink());
  EXPECT_NE(text.find("*  auto +schedule"), std::string::npos) << text;
  // 4 over 2 and 3 over 1.5: both are 100% above.
  EXPECT_NE(text.find("100%"), text.rfind("100%")) << text;
  EXPECT_NE(text.find("20%"), std::string::npos) << text;
}

}  // namespace
}  // namespace berth::report
