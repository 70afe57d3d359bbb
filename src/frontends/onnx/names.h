// Names of ops: made unique and printable in any terminal; and the layer that a name belongs to.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace berth::onnx {

// The text with '?' for every byte that is not UTF-8, which Berth's own formats do not allow.
std::string printable(std::string_view text);

class UniqueNames {
 public:
  // `wanted` if nobody has it yet; else `wanted/hint` if a hint is given; else wanted#2, #3, ...
  // Printable in any case.
  std::string claim(std::string_view wanted, std::string_view hint = {});

 private:
  std::unordered_set<std::string> taken_;
  std::unordered_map<std::string, int> counts_;
};

// Exporters write the path of modules into names: `/encoder/layer.0/attention/MatMul` is of the
// layer `encoder.layer.0`, up to the first component with a number of its own. Empty when the path
// has no such component.
std::string layer_of(std::string_view op_name);

}  // namespace berth::onnx
