// The state of one import, shared by importer.cc, emit.cc, weights.cc, control_flow.cc and
// functions.cc. Private to them.
//
// Names are looked up in scopes, one per graph or function body; values are numbered. A region
// decides what happens to ops: in the outermost region they are added to the graph; in the body of
// an If or Loop their costs are only summed up, and what the body reads from outside is recorded.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "frontends/onnx/dimensions.h"
#include "frontends/onnx/external_data.h"
#include "frontends/onnx/importer.h"
#include "frontends/onnx/infer.h"
#include "frontends/onnx/names.h"
#include "graph/graph_builder.h"

namespace berth::onnx {

using ValueId = std::uint32_t;
constexpr ValueId kLeftOut = 0xffffffffu;  // an optional input that was not given

struct Tracked {
  Value value;
  int depth = 0;                      // of the region that made it
  const Tensor* tensor = nullptr;     // set when it is stored in the file
  std::string name = {};              // of what is stored or constant, for its op
  bool named = false;                 // the name is claimed
  std::optional<TensorRef> ref = {};  // once it is in the graph
  bool in_node = false;               // stored in a Constant node, not as an initializer
  bool from_weight = false;           // computed from a weight
  bool lacks_layer = false;           // a weight that no op with a layer has read yet
  bool is_constant = false;           // known before the step; in the graph once an op reads it
};

struct Scope {
  const Scope* parent = nullptr;  // whose names can be seen too; functions see none
  const std::map<std::string_view, std::int64_t>* opsets = nullptr;
  std::string prefix = {};  // of op names
  std::unordered_map<std::string_view, ValueId> values = {};
  std::unordered_map<std::string_view, const ValueInfo*> described = {};  // by the file
  std::unordered_map<std::string_view, std::uint32_t> uses = {};  // still to come, in a body
};

struct Region {
  int depth = 0;  // 0: the graph itself
  double flops = 0;
  std::int64_t live_bytes = 0, peak_bytes = 0;
  std::vector<ValueId> reads = {};  // from outside, in order of first use
  std::unordered_set<ValueId> seen = {};
};

// The result of one node.
struct Work {
  const Node& node;
  std::string type;
  std::vector<ValueId> inputs;
  std::vector<Value> outputs;  // one per output of the node
  std::vector<int> alias;      // as in Inferred; may be empty
  double flops = 0;
  std::int64_t temp_bytes = 0;
  bool repeatable = false;   // its outputs depend on its inputs alone
  bool is_constant = false;  // of a body: the same in every iteration
};

class ImportRun {
 public:
  ImportRun(const Model& model, const std::string& source, const ImportOptions& options);
  Imported run() &&;

 private:
  // importer.cc
  [[noreturn]] void fail(const std::string& sentence, ErrorCode code = ErrorCode::bad_file) const;
  void add_inputs(Scope& scope);
  void describe_values(const Graph& graph, Scope& scope);
  void run_graph(const Graph& graph, Scope& scope, Region& region);
  void run_nodes(std::span<const Node> nodes, std::span<const std::string_view> results,
                 Scope& scope, Region& region);
  void run_node(const Node& node, Scope& scope, Region& region);
  void run_operator(const Node& node, std::vector<ValueId> inputs, Scope& scope, Region& region);
  void assume_outputs(const Node& node, std::span<const ValueId> inputs, Inferred& inferred);
  std::vector<ValueId> resolve_inputs(const Node& node, const Scope& scope) const;
  ValueId find(std::string_view name, const Scope& scope) const;  // kLeftOut when there is none
  ValueId require(std::string_view name, const Scope& scope, const std::string& reader) const;
  void merge_described(std::string_view name, Value& value, const Scope& scope) const;
  std::int64_t opset_of(std::string_view domain, const Scope& scope) const;
  ValueId add_value(Value value, int depth);
  void report(Imported& imported);
  void add_warning(const std::string& sentence);

