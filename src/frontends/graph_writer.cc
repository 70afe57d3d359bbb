// Writes the graph format. One op per line, and only what is set, so that two versions of a model
// can be compared line by line.
#include "base/json_writer.h"
#include "frontends/graph_file.h"

namespace berth {
namespace {

// "op:k", unless that is the whole name of another op, which would be found first. Then output 0 is
// written as the bare name, and any other with leading zeros in its number, which have no meaning.
std::string reference(const Graph& graph, TensorId tensor) {
  std::string text = graph.tensor_name(tensor);
  if (!graph.find_op(text)) return text;
  const std::string_view name = graph.op_name(graph.producer(tensor));
  if (graph.output_index(tensor) == 0) return std::string(name);
  while (graph.find_op(text)) text.insert(name.size() + 1, 1, '0');
  return text;
}

void write_output(JsonWriter& json, const Graph& graph, TensorId tensor) {
  json.begin_flat_object();
  json.field("bytes", graph.bytes(tensor));
  if (graph.has_shape(tensor)) {
    json.key("shape").begin_flat_array();
    for (const std::int64_t extent : graph.shape(tensor)) json.value(extent);
    json.end_array();
  }
  if (graph.dtype(tensor) != DType::unknown) json.field("dtype", dtype_name(graph.dtype(tensor)));
  if (graph.resident(tensor)) json.field("resident", true);
  if (graph.alias(tensor) != Graph::kNone) json.field("alias", graph.alias(tensor));
  json.end_object();
}

void write_edges(JsonWriter& json, const Graph& graph, OpId op) {
  if (!graph.inputs(op).empty()) {
    json.key("inputs").begin_flat_array();
    for (const TensorId tensor : graph.inputs(op)) json.value(reference(graph, tensor));
    json.end_array();
  }
  if (!graph.after(op).empty()) {
    json.key("after").begin_flat_array();
    for (const OpId earlier : graph.after(op)) json.value(graph.op_name(earlier));
    json.end_array();
  }
}

void write_placing(JsonWriter& json, const Graph& graph, OpId op) {
  if (graph.layer(op) != Graph::kNone) {
    json.field("layer", graph.layer_names()[graph.layer(op)]);
  }
  if (graph.colocation_label(op) != Graph::kNone) {
    json.field("colocate", graph.colocation_labels()[graph.colocation_label(op)]);
  }
  if (graph.device_set(op) != Graph::kNone) {
    json.key("devices").begin_flat_array();
    for (const auto& device : graph.device_sets()[graph.device_set(op)]) json.value(device);
    json.end_array();
  }
  if (!graph.given_seconds(op).empty()) {
    json.key("seconds").begin_flat_object();
    for (const auto& given : graph.given_seconds(op)) {
      json.field(graph.seconds_keys()[given.key], given.seconds);
    }
    json.end_object();
  }
}

void write_op(JsonWriter& json, const Graph& graph, OpId op) {
  json.begin_flat_object();
  json.field("name", graph.op_name(op)).field("type", graph.op_type(op));
  write_edges(json, graph, op);
  if (graph.output_count(op) > 0) {
    json.key("outputs").begin_flat_array();
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      write_output(json, graph, graph.output(op, k));
    }
    json.end_array();
  }
  if (graph.flops(op) != 0) json.field("flops", graph.flops(op));
  if (graph.param_bytes(op) != 0) json.field("param_bytes", graph.param_bytes(op));
  if (graph.temp_bytes(op) != 0) json.field("temp_bytes", graph.temp_bytes(op));
  write_placing(json, graph, op);
  json.end_object();
}

}  // namespace

std::string graph_to_json(const Graph& graph) {
  JsonWriter json;
  json.begin_object();
  json.field("format", "berth.graph").field("version", 1);
  if (!graph.name().empty()) json.field("name", graph.name());
  if (graph.precision() != DType::unknown) {
    json.field("precision", dtype_name(graph.precision()));
  }
  json.key("ops").begin_array();
  for (std::size_t i = 0; i < graph.op_count(); ++i) write_op(json, graph, OpId(i));
  json.end_array();
  if (!graph.graph_outputs().empty()) {
    json.key("outputs").begin_array();
    for (const TensorId tensor : graph.graph_outputs()) json.value(reference(graph, tensor));
    json.end_array();
  }
  json.end_object();
  return json.take();
}

}  // namespace berth
