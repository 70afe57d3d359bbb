#include "report/dot.h"

#include <fmt/format.h>

#include <array>

#include "base/quantity.h"
#include "report/text.h"

namespace berth::report {
namespace {

// Light enough for black text, told apart by people who do not see every colour.
constexpr std::array<const char*, 8> kFill = {"#cfe0f7", "#fbe3b9", "#c9ecd9", "#ecd3f1",
                                              "#f8d2cc", "#d6d3ee", "#e4eac0", "#dcdcdc"};

std::string dot_quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : plain_name(text, 60)) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

const char* fill_of(DeviceId device) { return kFill[device.index() % kFill.size()]; }

std::string legend(const Cluster& cluster) {
  std::string out = "  subgraph cluster_devices { label=\"devices\"; color=\"#bbbbbb\";\n";
  for (std::size_t d = 0; d < cluster.device_count(); ++d) {
    out += fmt::format("    device{} [label={}, fillcolor=\"{}\"];\n", d,
                       dot_quoted(cluster.device(DeviceId(d)).name), fill_of(DeviceId(d)));
  }
  return out + "  }\n";
}

std::string edge(const Graph& graph, const Plan& plan, TensorId tensor, OpId consumer) {
  const OpId producer = graph.producer(tensor);
  if (plan.placement[producer.index()] == plan.placement[consumer.index()]) {
    return fmt::format("  op{} -> op{};\n", producer.index(), consumer.index());
  }
  return fmt::format("  op{} -> op{} [penwidth=2, color=\"#c0392b\", label=\"{}\"];\n",
                     producer.index(), consumer.index(), format_bytes(graph.bytes(tensor)));
}

}  // namespace

std::string placement_dot(const Problem& problem, const Plan& plan) {
  const Graph& graph = problem.graph();
  std::string out = fmt::format("digraph {} {{\n", dot_quoted(graph.name()));
  out +=
      "  node [shape=box, style=\"rounded,filled\", color=\"#888888\", fontname=\"sans-serif\"];\n";
  out += "  edge [color=\"#888888\", fontname=\"sans-serif\", fontsize=10];\n";
  out += legend(problem.cluster());
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    const OpId op(i);
    out += fmt::format("  op{} [label={}, fillcolor=\"{}\", tooltip={}];\n", i,
                       dot_quoted(graph.op_name(op)), fill_of(plan.placement[i]),
                       dot_quoted(graph.op_type(op)));
  }
  for (std::size_t t = 0; t < graph.tensor_count(); ++t) {
    const TensorId tensor(t);
    for (const OpId consumer : graph.consumers(tensor)) out += edge(graph, plan, tensor, consumer);
  }
  for (std::size_t i = 0; i < graph.op_count(); ++i) {
    for (const OpId earlier : graph.after(OpId(i))) {
      out += fmt::format("  op{} -> op{} [style=dashed];\n", earlier.index(), i);
    }
  }
  return out + "}\n";
}

}  // namespace berth::report
