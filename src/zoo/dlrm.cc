// zoo:dlrm, recommendation (Naumov et al. 2019): 26 tables of categories, a small network for 13
// numbers, the products of all pairs, a small network on top. The tables have the sizes of the
// Criteo Kaggle data (33,762,577 rows); at the width of 128 that MLPerf uses they take 17 GB, more
// than most GPUs have, and a step reads next to nothing of them: they belong on the CPU. `scale`
// multiplies the rows.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "zoo/expert.h"
#include "zoo/net.h"
#include "zoo/workload_list.h"

namespace berth::zoo {
namespace {

constexpr std::array<std::int64_t, 26> kRows = {
    1460, 583,   10131227, 2202608, 305,  24,   12517, 633,     3,  93145, 5683,   8351593, 3194,
    27,   14992, 5461306,  10,      5652, 2173, 4,     7046547, 18, 15,    286181, 105,     142572};
constexpr std::int64_t kNumbers = 13;

Value tower(Net& net, Value x, std::span<const std::int64_t> widths, bool last_is_linear) {
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const Net::Scope scope(net, fmt::format("dense_{}", i));
    x = net.linear("linear", x, widths[i]);
    if (i + 1 < widths.size() || !last_is_linear) x = net.relu("relu", x);
  }
  return x;
}

Graph build_dlrm(const Options& options, Mode mode) {
  const std::int64_t batch = options.integer("batch");
  const std::int64_t width = options.integer("width");
  Net net("dlrm");
  std::vector<Value> features;
  {
    const Net::Scope scope(net, "bottom", "bottom");
    const std::int64_t widths[] = {512, 256, width};
    const Value numbers = net.input("numbers", {batch, kNumbers});
    features.push_back(tower(net, numbers, widths, false));
  }
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    const std::string label = fmt::format("table_{}", i);
    const Net::Scope scope(net, label, label);
    const auto rows =
        static_cast<std::int64_t>(std::ceil(static_cast<double>(kRows[i]) * options.real("scale")));
    const Value category = net.input("category", {batch}, DType::i32);
    features.push_back(net.embedding("embedding", category, rows, width));
  }
  Value joined;
  {
    const Net::Scope scope(net, "interaction", "interaction");
    std::vector<Value> rows;
    for (std::size_t i = 0; i < features.size(); ++i) {
      rows.push_back(net.reshape(fmt::format("row_{}", i), features[i], {batch, 1, width}));
    }
    const auto count = static_cast<std::int64_t>(rows.size());
    const Value all = net.concat("features", rows, 1);
    const Value pairs = net.matmul("pairs", all, net.transpose("transpose", all, {0, 2, 1}));
    const Value upper =
        net.custom("GatherND", "distinct_pairs", {pairs}, {batch, count * (count - 1) / 2}, 0);
    joined = net.concat("joined", {features[0], upper}, 1);
  }
  const Net::Scope scope(net, "top", "top");
  const std::int64_t widths[] = {1024, 1024, 512, 256, 1};
  net.output(tower(net, joined, widths, true));
  return finish(net, options, mode);
}

// Tables on the CPU, everything else on the first GPU: what everybody does.
std::optional<Plan> tables_on_the_cpu(const Problem& problem) {
  std::optional<Plan> plan = one_gpu(problem);
  if (!plan) return plan;
  const Graph& graph = problem.graph();
  std::optional<DeviceId> cpu;
  for (std::size_t d = 0; d < problem.device_count() && !cpu; ++d) {
    if (problem.cluster().device(DeviceId(d)).kind == "cpu") cpu = DeviceId(d);
  }
  if (!cpu) return plan;
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const std::uint32_t layer = graph.layer(OpId(i));
    const bool table = layer != Graph::kNone && graph.layer_names()[layer].starts_with("table_");
    if (table && problem.allowed(OpId(i), *cpu)) plan->placement[i] = *cpu;
  }
  if (!violations(problem, *plan, 1).empty()) return std::nullopt;
  return plan;
}

}  // namespace

Workload dlrm_workload() {
  using Type = OptionSpec::Type;
  return {
      .name = "dlrm",
      .summary = "Recommendation: huge tables; a step reads only a few rows.",
      .options = with_common_options(
          {{"batch", Type::integer, "2048", "Samples per step.", 1, 1e7},
           {"width", Type::integer, "128", "Width of the tables.", 1, 4096},
           {"scale", Type::real, "1", "Factor on the number of rows of every table.", 1e-6, 1000}}),
      .build = build_dlrm,
      .expert = tables_on_the_cpu};
}

}  // namespace berth::zoo
