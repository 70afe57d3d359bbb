#include "sim/program.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace berth {
namespace {

constexpr std::uint32_t kNone = Program::kNone;

std::uint32_t number(std::size_t index) { return static_cast<std::uint32_t>(index); }

// Compiles for any map from ops to kernels; `fused` may be empty.
class Compiler {
 public:
  Compiler(const Problem& problem, const std::vector<std::vector<OpId>>& fused,
           const std::vector<std::uint32_t>& kernel_of_op, std::uint32_t kernels)
      : graph_(problem.graph()), fused_(fused), kernel_of_op_(kernel_of_op) {
    program_.kernels = kernels;
  }

  Program compile() {
    list_members();
    add_tensors();
    add_edges();
    add_after();
    add_memory();
    resolve_aliases();
    return std::move(program_);
  }

 private:
  std::uint32_t kernel(OpId op) const { return kernel_of_op_[op.index()]; }
  std::uint32_t kernel(TensorId tensor) const { return kernel(graph_.producer(tensor)); }
  std::span<const OpId> members(std::uint32_t u) const { return members_.row(u); }

  void list_members() {
    members_.begins.assign(program_.kernels + 1, 0);
    for (const std::uint32_t u : kernel_of_op_) ++members_.begins[u + 1];
    std::partial_sum(members_.begins.begin(), members_.begins.end(), members_.begins.begin());
    members_.items.resize(kernel_of_op_.size());
    std::vector<std::uint32_t> next(members_.begins.begin(), members_.begins.end() - 1);
    for (std::size_t i = 0; i < kernel_of_op_.size(); ++i) {
      members_.items[next[kernel_of_op_[i]]++] = OpId(i);
    }
    for (std::uint32_t u = 0; u < program_.kernels; ++u) {
      program_.kernel_ops.push_back(members(u).front());
    }
    if (fused_.empty()) return;
    program_.kernel_fused.assign(program_.kernels, kNone);
    for (std::size_t g = 0; g < fused_.size(); ++g) {
      program_.kernel_fused[kernel(fused_[g].front())] = number(g);
    }
  }

  // Read inside its own kernel only and not a graph output, so it is never stored. A tensor without
  // consumers is not internal: the op still allocates it.
  bool is_internal(TensorId tensor) const {
    const auto consumers = graph_.consumers(tensor);
    return !consumers.empty() && !graph_.is_graph_output(tensor) &&
           std::all_of(consumers.begin(), consumers.end(),
                       [&](OpId op) { return kernel(op) == kernel(tensor); });
  }

  void add_tensors() {
    tensor_numbers_.assign(graph_.tensor_count(), kNone);
    program_.kernel_records.resize(std::size_t{program_.kernels} + 1);
    for (std::uint32_t u = 0; u < program_.kernels; ++u) {
      for (const OpId op : members(u)) {
        for (std::size_t k = 0; k < graph_.output_count(op); ++k) {
          const TensorId tensor = graph_.output(op, k);
          if (!fused_.empty() && is_internal(tensor)) continue;
          tensor_numbers_[tensor.index()] = program_.tensors++;
          program_.tensor_ids.push_back(tensor);
          // In order of member, then of output: the order in which the rules send them.
          program_.tensor_records.push_back(
              {.bytes = graph_.bytes(tensor), .kept = graph_.is_graph_output(tensor)});
        }
      }
      program_.kernel_records[u + 1].tensor_begin = program_.tensors;
    }
    // One record more than there are tensors: a row ends where the next begins, also the last.
    program_.tensor_records.emplace_back();
  }

  void add_edges() {
    auto& kernels = program_.kernel_records;
    auto& edges = program_.edge_records;
    program_.waits.assign(program_.kernels, 0);
    std::vector<std::uint32_t> consumers;
    for (std::uint32_t u = 0; u < program_.kernels; ++u) {
      for (std::uint32_t t = kernels[u].tensor_begin; t < kernels[u + 1].tensor_begin; ++t) {
        consumers.clear();
        for (const OpId op : graph_.consumers(program_.tensor_ids[t])) {
          // Reads inside the group need no transfer and no wait.
          if (kernel(op) != u) consumers.push_back(kernel(op));
        }
        // Consumers are ascending, but several may have been fused into one.
        std::sort(consumers.begin(), consumers.end());
        consumers.erase(std::unique(consumers.begin(), consumers.end()), consumers.end());
        for (const std::uint32_t consumer : consumers) {
          // Counts the inputs of the consumer and numbers this one, in one pass; where the inputs
          // of a kernel begin is known only after all are counted, and is added at the end.
          edges.push_back({consumer, program_.waits[consumer]++});
        }
        program_.tensor_records[t + 1].edge_begin = number(edges.size());
      }
      kernels[u + 1].edge_begin = number(edges.size());
    }
    program_.edges = number(edges.size());
    for (std::uint32_t u = 0; u < program_.kernels; ++u) {
      kernels[u + 1].input_begin = kernels[u].input_begin + program_.waits[u];
    }
    for (Program::Edge& edge : edges) edge.input += kernels[edge.kernel].input_begin;
  }

