// Makes a graph from an ONNX model: every node that runs in the step becomes an op under its name,
// every weight a `Variable`, every graph input an `Input`, with the sizes and the work that
// inference finds (infer.h). docs/formats.md has the rules; in short:
//
//  - What a runtime computes before the first step (shapes of known tensors, arithmetic on them,
//    masks of any size) is a `Constant` without inputs, if an op of the step reads it.
//  - A size that does not fit in 63 bits is refused.
//  - An If whose condition is known is replaced by its branch. Any other If, a Loop, a Scan or a
//    SequenceMap is one op with the work of its bodies. What these read from outside are its
//    inputs, and weights inside them are Variables like any other.
//  - A call of a function of the model is replaced by the function's nodes.
//
// Time is linear in the number of nodes; those of functions count once per call.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "frontends/onnx/model.h"
#include "graph/graph.h"

namespace berth::onnx {

// Operators of later opsets may have changed in ways this version cannot know.
constexpr std::int64_t kKnownOpset = 21;

struct ImportOptions {
  std::map<std::string, std::int64_t> dims;  // sizes of open dimensions, see dimensions.h
  std::string directory;                     // where weights in files of their own are looked for;
                                             // empty: they are not
  std::size_t most_nodes = 4'000'000;  // functions written out, so that a small file cannot explode
};

struct Imported {
  berth::Graph graph;
  std::vector<std::string> warnings;
  std::vector<std::string> open_dims;   // of the inputs, in order of appearance
  std::vector<std::string> empty_dims;  // of the inputs, that the file says are 0
  std::size_t tensors = 0;              // outputs of ops that come from nodes
  std::size_t unknown_tensors = 0;      // of these, without a known size
  std::size_t complaints = 0;           // nodes of which something does not fit together
  std::size_t unknown_ops = 0;
};

// `source` names the file in messages. Throws InputError.
Imported import_model(const Model& model, const std::string& source,
                      const ImportOptions& options = {});

}  // namespace berth::onnx
