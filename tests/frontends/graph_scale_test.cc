// A graph of the size that big models have: read whole and exactly, in bounded memory.
#include <gtest/gtest.h>
#include <malloc.h>

#include "base/options.h"
#include "frontends/graph_equality.h"
#include "frontends/graph_file.h"
#include "zoo/workload.h"

namespace berth {
namespace {

Graph large_graph() {
  const zoo::Workload& workload = zoo::find_workload("layered");
  return workload.build(Options("layered", workload.options, parse_call("layered(ops=100000)")),
                        zoo::Mode::inference);
}

TEST(GraphScale, AHundredThousandOps) {
  const Graph graph = large_graph();
  const std::string text = graph_to_json(graph);
  const Graph again = parse_graph(text, "large");
  EXPECT_EQ(again.op_count(), 100'000u);
  EXPECT_EQ(again.edge_count(), graph.edge_count());
  EXPECT_GT(again.edge_count(), 150'000u);
  // Op by op comparison would print and trace for a while; the text says as much.
  EXPECT_TRUE(graph_to_json(again) == text);
  EXPECT_TRUE(same_items(graph.topological_order(), again.topological_order()));
}

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
// What stays of a graph that has been read: nothing of the text, and no more than the arrays need.
TEST(GraphScale, KeepsNoMoreThanItsArrays) {
  std::string text = graph_to_json(large_graph());
  const auto in_use = [] {
    const struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
  };
  const std::size_t before = in_use();
  const Graph graph = parse_graph(text, "large");
  const std::size_t kept = in_use() - before;
  EXPECT_LT(kept, 300 * (graph.op_count() + graph.edge_count()));
}
#endif

}  // namespace
}  // namespace berth