  void add_after() {
    auto& kernels = program_.kernel_records;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;  // earlier, later
    for (std::size_t i = 0; i < graph_.op_count(); ++i) {
      for (const OpId earlier : graph_.after(OpId(i))) {
        if (kernel(earlier) != kernel(OpId(i)))
          pairs.emplace_back(kernel(earlier), kernel(OpId(i)));
      }
    }
    // Sorted by earlier kernel, which makes the rows. Fusion may turn several pairs of ops into one
    // pair of kernels, which counts as one wait.
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    for (const auto& [earlier, later] : pairs) {
      ++kernels[earlier + 1].after_begin;
      program_.after_kernels.push_back(later);
      ++program_.waits[later];
    }
    for (std::uint32_t u = 0; u < program_.kernels; ++u) {
      kernels[u + 1].after_begin += kernels[u].after_begin;
      if (program_.waits[u] == 0) program_.sources.push_back(u);
    }
  }

  void add_memory() {
    for (std::uint32_t u = 0; u < program_.kernels; ++u) {
      std::int64_t params = 0;
      std::int64_t workspace = 0;
      for (const OpId op : members(u)) {
        params += graph_.param_bytes(op);
        // Members of a fused group run one after the other and share the workspace; their
        // parameters are there all step long.
        workspace = std::max(workspace, graph_.temp_bytes(op));
      }
      program_.param_bytes.push_back(params);
      program_.kernel_records[u].temp_bytes = workspace;
    }
  }

  // An output that shares the memory of an input takes none itself. Inside a fused group, a view of
  // a view is followed to something that is stored: a tensor from outside the group, or another
  // output of the group. If it ends at a tensor that fusion removed, there is no memory to share.
  // Then the first such view that leaves the group is stored, and the others share it.
  void resolve_aliases() {
    program_.alias_input.assign(program_.tensors, kNone);
    program_.alias_tensor.assign(program_.tensors, kNone);
    std::vector<std::pair<TensorId, std::uint32_t>>
        standing_for;  // removed tensor, its first stored view
    for (std::uint32_t u = 0; u < program_.kernels; ++u) {
      Program::Kernel& record = program_.kernel_records[u];
      record.start_bytes = record.temp_bytes;
      standing_for.clear();
      const std::uint32_t end = program_.kernel_records[u + 1].tensor_begin;
      for (std::uint32_t t = record.tensor_begin; t < end; ++t) {
        const TensorId tensor = program_.tensor_ids[t];
        if (graph_.alias(tensor) != Graph::kNone) resolve_alias(u, t, standing_for);
        const bool shares = program_.alias_input[t] != kNone || program_.alias_tensor[t] != kNone;
        program_.has_aliases = program_.has_aliases || shares;
        if (shares || graph_.resident(tensor)) continue;
        program_.tensor_records[t].local_bytes = program_.tensor_records[t].bytes;
        record.start_bytes += program_.tensor_records[t].bytes;
      }
    }
  }

  void resolve_alias(std::uint32_t u, std::uint32_t t,
                     std::vector<std::pair<TensorId, std::uint32_t>>& standing_for) {
    TensorId at = program_.tensor_ids[t];
    for (;;) {
      at = graph_.inputs(graph_.producer(at))[graph_.alias(at)];
      if (kernel(at) != u) {
        program_.alias_input[t] = input_of(tensor_numbers_[at.index()], u);
        return;
      }
      if (tensor_numbers_[at.index()] != kNone) {
        program_.alias_tensor[t] = tensor_numbers_[at.index()];
        return;
      }
      if (graph_.alias(at) == Graph::kNone) break;
    }
    for (const auto& [vanished, first_view] : standing_for) {
      if (vanished == at) {
        program_.alias_tensor[t] = first_view;
        return;
      }
    }
    standing_for.emplace_back(at, t);
  }

  std::uint32_t input_of(std::uint32_t t, std::uint32_t u) const {
    const auto begin = program_.edge_records.begin();
    // The edges of a tensor are ascending by consumer, see add_edges().
    return std::lower_bound(
               begin + program_.tensor_records[t].edge_begin,
               begin + program_.tensor_records[t + 1].edge_begin, u,
               [](const Program::Edge& edge, std::uint32_t v) { return edge.kernel < v; })
        ->input;
  }

  const Graph& graph_;
  const std::vector<std::vector<OpId>>& fused_;
  const std::vector<std::uint32_t>& kernel_of_op_;
  Rows<OpId> members_;
  std::vector<std::uint32_t> tensor_numbers_;  // by graph tensor; kNone when never stored
  Program program_;
};

}  // namespace

Program compile(const Problem& problem) {
  std::vector<std::uint32_t> kernel_of_op(problem.op_count());
  std::iota(kernel_of_op.begin(), kernel_of_op.end(), 0u);
  const std::vector<std::vector<OpId>> nothing_fused;
  return Compiler(problem, nothing_fused, kernel_of_op, number(problem.op_count())).compile();
}

Program compile_fused(const Problem& problem, const std::vector<std::vector<OpId>>& fused,
                      std::vector<std::uint32_t>& kernel_of_op) {
  // Kernels are numbered by their lowest op. An op's lowest member has a lower index or is the op
  // itself, so it already has its number when the op asks for it.
  std::vector<std::uint32_t> lowest(problem.op_count());
  std::iota(lowest.begin(), lowest.end(), 0u);
  for (const auto& group : fused) {
    const OpId first = *std::min_element(group.begin(), group.end());
    for (const OpId op : group) lowest[op.index()] = number(first.index());
  }
  kernel_of_op.assign(problem.op_count(), kNone);
  std::uint32_t kernels = 0;
  for (std::uint32_t i = 0; i < lowest.size(); ++i) {
    kernel_of_op[i] = lowest[i] == i ? kernels++ : kernel_of_op[lowest[i]];
  }
  return Compiler(problem, fused, kernel_of_op, kernels).compile();
}

}  // namespace berth
