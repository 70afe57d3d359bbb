// Placers on 16,384 devices in 2,048 hosts: nothing may grow with the square of the devices.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "frontends/model.h"
#include "place/placer.h"

namespace berth::place {
namespace {

Cluster hosts_of_eight(std::uint32_t hosts) {
  const std::uint32_t count = 8 * hosts;
  std::vector<Device> devices(count);
  std::vector<std::string> switches = {"network"};
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < count; ++i) {
    devices[i].name = fmt::format("gpu:{}", i);
    devices[i].kind = "gpu";
    devices[i].memory_bytes = std::int64_t{16} << 30;
    devices[i].flops = {{DType::unknown, 1e13}};
    devices[i].bandwidth = 1e12;
    links.push_back({i, count + 1 + i / 8, 64e9, 5e-6});
  }
  for (std::uint32_t host = 0; host < hosts; ++host) {
    switches.push_back(fmt::format("host:{}", host));
    links.push_back({count + 1 + host, count, 25e9, 5e-6});
  }
  return Cluster("hosts", std::move(devices), std::move(switches), std::move(links));
}

class LargeCluster : public testing::TestWithParam<const char*> {};

TEST_P(LargeCluster, IsPlacedOn) {
  const Problem problem(load_model("zoo:tiny").graph, hosts_of_eight(2048));
  Request request;
  request.budget.evaluations = 30;
  request.seed = 1;
  const Placed placed = parse_method(GetParam()).place(problem, request);
  EXPECT_TRUE(placed.outcome.feasible);
  EXPECT_EQ(placed.plan.placement.size(), problem.op_count());
}

INSTANTIATE_TEST_SUITE_P(Placers, LargeCluster,
                         testing::Values("single", "random", "round_robin", "topo", "metis",
                                         "scotch", "mincut", "contiguous", "balanced_layers", "etf",
                                         "heft", "auto"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace berth::place
