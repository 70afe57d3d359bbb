// The computation graph: ops, the tensors they make and read, and what the ops cost.
//
// A graph is loaded (a graph file, an ONNX file, a workload such as "zoo:rnnlm:batch=64") or built
// from a list of ops. It never changes after that. Copies share their data, so they are cheap, and
// any number of threads may use one graph.
//
//   berth::Graph graph("pair", {{.name = "a", .type = "MatMul", .outputs = {{.bytes = 4096}}},
//                               {.name = "b", .type = "MatMul", .inputs = {"a"}}});
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/export.h"

namespace berth::v1 {

// A tensor that an op makes. Either `bytes` is given, or `shape` and `dtype` are.
struct Output {
  std::optional<std::int64_t> bytes = {};
  std::optional<std::vector<std::int64_t>> shape = {};  // an empty shape is a scalar
  std::string dtype = {};                               // "f32", "bf16", ...
  bool resident = false;                                // stays in memory for the whole step
  std::optional<std::size_t> alias = {};  // the input of the op whose memory it shares
};

struct Op {
  std::string name;
  std::string type;                      // "MatMul": chooses the row of the cost model
  std::vector<std::string> inputs = {};  // "op" is output 0 of an op, "op:1" is output 1
  std::vector<Output> outputs = {};
  double flops = 0;
  std::int64_t param_bytes = 0;  // weights and optimizer state, held for the whole step
  std::int64_t temp_bytes = 0;   // workspace, held while the op runs
  // Measured times by name, model or kind of device; otherwise the cost model is used.
  std::map<std::string, double> seconds = {};
  std::string colocate = {};              // ops with the same label share a device
  std::string layer = {};                 // for reports and for placers that work by layers
  std::vector<std::string> devices = {};  // names, models or kinds; empty: every device
  std::vector<std::string> after = {};    // ops that must end before it starts; no data is sent
};

struct GraphOptions {
  std::string mode = {};  // "training" or "inference"; empty: training for zoo:, else inference
  std::string precision = {};  // "f32", "tf32", "f16", "bf16", "i8"; empty: as the model has it
  std::string optimizer = {};  // of a file in training: "sgd", "adam", ...; empty: Berth chooses
  std::map<std::string, std::int64_t> dimensions = {};  // sizes that an ONNX file leaves open
};

class BERTH_API Graph {
 public:
  // A path of a graph file (.json) or an ONNX file (.onnx), or a workload: "zoo:NAME:option=value".
  static Graph load(const std::string& model, const GraphOptions& options = {});
  // The text of a graph file; `source` names it in messages.
  static Graph parse(const std::string& text, const std::string& source = "graph");
  // Ops may be in any order. `outputs` are the tensors to keep until the step ends.
  Graph(const std::string& name, const std::vector<Op>& ops,
        const std::vector<std::string>& outputs = {});
  // Copied, never moved from: a graph always has a value.
  Graph(const Graph&) = default;
  Graph& operator=(const Graph&) = default;

  std::string name() const;
  std::size_t op_count() const;
  std::size_t edge_count() const;
  Op op(std::size_t index) const;  // everything about one op, built at each call
  std::string op_name(std::size_t index) const;
  std::optional<std::size_t> find_op(const std::string& name) const;
  std::vector<std::size_t> predecessors(std::size_t op) const;  // distinct, ascending
  std::vector<std::size_t> successors(std::size_t op) const;    // the same
  std::vector<std::size_t> topological_order() const;
  std::vector<std::string> outputs() const;   // of the graph
  std::vector<std::string> warnings() const;  // one sentence each, such as unknown keys of the file
  std::string to_json() const;                // a graph file
  void save(const std::string& path) const;

  struct Impl;
  explicit Graph(std::shared_ptr<const Impl> impl);  // for the library itself
  const Impl& impl() const { return *impl_; }

 private:
  std::shared_ptr<const Impl> impl_;
};

}  // namespace berth::v1
