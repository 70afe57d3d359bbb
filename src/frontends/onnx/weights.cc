// What is stored in the file: weights become Variables, small numbers that steer shapes Constants.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "frontends/onnx/constant.h"
#include "frontends/onnx/import_run.h"
#include "frontends/onnx/sizes.h"

namespace berth::onnx {
namespace {

std::optional<std::int64_t> count_elements(std::span<const std::int64_t> dims) {
  std::int64_t elements = 1;
  for (const std::int64_t dim : dims) {
    if (dim < 0 || __builtin_mul_overflow(elements, dim, &elements)) return std::nullopt;
  }
  return elements;
}

std::int64_t payload_bytes(const Tensor& tensor) {
  std::size_t bytes = tensor.raw.size();
  for (const std::string_view run : tensor.packed) bytes += run.size();
  return static_cast<std::int64_t>(bytes);
}

// Inputs that are parameters of the operator rather than weights, although they are floating-point
// numbers.
bool steers(const Node& reader, std::size_t index) {
  if (index == 0) return reader.op_type == "Range";
  for (const std::string_view type :
       {"Resize", "Upsample", "Clip", "Pad", "Range", "OneHot", "NonMaxSuppression", "Dropout"}) {
    if (reader.op_type == type) return true;
  }
  return false;
}

// Operators whose integer inputs are quantized numbers.
bool is_quantized(const Node& reader) {
  return reader.op_type.find("Linear") != std::string_view::npos ||
         reader.op_type.find("Integer") != std::string_view::npos ||
         reader.op_type.starts_with("Q");
}

}  // namespace

std::int64_t ImportRun::stored_bytes(const Tensor& tensor, std::string_view name) const {
  const auto elements = count_elements(tensor.dims);
  if (!elements) {
    fail(fmt::format("the tensor {} has the shape [{}], which is not a valid shape", quoted(name),
                     fmt::join(tensor.dims, ", ")));
  }
  std::optional<std::int64_t> bytes = bytes_of(tensor.element, elements);
  if (!bytes && tensor.external) bytes = external_number(tensor, "length");
  if (!bytes && element_bits(tensor.element) > 0) {
    fail(fmt::format("the tensor {} of shape [{}] has more bytes than fit in 63 bits", quoted(name),
                     fmt::join(tensor.dims, ", ")));
  }
  if (!bytes && tensor.external) {
    fail(
        fmt::format("the tensor {} has the element type {}, which is not known, and does not say "
                    "its length in bytes",
                    quoted(name), static_cast<int>(tensor.element)));
  }
  if (!bytes) return payload_bytes(tensor);
  const auto raw = static_cast<std::int64_t>(tensor.raw.size());
  if (!tensor.external && raw > 0 && raw != *bytes && tensor.element != ElementType::string) {
    fail(fmt::format("the tensor {} holds {} bytes, but its shape [{}] needs {}", quoted(name), raw,
                     fmt::join(tensor.dims, ", "), *bytes));
  }
  if (!tensor.sparse) return *bytes;
  const auto indices = bytes_of(tensor.index_element, count_elements(tensor.index_dims));
  if (!indices || !count_elements(tensor.dense_dims)) {
    fail(fmt::format("the sparse tensor {} has indices or a shape that are not valid",
                     quoted(name)));
  }
  std::int64_t total = 0;
  if (__builtin_add_overflow(*bytes, *indices, &total)) {
    fail(fmt::format("the sparse tensor {} has more bytes than fit in 63 bits", quoted(name)));
  }
  return total;
}

Value ImportRun::stored_value(const Tensor& tensor) {
  if (tensor.external) external_.check(tensor);
  if (!tensor.sparse) return value_of(tensor);
  Value value;
  value.kind = Type::Kind::tensor;
  value.element = tensor.element;
  value.has_rank = true;
  value.dims = tensor.dense_dims;
  return value;
}

ValueId ImportRun::declare_stored(const Tensor& tensor, std::string name, int depth, bool in_node) {
  // A body that is run twice still has its weights once.
  if (const auto found = stored_.find(&tensor); found != stored_.end()) return found->second;
  stored_bytes(tensor, name);
  const ValueId id = add_value(stored_value(tensor), depth);
  Tracked& tracked = values_[id];
  tracked.tensor = &tensor;
  tracked.name = std::move(name);
  tracked.in_node = in_node;
  tracked.value.is_weight = is_weight(tracked, Node(), 0);
  stored_.emplace(&tensor, id);
  if (!tensor.external) return id;
  // Two names for the same bytes of an external file are one weight (tied weights). Tensors inside
  // the model file are never the same bytes.
  const auto offset = external_number(tensor, "offset");
  if (!offset) return id;
  const auto [found, added] = extents_.try_emplace(
      {tensor.external_data.at("location"), *offset, stored_bytes(tensor, tracked.name)}, id);
  const Tensor& first = *values_[found->second].tensor;
  if (added || first.dims != tensor.dims || first.element != tensor.element) return id;
  stored_[&tensor] = found->second;
  return found->second;
}

void ImportRun::add_initializers(const Graph& graph, Scope& scope, Region& region) {
  for (const Tensor& tensor : graph.initializers) {
    const ValueId id =
        declare_stored(tensor, scope.prefix + std::string(tensor.name), region.depth, false);
    if (scope.values.try_emplace(tensor.name, id).second || region.depth > 0) continue;
    fail(fmt::format("there are two initializers named {}", quoted(tensor.name)));
  }
}

bool ImportRun::is_weight(const Tracked& tracked, const Node& reader, std::size_t index) const {
  const Value& value = tracked.value;
  if (value.element == ElementType::string) return false;
  if (!fully_known(value) || tracked.tensor->sparse) return true;
  const std::int64_t elements = value.elements().value_or(0);
  if (elements == 0 || (elements == 1 && tracked.in_node)) return false;
  switch (value.element) {
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::uint32:
    case ElementType::boolean:
      return false;
    case ElementType::int32:
      return is_quantized(reader);
    case ElementType::float32:
    case ElementType::float64:
    case ElementType::float16:
    case ElementType::bfloat16:
      return !steers(reader, index);
    default:
      return true;
  }
}

TensorRef ImportRun::add_stored(const Tracked& tracked, const std::string& name, bool weight) {
  const OpId op = builder_.add_op(name, weight ? "Variable" : "Constant");
  const Value& value = tracked.value;
  const std::int64_t bytes = stored_bytes(*tracked.tensor, name);
  if (weight) {
    builder_.set_param_bytes(op, bytes);
    count_bytes(bytes, name);
  }
  count_bytes(bytes, name);
  // The bytes are those in the file: a sparse weight takes less than its shape suggests.
  return builder_.add_output(op, {.bytes = bytes,
                                  .shape = value.dims,
                                  .has_shape = value.has_rank && !tracked.tensor->sparse,
                                  .dtype = dtype_of(value.element),
                                  .resident = weight});
}

// A mask or a table of positions: a large initializer that is not trained. What is computed from it
// alone is constant too.
bool ImportRun::is_buffer(const Tracked& tracked, const Node& reader) const {
  if (tracked.tensor == nullptr || tracked.tensor->sparse) return false;
  switch (tracked.value.element) {
    case ElementType::int64:
    case ElementType::uint64:
    case ElementType::uint32:
    case ElementType::boolean:
      return true;
    case ElementType::int32:
      return !is_quantized(reader);
    default:
      return false;
  }
}

// A large constant is resident, like a weight of its size.
TensorRef ImportRun::add_constant(const Tracked& tracked) {
  const OpId op = builder_.add_op(tracked.name, "Constant");
  const bool resident = !fully_known(tracked.value);
  if (resident) {
    const std::int64_t bytes = bytes_of(tracked.value).value_or(0);
    builder_.set_param_bytes(op, bytes);
    count_bytes(bytes, tracked.name);
  }
  return add_output(op, tracked.value, berth::Graph::kNone, resident);
}

// Stored tensors and constants are added to the graph when they are first read. Their layer is that
// of their own name, or else of the first reader that has one.
TensorRef ImportRun::ref_of(ValueId id, const Node& reader, std::size_t index,
                            const std::string& layer) {
  Tracked& tracked = values_[id];
  if (!tracked.ref) {
    if (!tracked.named) tracked.name = names_.claim(tracked.name);
    if (tracked.is_constant) {
      tracked.ref = add_constant(tracked);
    } else {
      tracked.from_weight = is_weight(tracked, reader, index);
      tracked.ref = add_stored(tracked, tracked.name, tracked.from_weight);
    }
    const std::string own = tracked.named ? layer_of(tracked.name) : "";
    if (!own.empty()) builder_.set_layer(tracked.ref->op, own);
    tracked.lacks_layer = own.empty();
  }
  if (tracked.lacks_layer && !layer.empty()) {
    builder_.set_layer(tracked.ref->op, layer);
    tracked.lacks_layer = false;
  }
  return *tracked.ref;
}

// A Constant that holds a tensor, which is how some exporters store all weights. False when it
// holds its value in another form.
bool ImportRun::run_constant(const Node& node, Scope& scope, Region& region) {
  const Attribute* attribute = node.attribute("value");
  if (attribute == nullptr) attribute = node.attribute("sparse_value");
  if (attribute == nullptr || attribute->tensors.empty() || node.outputs.empty()) return false;
  const Tensor& tensor = attribute->tensors.front();
  const Work work{.node = node, .type = {}, .inputs = {}, .outputs = {}, .alias = {}};
  if (region.depth > 0) {
    const std::string_view base = node.name.empty() ? node.outputs.front() : node.name;
    const ValueId id = declare_stored(tensor, scope.prefix + std::string(base), region.depth, true);
    bind(work, 0, id, scope);
    return true;
  }
  const std::string name = op_name(node, scope);
  stored_bytes(tensor, name);
  const ValueId id = add_value(stored_value(tensor), 0);
  Tracked& tracked = values_[id];
  tracked.tensor = &tensor;
  tracked.name = name;
  tracked.named = tracked.in_node = true;
  tracked.value.is_weight = is_weight(tracked, node, 0);
  bind(work, 0, id, scope);
  return true;
}

}  // namespace berth::onnx
