#include "frontends/graph_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/json_format.h"
#include "base/json_reader.h"
#include "frontends/op_reader.h"
#include "frontends/references.h"
#include "graph/graph_builder.h"
#include "graph/precision.h"

namespace berth {
namespace {

enum GraphKey : std::size_t { kFormat, kVersion, kName, kPrecision, kOps, kOutputs };
constexpr std::array<std::string_view, 6> kGraphKeys = {"format",    "version", "name",
                                                        "precision", "ops",     "outputs"};

class GraphFileReader {
 public:
  GraphFileReader(std::string_view text, std::string_view source)
      : reader_(text, source), source_(source), op_reader_(reader_), builder_("") {}

  Graph read(std::vector<std::string>* warnings);

 private:
  void read_precision();
  void read_ops();
  void read_graph_outputs();
  void add_op(const OpFields& fields);
  void add_totals(const OpFields& fields);
  [[noreturn]] void fail_in_op(std::size_t position, const std::string& sentence) const {
    reader_.fail_at(position, op_reader_.in_op(sentence));
  }

  JsonReader reader_;
  std::string_view source_;
  ObjectKeys keys_{"a graph", kGraphKeys, UnknownKeys::refuse_misspelt};
  OpReader op_reader_;
  GraphBuilder builder_;
  References references_;
  std::vector<std::size_t> name_positions_;  // by op, to show where a repeated name was first
  // Checked op by op, so that an overflow is reported at the op where it happens.
  std::int64_t total_bytes_ = 0;
  double total_flops_ = 0;
  double total_seconds_ = 0;
};

Graph GraphFileReader::read(std::vector<std::string>* warnings) {
  keys_.begin(reader_);
  while (const auto key = keys_.next(reader_)) {
    switch (static_cast<GraphKey>(*key)) {
      case kFormat:
      case kVersion:
        reader_.skip();  // checked by now
        break;
      case kName:
        builder_.set_name(std::string(reader_.read_string()));
        break;
      case kPrecision:
        read_precision();
        break;
      case kOps:
        read_ops();
        break;
      case kOutputs:
        read_graph_outputs();
        break;
    }
  }
  keys_.require(reader_, kOps);
  reader_.expect_end();
  references_.resolve(reader_, builder_);
  keys_.add_warnings(reader_, warnings);
  // Freed before the graph is built, which needs memory for the edges again.
  references_ = {};
  name_positions_ = {};
  try {
    return std::move(builder_).build();
  } catch (const InputError& error) {
    throw error.in(std::string(source_));
  }
}

void GraphFileReader::read_precision() {
  const std::string_view name = reader_.read_string();
  const std::vector<std::string> names = precision_names();
  if (std::ranges::find(names, name) == names.end()) {
    reader_.fail(fmt::format("\"precision\" is one of {}, not {}{}", join_names(names),
                             quoted(name), did_you_mean(name, names)));
  }
  builder_.set_precision(parse_precision(name));
}

void GraphFileReader::read_ops() {
  reader_.begin_array();
  const std::size_t position = reader_.position();
  while (reader_.next_element()) add_op(op_reader_.read(builder_.op_count()));
  if (builder_.op_count() == 0) {
    reader_.fail_at(position, "the graph has no ops; it needs at least one");
  }
}

void GraphFileReader::read_graph_outputs() {
  std::vector<NamedPlace> places;
  read_names(reader_, "\"outputs\"", places);
  for (const NamedPlace& place : places) {
    references_.add(reader_, References::Kind::graph_output, OpId::none(), place);
  }
}

void GraphFileReader::add_op(const OpFields& fields) {
  if (const auto first = builder_.find_op(fields.name.name)) {
    reader_.fail_at(
        fields.name.position,
        fmt::format("the op name {} is used twice, first at {}; names must be unique",
                    quoted(fields.name.name), reader_.locate(name_positions_[first->index()])));
  }
  if (builder_.op_count() == Graph::kNone - 1) {
    fail_in_op(fields.name.position, "the graph has more ops than 32 bits can number");
  }
  add_totals(fields);
  const OpId op = builder_.add_op(fields.name.name, fields.type);
  name_positions_.push_back(fields.name.position);
  builder_.set_flops(op, fields.flops);
  builder_.set_param_bytes(op, fields.param_bytes);
  builder_.set_temp_bytes(op, fields.temp_bytes);
  if (!fields.colocation.empty()) builder_.set_colocation(op, fields.colocation);
  if (!fields.layer.empty()) builder_.set_layer(op, fields.layer);
  if (!fields.devices.empty()) builder_.set_devices(op, fields.devices);
  for (const auto& [device, seconds] : fields.seconds) builder_.add_seconds(op, device, seconds);
  for (const auto& output : fields.outputs) builder_.add_output(op, fields.spec(output));
  for (const auto& place : fields.inputs) {
    references_.add(reader_, References::Kind::input, op, place);
  }
  for (const auto& place : fields.after) {
    references_.add(reader_, References::Kind::after, op, place);
  }
}

void GraphFileReader::add_totals(const OpFields& fields) {
  bool overflow = __builtin_add_overflow(total_bytes_, fields.param_bytes, &total_bytes_);
  overflow = __builtin_add_overflow(total_bytes_, fields.temp_bytes, &total_bytes_) || overflow;
  for (const auto& output : fields.outputs) {
    overflow = __builtin_add_overflow(total_bytes_, output.bytes, &total_bytes_) || overflow;
  }
  if (overflow) {
    fail_in_op(fields.name.position,
               "the sizes of the graph up to here add up to more bytes than fit in 63 bits");
  }
  total_flops_ += fields.flops;
  if (!std::isfinite(total_flops_)) {
    fail_in_op(fields.name.position,
               "the flops of the graph up to here add up to more than a double can hold");
  }
  double slowest = 0;
  for (const auto& given : fields.seconds) slowest = std::max(slowest, given.seconds);
  total_seconds_ += slowest;
  if (!std::isfinite(total_seconds_)) {
    fail_in_op(fields.name.position,
               "the seconds of the graph up to here add up to more than a double can hold");
  }
}

}  // namespace

Graph parse_graph(std::string_view text, std::string_view source,
                  std::vector<std::string>* warnings) {
  check_format(text, source, "berth.graph");
  return GraphFileReader(text, source).read(warnings);
}

}  // namespace berth
