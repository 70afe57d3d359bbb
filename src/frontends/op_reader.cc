#include "frontends/op_reader.h"

#include <fmt/format.h>

#include <array>
#include <limits>

#include "base/error.h"

namespace berth {
namespace {

enum OpKey : std::size_t {
  kName,
  kType,
  kInputs,
  kOutputs,
  kFlops,
  kParamBytes,
  kTempBytes,
  kColocate,
  kDevices,
  kAfter,
  kSeconds,
  kLayer
};
constexpr std::array<std::string_view, 12> kOpKeys = {
    "name",       "type",     "inputs",  "outputs", "flops",   "param_bytes",
    "temp_bytes", "colocate", "devices", "after",   "seconds", "layer"};

enum OutputKey : std::size_t { kBytes, kShape, kDtype, kResident, kAlias };
constexpr std::array<std::string_view, 5> kOutputKeys = {"bytes", "shape", "dtype", "resident",
                                                         "alias"};

constexpr std::int64_t kLargestExtent = std::numeric_limits<std::int64_t>::max();

}  // namespace

void OpFields::clear() {
  name = {};
  type = colocation = layer = {};
  flops = 0;
  param_bytes = temp_bytes = 0;
  devices.clear();
  seconds.clear();
  outputs.clear();
  extents.clear();
  inputs.clear();
  after.clear();
}

OutputSpec OpFields::spec(const Output& output) const {
  return {.bytes = output.bytes,
          .shape = std::span(extents).subspan(output.shape_begin, output.shape_length),
          .has_shape = output.has_shape,
          .dtype = output.dtype,
          .resident = output.resident,
          .alias = output.alias};
}

void read_names(JsonReader& reader, std::string_view what, std::vector<NamedPlace>& places) {
  reader.begin_array();
  while (reader.next_element()) {
    const std::string_view name = reader.read_string();
    if (name.empty()) reader.fail(fmt::format("a name in {} is empty", what));
    places.push_back({name, reader.position()});
  }
}

OpReader::OpReader(JsonReader& reader)
    : reader_(reader),
      op_keys_("an op", kOpKeys, UnknownKeys::refuse),
      output_keys_("an output", kOutputKeys, UnknownKeys::refuse) {}

const OpFields& OpReader::read(std::size_t index) {
  fields_.clear();
  index_ = index;
  try {
    read_fields();
  } catch (const InputError& error) {
    throw error.reworded(in_op(error.what()));
  }
  return fields_;
}

std::string OpReader::in_op(std::string_view sentence) const {
  // The op may be refused before its name was reached.
  return fields_.name.name.empty()
             ? fmt::format("{} (in the op with index {})", sentence, index_)
             : fmt::format("{} (in op {})", sentence, quoted(fields_.name.name));
}

void OpReader::read_fields() {
  op_keys_.begin(reader_);
  while (const auto key = op_keys_.next(reader_)) {
    switch (static_cast<OpKey>(*key)) {
      case kName:
        // A view that is valid as long as the reader: names are not copied before they are
        // interned.
        fields_.name.name = read_label("\"name\"");
        fields_.name.position = reader_.position();
        break;
      case kType:
        fields_.type = read_label("\"type\"");
        break;
      case kInputs:
        read_names(reader_, "\"inputs\"", fields_.inputs);
        break;
      case kOutputs:
        read_outputs();
        break;
      case kFlops:
        fields_.flops = reader_.read_quantity(Dimension::flops, "\"flops\"");
        break;
      case kParamBytes:
        fields_.param_bytes = reader_.read_bytes("\"param_bytes\"");
        break;
      case kTempBytes:
        fields_.temp_bytes = reader_.read_bytes("\"temp_bytes\"");
        break;
      case kColocate:
        fields_.colocation = read_label("\"colocate\"");
        break;
      case kDevices:
        read_devices();
        break;
      case kAfter:
        read_names(reader_, "\"after\"", fields_.after);
        break;
      case kSeconds:
        read_seconds();
        break;
      case kLayer:
        fields_.layer = read_label("\"layer\"");
        break;
    }
  }
  op_keys_.require(reader_, kName);
  op_keys_.require(reader_, kType);
  check_aliases();
}

std::string_view OpReader::read_label(std::string_view what) {
  const std::string_view label = reader_.read_string();
  if (label.empty())
    reader_.fail(fmt::format("{} is empty; it needs at least one character", what));
  return label;
}

void OpReader::read_devices() {
  reader_.begin_array();
  const std::size_t position = reader_.position();
  while (reader_.next_element()) {
    fields_.devices.emplace_back(read_label("a name in \"devices\""));
  }
  if (fields_.devices.empty()) {
    reader_.fail_at(
        position, "\"devices\" allows no device; name at least one, or leave it out to allow any");
  }
}

void OpReader::read_seconds() {
  reader_.begin_object();
  while (const auto key = reader_.next_key()) {
    if (key->empty()) reader_.fail("a device in \"seconds\" has an empty name");
    const std::uint32_t device = seconds_devices_.intern(*key);
    // By device the last op that gave it a time: finds repeated keys without a set per op. Counted
    // from 1, as 0 means none.
    seconds_last_.resize(seconds_devices_.size(), 0);
    if (seconds_last_[device] == index_ + 1) {
      reader_.fail(fmt::format("\"seconds\" gives {} twice; give it once", quoted(*key)));
    }
    seconds_last_[device] = index_ + 1;
    const double seconds = reader_.read_quantity(Dimension::seconds, "a time in \"seconds\"");
    fields_.seconds.push_back({*key, seconds});
  }
}

void OpReader::read_outputs() {
  reader_.begin_array();
  while (reader_.next_element()) read_output();
}

void OpReader::read_output() {
  OpFields::Output output;
  output_keys_.begin(reader_);
  output.position = output_keys_.position();
  output.shape_begin = fields_.extents.size();
  while (const auto key = output_keys_.next(reader_)) {
    switch (static_cast<OutputKey>(*key)) {
      case kBytes:
        output.bytes = reader_.read_bytes("\"bytes\"");
        break;
      case kShape:
        reader_.begin_array();
        while (reader_.next_element()) {
          fields_.extents.push_back(
              reader_.read_integer(0, kLargestExtent, "an extent of \"shape\""));
        }
        output.has_shape = true;
        break;
      case kDtype:
        output.dtype = read_dtype();
        break;
      case kResident:
        output.resident = reader_.read_bool();
        break;
      case kAlias:
        output.alias = static_cast<std::uint32_t>(
            reader_.read_integer(0, Graph::kNone - 1, "the number of an input in \"alias\""));
        output.position = reader_.position();
        break;
    }
  }
  output.shape_length = fields_.extents.size() - output.shape_begin;
  settle_bytes(output, output_keys_.has(kBytes));
  fields_.outputs.push_back(output);
}

DType OpReader::read_dtype() {
  const std::string_view name = reader_.read_string();
  const auto dtype = parse_dtype(name);
  if (dtype) return *dtype;
  const std::vector<std::string> known = dtype_names();
  reader_.fail(fmt::format("the dtype {} is unknown; known are {}{}", quoted(name),
                           join_names(known), did_you_mean(name, known)));
}

void OpReader::settle_bytes(OpFields::Output& output, bool has_bytes) const {
  if (has_bytes) return;  // they win over the shape: a tensor may be padded
  if (!output.has_shape || output.dtype == DType::unknown) {
    reader_.fail_at(output_keys_.position(),
                    "an output needs \"bytes\", or else both \"shape\" and \"dtype\"");
  }
  try {
    output.bytes = tensor_bytes(fields_.spec(output).shape, output.dtype);
  } catch (const InputError& error) {
    reader_.fail_at(output_keys_.position(), error.what(), error.facts());
  }
}

void OpReader::check_aliases() const {
  for (const OpFields::Output& output : fields_.outputs) {
    if (output.alias == Graph::kNone) continue;
    const std::size_t inputs = fields_.inputs.size();
    if (output.alias >= inputs) {
      reader_.fail_at(
          output.position,
          fmt::format("\"alias\" is input {}, but the op has {} input{}, counted from 0",
                      output.alias, inputs, inputs == 1 ? "" : "s"));
    }
    if (output.resident) {
      reader_.fail_at(output.position,
                      "an output is either \"resident\" or an \"alias\", but this one is both");
    }
  }
}

}  // namespace berth
