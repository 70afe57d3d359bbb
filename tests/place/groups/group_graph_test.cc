#include "place/groups/group_graph.h"

#include <gtest/gtest.h>

#include "place/tiny_problems.h"

namespace berth::place {
namespace {

using namespace fixtures;

std::string text_of(const GroupGraph& graph) {
  std::string text;
  for (std::size_t group = 0; group < graph.group_count(); ++group) {
    for (const GroupEdge& edge : graph.neighbours(GroupId(group))) {
      text += std::to_string(group) + "-" + std::to_string(edge.group.index()) + ":" +
              std::to_string(static_cast<long>(edge.bytes)) + " ";
    }
  }
  return text;
}

TEST(GroupGraph, AddsUpTensorsBothWaysAndCountsAReadingGroupOnce) {
  // b and d are one group (1). It reads a twice (once counted), and c both feeds and reads it.
  const Problem problem(
      tiny_graph("g", {{.name = "a", .output_bytes = 10},
                       {.name = "b", .inputs = {"a"}, .output_bytes = 7, .colocate = "x"},
                       {.name = "c", .inputs = {"b"}, .output_bytes = 5},
                       {.name = "d", .inputs = {"a", "c"}, .output_bytes = 3, .colocate = "x"},
                       {.name = "e", .inputs = {"d"}, .output_bytes = 0}}),
      tiny_cluster());
  EXPECT_EQ(text_of(GroupGraph(problem)), "0-1:10 1-0:10 1-2:12 1-3:3 2-1:12 3-1:3 ");
}

TEST(GroupGraph, AfterMakesNoEdgeAndNoBytesDo) {
  GraphBuilder builder("g");
  const OpId a = builder.add_op("a", "Op");
  const TensorRef nothing = builder.add_output(a, {.bytes = 0});
  const OpId b = builder.add_op("b", "Op");
  builder.add_input(b, nothing);
  const OpId c = builder.add_op("c", "Op");
  builder.add_after(c, a);
  const Problem problem(std::move(builder).build(), tiny_cluster());
  EXPECT_EQ(text_of(GroupGraph(problem)), "0-1:0 1-0:0 ");
}

}  // namespace
}  // namespace berth::place
