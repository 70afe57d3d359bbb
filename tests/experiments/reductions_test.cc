// Reductions over the human expert: ours, the published, and what the bound leaves.
#include "experiments/reductions.h"

#include <gtest/gtest.h>

namespace berth::experiments {
namespace {

using Kind = PublishedCell::Kind;

PublishedCell seconds(double value) { return {.kind = Kind::seconds, .seconds = value}; }

// Human and learned as published; ours are the human's, auto's and auto's with a schedule.
class Reductions : public testing::Test {
 protected:
  Reductions() {
    table.learned = "RL";
    table.columns = {{"human", "expert"},
                     {"RL", ""},
                     {"auto", "auto"},
                     {"auto +schedule", "auto", {.schedule = true}}};
    published = {"task", "tiny", "2xK40", {seconds(4), seconds(1)}};
    row.published = &published;
    row.bound_seconds = 6;
    row.cells = {cell(10), {}, cell(8), cell(7)};
  }

  static OurCell cell(double step) { return {.ran = true, .fits = true, .seconds = step}; }
  Reduction reduction() const { return reduction_of(table, row); }

  PublishedTable table;
  PublishedRow published;
  OurRow row;
};

TEST_F(Reductions, AreSharesOfTheHumansStep) {
  const Reduction found = reduction();
  EXPECT_DOUBLE_EQ(*found.published, 0.75);
  EXPECT_FALSE(found.printed);
  EXPECT_TRUE(found.verified);
  EXPECT_DOUBLE_EQ(*found.ours, 1 - 0.8);
  EXPECT_DOUBLE_EQ(*found.with_schedule, 1 - 0.7);
  EXPECT_DOUBLE_EQ(*found.most, 1 - 0.6);
  EXPECT_FALSE(found.proven());
  EXPECT_FALSE(found.reachable());
  EXPECT_EQ(
      found.remark(),
      "at most 40.0%: the published 75.0% is not reachable with this cost model; at most 33% above "
      "the best placement");
}

TEST_F(Reductions, ThePrintedFigureGoesBeforeTheWorkedOutOne) {
  published.printed_reduction = 0.35;
  published.cells[0].verified = false;
  const Reduction found = reduction();
  EXPECT_DOUBLE_EQ(*found.published, 0.35);
  EXPECT_TRUE(found.printed);
  EXPECT_TRUE(found.reachable());
  EXPECT_NE(reductions_text(table, {row}, report::Ink()).find("35.0%?"), std::string::npos);
}

TEST_F(Reductions, AreProvenWithinOnePercentOfTheBound) {
  published.printed_reduction = 0;
  row.bound_seconds = 7.93;
  EXPECT_TRUE(reduction().proven());
  EXPECT_EQ(reduction().remark(), "proven: within 1% of the best placement");
  row.bound_seconds = 7.91;
  EXPECT_FALSE(reduction().proven());
}

TEST_F(Reductions, SayWhatIsMissing) {
  row.cells[0].fits = false;
  EXPECT_FALSE(reduction().ours);
  EXPECT_FALSE(reduction().most);
  EXPECT_EQ(reduction().remark(),
            "the human expert's plan does not fit here; at most 33% above the best placement");
  published.cells[0] = {.kind = Kind::out_of_memory};
  EXPECT_FALSE(reduction().published);
  row.cells[2].fits = false;
  EXPECT_FALSE(reduction().gap);
  EXPECT_FALSE(reduction().proven());
  JsonWriter json;
  json.begin_object();
  write_reduction(json, table, row);
  json.end_object();
  EXPECT_NE(json.take().find("\"at_most\": null"), std::string::npos);
}

TEST(PublishedReductions, EveryTableHasAHumanAndALearnedColumn) {
  for (const PublishedTable& table : published_tables()) {
    for (const PublishedRow& published : table.rows) {
      const OurRow row{.published = &published};
      const Reduction found = reduction_of(table, row);
      EXPECT_TRUE(found.published || table.name == "mars") << table.name << " " << published.task;
      // Printed figures are those of the printed seconds but for their rounding.
      if (!published.printed_reduction || published.task == "Inception-V3") continue;
      PublishedRow derived = published;
      derived.printed_reduction.reset();
      const OurRow again{.published = &derived};
      EXPECT_NEAR(*reduction_of(table, again).published, *found.published, 0.003) << derived.task;
    }
  }
}

}  // namespace
}  // namespace berth::experiments
