// One line a case: operators, values and attributes in a short notation, so that the tables of the
// inference tests read like a list of examples.
//
//   values      "f32 2x3"  "i64 3 = 2,?,4"  "f32 scalar = 0.5"  "bool ?x4"  "f32 unranked"
//               "-" (left out)  "seq(f32 2x3)*4"  "opt(f32 2)"  "unknown"
//               "large" for a number or dimension that does not fit 63 bits, "i64 1 : 7+2" for two
//               more than the value of number 7, " <=" behind an input that is a bound
//   outputs     the same, with " @0" behind a view of input 0 and " <=" behind a bound
//   attributes  "axis=1 pads=0,1,0,1 axes=1, alpha=0.5 scales=1.0,2.0 mode=linear": a comma makes a
//               list, a point a real
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontends/onnx/infer.h"

namespace berth::onnx {

// "com.microsoft.Gelu:1" is domain, type and opset; without a domain it is ai.onnx.
struct InferCase {
  std::string op;
  std::string attributes;
  std::vector<std::string> inputs;
  std::vector<std::string> outputs;
  double flops = 0;
  std::string complaint = "";  // a part of it; empty: none
};

Value parse_value(std::string_view text);
std::string print_value(const Value& value);

// A node of strings it owns.
class OwnedNode {
 public:
  OwnedNode(std::string_view op, std::string_view attributes, std::size_t inputs,
            std::size_t outputs);

  Node node;
  std::int64_t opset = 0;

 private:
  std::string_view keep(std::string_view text);
  void add_attribute(std::string_view text);
  std::vector<std::unique_ptr<std::string>> strings_;
};

Inferred run_infer(const InferCase& row);

// Expects of each case the outputs, the work and the complaint.
void expect_cases(const std::vector<InferCase>& rows);

}  // namespace berth::onnx
