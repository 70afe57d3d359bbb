// Reads the ops of a graph file one by one into fields that are reused, so that no op needs
// allocations of its own. Keys may come in any order, so an op is passed on only when it has been
// read completely. What can be checked within one op (sizes, dtypes, aliases, repeated keys) is
// checked here, where the place in the file is known.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_format.h"
#include "base/json_reader.h"
#include "graph/graph_builder.h"

namespace berth {

// A name as written in the file, and where.
struct NamedPlace {
  std::string_view name;
  std::size_t position = 0;
};

// Views are valid as long as the reader of the text.
struct OpFields {
  struct Output {
    std::int64_t bytes = 0;
    std::size_t shape_begin = 0;  // into `extents`
    std::size_t shape_length = 0;
    bool has_shape = false;
    DType dtype = DType::unknown;
    bool resident = false;
    std::uint32_t alias = Graph::kNone;
    std::size_t position = 0;  // of the alias if there is one, else of the output
  };
  struct Seconds {
    std::string_view device;
    double seconds = 0;
  };

  NamedPlace name;
  std::string_view type;
  double flops = 0;
  std::int64_t param_bytes = 0;
  std::int64_t temp_bytes = 0;
  std::string_view colocation, layer;  // empty when absent
  std::vector<std::string> devices;
  std::vector<Seconds> seconds;
  std::vector<Output> outputs;
  std::vector<std::int64_t> extents;
  std::vector<NamedPlace> inputs, after;

  void clear();
  OutputSpec spec(const Output& output) const;
};

class OpReader {
 public:
  explicit OpReader(JsonReader& reader);

  // The op the reader stands before, the index-th of the file. Throws InputError that names the
  // place and the op. The fields stay valid until the next call.
  const OpFields& read(std::size_t index);
  // The sentence with the op behind it, as messages about the op last read end.
  std::string in_op(std::string_view sentence) const;

 private:
  void read_fields();
  void read_devices();
  void read_seconds();
  void read_outputs();
  void read_output();
  DType read_dtype();
  void settle_bytes(OpFields::Output& output, bool has_bytes) const;
  void check_aliases() const;
  std::string_view read_label(std::string_view what);

  JsonReader& reader_;
  ObjectKeys op_keys_;
  ObjectKeys output_keys_;
  OpFields fields_;
  std::size_t index_ = 0;
  StringTable seconds_devices_;            // to see a device that is given twice in one op,
  std::vector<std::size_t> seconds_last_;  // the op (counted from 1) that last gave each
};

// A list of strings that must not be empty, each with its place. Appends to `places`.
void read_names(JsonReader& reader, std::string_view what, std::vector<NamedPlace>& places);

}  // namespace berth
