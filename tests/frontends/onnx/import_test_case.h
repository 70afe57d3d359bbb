// Imports bytes and asks about the graph by name, for the tests of the importer.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "base/thrown.h"
#include "frontends/onnx/importer.h"
#include "frontends/onnx/onnx_writer.h"
#include "frontends/onnx/parser.h"

namespace berth {

struct ImportedModel {
  onnx::Imported imported;

  const Graph& graph() const { return imported.graph; }
  const std::vector<std::string>& warnings() const { return imported.warnings; }
  bool has(std::string_view name) const { return graph().find_op(name).has_value(); }
  OpId op(std::string_view name) const {
    const auto found = graph().find_op(name);
    EXPECT_TRUE(found) << name;
    return found.value_or(OpId(0));
  }
  std::string type(std::string_view name) const { return std::string(graph().op_type(op(name))); }
  std::int64_t bytes(std::string_view name, std::size_t k = 0) const {
    return graph().bytes(graph().output(op(name), k));
  }
  std::vector<std::int64_t> shape(std::string_view name, std::size_t k = 0) const {
    const auto dims = graph().shape(graph().output(op(name), k));
    return {dims.begin(), dims.end()};
  }
  std::vector<std::string> inputs(std::string_view name) const {
    std::vector<std::string> names;
    for (const TensorId tensor : graph().inputs(op(name))) {
      names.emplace_back(graph().op_name(graph().producer(tensor)));
    }
    return names;
  }
  std::string layer(std::string_view name) const {
    const std::uint32_t label = graph().layer(op(name));
    return label == Graph::kNone ? "" : std::string(graph().layer_names()[label]);
  }
  std::size_t count(std::string_view wanted) const {
    std::size_t ops = 0;
    for (std::size_t i = 0; i < graph().op_count(); ++i) ops += graph().op_type(OpId(i)) == wanted;
    return ops;
  }
};

inline ImportedModel import_bytes(const std::string& bytes,
                                  const onnx::ImportOptions& options = {}) {
  return {onnx::import_model(onnx::parse_model(bytes, "m.onnx"), "m.onnx", options)};
}

inline std::string refusal(const std::string& bytes, const onnx::ImportOptions& options = {}) {
  return thrown([&] { import_bytes(bytes, options); });
}

using Strings = std::vector<std::string>;
using Shape = std::vector<std::int64_t>;

}  // namespace berth
