#include "api/graph_of_ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "graph/graph_builder.h"

namespace berth::v1 {
namespace {

[[noreturn]] void fail(const std::string& op, const std::string& sentence) {
  throw InputError(fmt::format("op {}: {}", quoted(op), sentence), {.subject = op});
}

void require_amount(const Op& op, const char* what, double amount) {
  if (std::isfinite(amount) && amount >= 0) return;
  fail(op.name, fmt::format("{} is {}; it is finite and 0 or more", what, amount));
}

OutputSpec spec_of(const Op& op, const Output& output) {
  OutputSpec spec{.resident = output.resident};
  if (!output.dtype.empty()) {
    const std::optional<DType> dtype = parse_dtype(output.dtype);
    if (!dtype) {
      fail(op.name,
           fmt::format("the dtype {} is unknown; known are {}{}", quoted(output.dtype),
                       join_names(dtype_names()), did_you_mean(output.dtype, dtype_names())));
    }
    spec.dtype = *dtype;
  }
  if (output.shape) {
    for (const std::int64_t extent : *output.shape) {
      require_amount(op, "an extent of a shape", static_cast<double>(extent));
    }
    spec.shape = *output.shape;
    spec.has_shape = true;
  }
  if (output.bytes) {
    require_amount(op, "the bytes of an output", static_cast<double>(*output.bytes));
    spec.bytes = *output.bytes;
  } else if (!output.shape || output.dtype.empty()) {
    fail(op.name, "an output needs bytes, or else both shape and dtype");
  }
  if (output.alias) {
    if (*output.alias >= op.inputs.size()) {
      fail(op.name, fmt::format("an output is an alias of input {}, but the op has {} inputs, "
                                "counted from 0",
                                *output.alias, op.inputs.size()));
    }
    if (output.resident) fail(op.name, "an output is either resident or an alias, not both");
    spec.alias = static_cast<std::uint32_t>(*output.alias);
  }
  return spec;
}

void add_op(GraphBuilder& builder, const Op& op) {
  if (op.name.empty()) throw InputError("an op has an empty name; give it one of its own");
  if (op.type.empty()) fail(op.name, "the type is empty; say what it computes, as in \"MatMul\"");
  const OpId id = builder.add_op(op.name, op.type);
  require_amount(op, "flops", op.flops);
  require_amount(op, "param_bytes", static_cast<double>(op.param_bytes));
  require_amount(op, "temp_bytes", static_cast<double>(op.temp_bytes));
  builder.set_flops(id, op.flops);
  builder.set_param_bytes(id, op.param_bytes);
  builder.set_temp_bytes(id, op.temp_bytes);
  if (!op.colocate.empty()) builder.set_colocation(id, op.colocate);
  if (!op.layer.empty()) builder.set_layer(id, op.layer);
  if (std::ranges::find(op.devices, "") != op.devices.end()) {
    fail(op.name, "a name in devices is empty; it needs at least one character");
  }
  if (!op.devices.empty()) builder.set_devices(id, op.devices);
  for (const auto& [device, seconds] : op.seconds) {
    if (device.empty()) fail(op.name, "a device in seconds has an empty name");
    require_amount(op, "a number of seconds", seconds);
    builder.add_seconds(id, device, seconds);
  }
  for (const Output& output : op.outputs) builder.add_output(id, spec_of(op, output));
}

OpId find_op(const GraphBuilder& builder, const std::string& name, const std::string& where) {
  if (const std::optional<OpId> found = builder.find_op(name)) return *found;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < builder.op_count(); ++i) known.emplace_back(builder.op_name(OpId(i)));
  throw InputError(
      fmt::format("{}: there is no op {}{}", where, quoted(name), did_you_mean(name, known)),
      {.code = berth::ErrorCode::unknown_name, .subject = name});
}

// "op" or "op:k"; the whole text is first looked up as a name, as in graph files.
TensorRef find_tensor(const GraphBuilder& builder, const std::string& text,
                      const std::string& where) {
  std::string name = text;
  std::uint32_t output = 0;
  const std::size_t colon = text.rfind(':');
  if (!builder.find_op(text) && colon != std::string::npos) {
    const char* const end = text.data() + text.size();
    const auto parsed = std::from_chars(text.data() + colon + 1, end, output);
    if (parsed.ec == std::errc() && parsed.ptr == end) name = text.substr(0, colon);
  }
  const OpId op = find_op(builder, name, where);
  if (output < builder.output_count(op)) return {op, output};
  throw InputError(fmt::format("{}: there is no {}: op {} has {} outputs, counted from 0", where,
                               quoted(text), quoted(name), builder.output_count(op)),
                   {.code = berth::ErrorCode::unknown_name, .subject = text});
}

}  // namespace

berth::Graph graph_of_ops(const std::string& name, const std::vector<Op>& ops,
                          const std::vector<std::string>& outputs) {
  GraphBuilder builder(name);
  for (const Op& op : ops) add_op(builder, op);
  for (std::size_t i = 0; i < ops.size(); ++i) {
    const std::string where = fmt::format("op {}", quoted(ops[i].name));
    for (const std::string& input : ops[i].inputs) {
      builder.add_input(OpId(i), find_tensor(builder, input, where));
    }
    for (const std::string& earlier : ops[i].after) {
      builder.add_after(OpId(i), find_op(builder, earlier, where));
    }
  }
  for (const std::string& output : outputs) {
    builder.add_graph_output(find_tensor(builder, output, "the outputs of the graph"));
  }
  return std::move(builder).build();
}

Op op_of_graph(const berth::Graph& graph, OpId op) {
  Op result{.name = std::string(graph.op_name(op)),
            .type = std::string(graph.op_type(op)),
            .flops = graph.flops(op),
            .param_bytes = graph.param_bytes(op),
            .temp_bytes = graph.temp_bytes(op)};
  for (const TensorId tensor : graph.inputs(op)) result.inputs.push_back(graph.tensor_name(tensor));
  for (std::size_t k = 0; k < graph.output_count(op); ++k) {
    const TensorId tensor = graph.output(op, k);
    Output output{.bytes = graph.bytes(tensor),
                  .dtype = std::string(dtype_name(graph.dtype(tensor))),
                  .resident = graph.resident(tensor)};
    const std::span<const std::int64_t> shape = graph.shape(tensor);
    if (graph.has_shape(tensor)) output.shape.emplace(shape.begin(), shape.end());
    if (graph.alias(tensor) != berth::Graph::kNone) output.alias = graph.alias(tensor);
    result.outputs.push_back(std::move(output));
  }
  for (const auto& given : graph.given_seconds(op)) {
    result.seconds.emplace(graph.seconds_keys()[given.key], given.seconds);
  }
  if (graph.colocation_label(op) != berth::Graph::kNone) {
    result.colocate = graph.colocation_labels()[graph.colocation_label(op)];
  }
  if (graph.layer(op) != berth::Graph::kNone) result.layer = graph.layer_names()[graph.layer(op)];
  if (graph.device_set(op) != berth::Graph::kNone) {
    result.devices = graph.device_sets()[graph.device_set(op)];
  }
  for (const OpId earlier : graph.after(op)) result.after.emplace_back(graph.op_name(earlier));
  return result;
}

}  // namespace berth::v1
