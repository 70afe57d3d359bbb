// Drawings, as text that was looked at once and must not change unseen.
#include "report/topology.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cluster/plain_parts.h"
#include "cluster/presets.h"
#include "report/text_layout.h"

namespace berth::report {
namespace {

TEST(Topology, TreeAndMatrix) {
  EXPECT_EQ(draw_topology(make_preset("4xK40")),
            "4xK40: 5 devices, 2 switches, 7 links\n"
            "\n"
            "pcie:0\n"
            "├─ cpu:0     Xeon E5-2690 v3   256 GiB  12.6 GB/s  5.00 us\n"
            "├─ gpu:0     K40              12.0 GiB  12.6 GB/s  5.00 us\n"
            "├─ gpu:1     K40              12.0 GiB  12.6 GB/s  5.00 us\n"
            "└─ pcie:1                               12.6 GB/s  5.00 us\n"
            "   ├─ cpu:0                             12.6 GB/s  5.00 us\n"
            "   ├─ gpu:2  K40              12.0 GiB  12.6 GB/s  5.00 us\n"
            "   └─ gpu:3  K40              12.0 GiB  12.6 GB/s  5.00 us\n"
            "\n"
            "bandwidth of the route between any two devices, GB/s\n"
            "             0     1     2     3     4\n"
            "0  cpu:0     ·  12.6  12.6  12.6  12.6\n"
            "1  gpu:0  12.6     ·  12.6  12.6  12.6\n"
            "2  gpu:1  12.6  12.6     ·  12.6  12.6\n"
            "3  gpu:2  12.6  12.6  12.6     ·  12.6\n"
            "4  gpu:3  12.6  12.6  12.6  12.6     ·\n");
}

TEST(Topology, LoopsSharedLinksAndLonelyDevices) {
  const Cluster cluster("odd", make_devices(4), {"s", "t"},
                        {{0, 4, 1e9, 0},
                         {4, 5, 1e9, 1e-6},
                         {5, 4, 2e9, 0, false},
                         {5, 1, 5e8, 0},
                         {0, 2, 3e6, 0.5, false}});
  EXPECT_EQ(draw_topology(cluster),
            "odd: 4 devices, 2 switches, 5 links\n"
            "\n"
            "s\n"
            "├─ d0     gpu  1.00 GB/s      0 s\n"
            "├─ t           2.00 GB/s      0 s  (below) shared\n"
            "└─ t           1.00 GB/s  1.00 us\n"
            "   └─ d1  gpu   500 MB/s      0 s\n"
            "\n"
            "d2        gpu\n"
            "d3        gpu                      no links\n"
            "\n"
            "direct links\n"
            "  3.00 MB/s   500 ms  shared  d0 - d2\n"
            "\n"
            "bandwidth of the route between any two devices, MB/s\n"
            "          0    1     2  3\n"
            "0  d0     ·  500  3.00  -\n"
            "1  d1   500    ·     -  -\n"
            "2  d2  3.00    -     ·  -\n"
            "3  d3     -    -     -  ·\n");
}

TEST(Topology, ManyAlikeAreDrawnAsOne) {
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 100; ++i) links.push_back({i, 100, 1e9, 0});
  EXPECT_EQ(draw_topology(Cluster("", make_devices(100), {"s"}, links)),
            "cluster: 100 devices, 1 switch, 100 links\n"
            "\n"
            "s\n"
            "└─ d0 .. d99 (100)  gpu  1.00 GB/s  0 s\n");
}

TEST(Topology, LargeMeshesStayShort) {
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < 200; ++i)
    for (std::uint32_t j = 0; j < i; ++j) links.push_back({j, i, 1e9 + (i * j) % 100, 0});
  const std::string drawing = draw_topology(Cluster("", make_devices(200), {}, links));
  EXPECT_LT(std::count(drawing.begin(), drawing.end(), '\n'), 400);
  EXPECT_NE(drawing.find(" more\n"), std::string::npos);
}

TEST(Topology, DeepChainsAreCutIntoTrees) {
  constexpr std::size_t kSwitches = 20000;
  std::vector<std::string> switches(kSwitches);
  std::vector<Link> links;
  for (std::uint32_t i = 0; i < kSwitches; ++i) {
    switches[i] = fmt::format("s{}", i);
    if (i > 0) links.push_back({i, i + 1, 1e9, 0});
  }
  const std::string drawing = draw_topology(Cluster("", make_devices(1), switches, links));
  EXPECT_LT(drawing.size(), kSwitches * 200);
}

TEST(Topology, ManyHostsAreCut) {
  const std::string text = draw_topology(make_preset("2048x8xA100-ib"));
  EXPECT_LT(std::count(text.begin(), text.end(), '\n'), 2100);
  EXPECT_NE(text.find(" more lines"), std::string::npos);
}

TEST(Topology, PresetsFitTheTerminal) {
  for (const ClusterPreset& preset : cluster_presets()) {
    const std::string drawing = draw_topology(make_preset(preset.name));
    for (std::size_t begin = 0; begin < drawing.size();) {
      const std::size_t end = drawing.find('\n', begin);
      const std::string line = drawing.substr(begin, end - begin);
      EXPECT_LE(text_width(line), kTerminalColumns) << preset.name << ": " << line;
      begin = end + 1;
    }
  }
}

TEST(Topology, HostileNamesCannotGarbleTheTerminal) {
  std::vector<Device> devices = make_devices(2);
  devices[0].name = "\x1b[31mred\n";
  devices[1].model = "a\tb";
  const std::string drawing = draw_topology(Cluster("\x07", devices, {"s\r"}, {{0, 2, 1, 0}}));
  EXPECT_EQ(drawing.find('\x1b'), std::string::npos);
  EXPECT_EQ(drawing.find('\x07'), std::string::npos);
  EXPECT_EQ(drawing.find('\r'), std::string::npos);
  EXPECT_EQ(drawing.find('\t'), std::string::npos);
}

TEST(TextLayout, ListsWrapAndCount) {
  EXPECT_EQ(wrapped_list("x: ", {"a", "b"}, 2), "x: a, b\n");
  const std::string item(30, 'i');
  EXPECT_EQ(wrapped_list("", {item, item, item, item, item}, 2),
            item + ", " + item + ",\n" + item + ", " + item + ",\nand 1 more\n");
}

}  // namespace
}  // namespace berth::report