  // emit.cc
  void emit(Work work, Scope& scope, Region& region);
  void emit_op(Work& work, Scope& scope);
  void keep_constant(const Work& work, Scope& scope);
  void refuse_too_large(const Work& work) const;
  std::string too_large(std::string_view name, const Value& value) const;
  void add_bytes(std::int64_t& total, std::int64_t bytes, const Node& node) const;
  void add_cost(const Work& work, Scope& scope, Region& region);
  void touch(ValueId id, const Node& reader, std::size_t index, Region& region);
  bool is_folded(const Work& work) const;
  bool reads_only_constants(const Work& work) const;
  bool reads_weights(const Work& work) const;
  TensorRef add_output(OpId op, const Value& value, std::uint32_t alias, bool resident);
  void bind(const Work& work, std::size_t output, ValueId id, Scope& scope);
  void count_bytes(std::int64_t bytes, std::string_view name);
  // Claims a name; `output` tells ops of one node apart.
  std::string op_name(const Node& node, const Scope& scope, std::string_view output = {});
  void count_uses(std::span<const Node> nodes, std::span<const std::string_view> results,
                  Scope& scope) const;
  void release(const Node& node, Scope& scope, Region& region) const;
  void release_name(std::string_view name, Scope& scope, Region& region) const;

  // weights.cc
  void add_initializers(const Graph& graph, Scope& scope, Region& region);
  ValueId declare_stored(const Tensor& tensor, std::string name, int depth, bool in_node);
  Value stored_value(const Tensor& tensor);
  std::int64_t stored_bytes(const Tensor& tensor, std::string_view name) const;
  bool is_weight(const Tracked& tracked, const Node& reader, std::size_t index) const;
  TensorRef ref_of(ValueId id, const Node& reader, std::size_t index, const std::string& layer);
  bool is_buffer(const Tracked& tracked, const Node& reader) const;
  TensorRef add_stored(const Tracked& tracked, const std::string& name, bool weight);
  TensorRef add_constant(const Tracked& tracked);
  bool run_constant(const Node& node, Scope& scope, Region& region);

  // control_flow.cc
  bool run_control_flow(const Node& node, std::span<const ValueId> inputs, Scope& scope,
                        Region& region);
  void run_if(const Node& node, std::span<const ValueId> inputs, Scope& scope, Region& region);
  void run_loop(const Node& node, std::span<const ValueId> inputs, Scope& scope, Region& region);
  void run_scan(const Node& node, std::span<const ValueId> inputs, Scope& scope, Region& region);
  void run_sequence_map(const Node& node, std::span<const ValueId> inputs, Scope& scope,
                        Region& region);
  const Graph& body_of(const Node& node, std::string_view attribute) const;
  // Runs a body on the values of its inputs and gives those of its outputs.
  std::vector<Value> run_body(const Graph& body, const std::vector<Value>& inputs, Scope& scope,
                              Region& region);
  void run_strange_bodies(const Node& node, Scope& scope, Region& region);
  void warn_of_trips(const Node& node);
  // What the file says of the first dimension of the k-th output.
  std::optional<std::int64_t> described_length(const Node& node, std::size_t k,
                                               const Scope& scope) const;
  Work whole(const Node& node, std::span<const ValueId> inputs, std::vector<Value> outputs,
             const Region& body, double times);

  // functions.cc
  const Function* find_function(const Node& node) const;
  void run_function(const Node& node, const Function& function, std::span<const ValueId> inputs,
                    Scope& scope, Region& region);
  std::span<const Node> with_attributes(const Node& call, const Function& function);

  const Model& model_;
  const std::string& source_;
  const ImportOptions& options_;
  Dimensions dimensions_;
  ExternalData external_;
  GraphBuilder builder_;
  UniqueNames names_;
  std::deque<Tracked> values_;
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const Function*>
      functions_;
  std::vector<const Function*> calls_;  // under way
  std::deque<std::vector<Node>> written_out_;
  std::unordered_map<const Tensor*, ValueId> stored_;
  std::map<std::tuple<std::string_view, std::int64_t, std::int64_t>, ValueId> extents_;
  std::size_t visits_ = 0;
  std::int64_t total_bytes_ = 0;

  // Collected for the warnings at the end.
  std::vector<std::string> warnings_;
  std::vector<std::string> empty_dims_;
  std::unordered_set<std::string> said_;
  std::size_t tensors_ = 0, unknown_tensors_ = 0, complaints_ = 0, unknown_ops_ = 0;
  std::string first_unknown_, first_complaint_;
  struct Strange {
    std::size_t ops = 0, assumed = 0;
  };
  std::map<std::string, Strange> strange_types_;
};

std::string full_type(const Node& node);  // with the domain, where it has one

}  // namespace berth::onnx
