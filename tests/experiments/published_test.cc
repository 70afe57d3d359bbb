// The published tables fit together with what is here, and the cost model with them.
#include "experiments/published.h"

#include <gtest/gtest.h>

#include "base/thrown.h"
#include "cluster/presets.h"
#include "experiments/published_results.h"
#include "place/placer.h"
#include "report/text.h"
#include "sim/simulator.h"
#include "zoo/workload.h"

namespace berth::experiments {
namespace {

Graph build(const std::string& text) {
  const Call call = parse_call(text);
  const zoo::Workload& workload = zoo::find_workload(call.name);
  return workload.build(Options(workload.name, workload.options, call), zoo::Mode::training);
}

// A step with every op on the first device of that kind.
Outcome on_one_device(const Problem& problem, std::string_view kind) {
  for (std::size_t d = 0; d < problem.device_count(); ++d) {
    if (problem.cluster().device(DeviceId(d)).kind != kind) continue;
    Plan plan{.placement = std::vector<DeviceId>(problem.op_count(), DeviceId(d))};
    return Simulator(problem).evaluate(plan);
  }
  ADD_FAILURE() << "no " << kind;
  return {};
}

TEST(Published, TablesNameMethodsWorkloadsAndClustersThatExist) {
  for (const PublishedTable& table : published_tables()) {
    SCOPED_TRACE(table.name);
    EXPECT_EQ(&find_published_table(table.name), &table);
    for (const PublishedColumn& column : table.columns) {
      if (column.method.empty()) continue;
      EXPECT_NO_THROW(place::parse_method(column.method)) << column.header;
    }
    for (const PublishedRow& row : table.rows) {
      EXPECT_LE(row.cells.size(), table.columns.size()) << row.task;
      EXPECT_GT(build(row.workload).op_count(), 0u);
      EXPECT_TRUE(is_preset(row.cluster)) << row.cluster;
    }
  }
  EXPECT_EQ(thrown([] { find_published_table("hpd"); }),
            "there is no benchmark \"hpd\"; the benchmarks are colocrl, hdp and mars; did you mean "
            "\"hdp\"?");
}

// Fitted cells come out as printed; the others, on one device, within a quarter, unless the printed
// time is below what the device's peak allows.
TEST(Published, OneDeviceTakesAboutAsLongAsItDidThere) {
  for (const char* name : {"hdp", "mars"}) {
    const PublishedTable& table = find_published_table(name);
    for (const PublishedRow& row : table.rows) {
      const Problem problem(build(row.workload), make_preset(row.cluster));
      double flops = 0;
      for (std::size_t i = 0; i < problem.op_count(); ++i) flops += problem.graph().flops(OpId(i));
      for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const PublishedCell& cell = row.cells[i];
        const bool cpu = table.columns[i].method == "cpu";
        const bool gpu = table.columns[i].method == "single(kind=gpu)";
        if (cell.use == PublishedCell::Use::other || !(cpu || gpu)) continue;
        const double peak = problem.cluster().devices().back().flops_for(DType::f32);
        if (gpu && cell.seconds < flops / peak) continue;
        const double ours = on_one_device(problem, cpu ? "cpu" : "gpu").step_seconds;
        const double allowed = cell.use == PublishedCell::Use::fitted ? 0.02 : 0.25;
        EXPECT_NEAR(ours / cell.seconds, 1, allowed) << row.task << " " << table.columns[i].header;
      }
    }
  }
}

TEST(Published, TablesFitThePage) {
  for (const PublishedTable& table : published_tables()) {
    std::vector<OurRow> rows;
    for (const PublishedRow& row : table.rows) {
      OurRow ours{.published = &row, .bound_seconds = 123.456};
      for (std::size_t i = 0; i < table.columns.size(); ++i) {
        ours.cells.push_back({.ran = true, .fits = true, .seconds = 155.725});
      }
      rows.push_back(std::move(ours));
    }
    const std::string text = published_answer(table, rows, report::Ink());
    for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
      EXPECT_LE(report::visible_width(text.substr(at, text.find('\n', at) - at)), 80u) << text;
    }
    // Every method is there.
    for (const PublishedColumn& column : table.columns) {
      EXPECT_NE(text.find(column.header), std::string::npos) << column.header;
    }
  }
}

}  // namespace
}  // namespace berth::experiments
