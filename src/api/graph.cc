#include "berth/graph.h"

#include <fmt/format.h>

#include "api/errors.h"
#include "api/graph_of_ops.h"
#include "api/impl.h"
#include "base/error.h"
#include "base/file.h"
#include "frontends/graph_file.h"
#include "graph/precision.h"

namespace berth::v1 {
namespace {

std::optional<zoo::Mode> mode_of(const std::string& text) {
  if (text.empty()) return std::nullopt;
  if (text == "training") return zoo::Mode::training;
  if (text == "inference") return zoo::Mode::inference;
  throw InputError(fmt::format("the mode is {}; it is \"training\" or \"inference\"{}",
                               quoted(text), did_you_mean(text, {"training", "inference"})),
                   {.code = berth::ErrorCode::bad_option, .subject = "mode"});
}

LoadOptions inside(const GraphOptions& options) {
  LoadOptions result{.mode = mode_of(options.mode), .dims = options.dimensions};
  if (!options.optimizer.empty()) result.optimizer = parse_optimizer(options.optimizer);
  if (!options.precision.empty()) result.precision = parse_precision(options.precision);
  return result;
}

std::shared_ptr<const Graph::Impl> built(berth::Graph graph,
                                         std::vector<std::string> warnings = {}) {
  std::string name = graph.name();
  berth::Model model{.graph = std::move(graph),
                     .spec = std::move(name),
                     .warnings = std::move(warnings),
                     .mode = {},
                     .file_version = {},
                     .known_sha256 = {}};
  return std::make_shared<const Graph::Impl>(Graph::Impl{.model = std::move(model), .built = true});
}

std::vector<std::string> tensor_names(const berth::Graph& graph, std::span<const TensorId> ids) {
  std::vector<std::string> names;
  for (const TensorId id : ids) names.push_back(graph.tensor_name(id));
  return names;
}

}  // namespace

Graph::Graph(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

Graph Graph::load(const std::string& model, const GraphOptions& options) {
  return guarded(model, [&] {
    return Graph(std::make_shared<const Impl>(
        Impl{.model = load_model(model, inside(options)), .built = false}));
  });
}

Graph Graph::parse(const std::string& text, const std::string& source) {
  return guarded(source, [&] {
    std::vector<std::string> warnings;
    berth::Graph graph = parse_graph(text, source, &warnings);
    return Graph(built(std::move(graph), std::move(warnings)));
  });
}

Graph::Graph(const std::string& name, const std::vector<Op>& ops,
             const std::vector<std::string>& outputs)
    : impl_(guarded(name, [&] { return built(graph_of_ops(name, ops, outputs)); })) {}

std::string Graph::name() const { return impl_->model.graph.name(); }
std::size_t Graph::op_count() const { return impl_->model.graph.op_count(); }
std::size_t Graph::edge_count() const { return impl_->model.graph.edge_count(); }

Op Graph::op(std::size_t index) const {
  require_index(index, op_count(), "op");
  return op_of_graph(impl_->model.graph, OpId(index));
}

std::string Graph::op_name(std::size_t index) const {
  require_index(index, op_count(), "op");
  return std::string(impl_->model.graph.op_name(OpId(index)));
}

std::optional<std::size_t> Graph::find_op(const std::string& name) const {
  const std::optional<OpId> found = impl_->model.graph.find_op(name);
  return found ? std::optional(found->index()) : std::nullopt;
}

std::vector<std::size_t> Graph::predecessors(std::size_t op) const {
  require_index(op, op_count(), "op");
  return indices_of(impl_->model.graph.predecessors(OpId(op)));
}

std::vector<std::size_t> Graph::successors(std::size_t op) const {
  require_index(op, op_count(), "op");
  return indices_of(impl_->model.graph.successors(OpId(op)));
}

std::vector<std::size_t> Graph::topological_order() const {
  return indices_of(impl_->model.graph.topological_order());
}

std::vector<std::string> Graph::outputs() const {
  return tensor_names(impl_->model.graph, impl_->model.graph.graph_outputs());
}

std::vector<std::string> Graph::warnings() const { return impl_->model.warnings; }

std::string Graph::to_json() const {
  return guarded(name(), [&] { return graph_to_json(impl_->model.graph); });
}

void Graph::save(const std::string& path) const {
  guarded(path, [&] { write_file(path, graph_to_json(impl_->model.graph)); });
}

}  // namespace berth::v1
