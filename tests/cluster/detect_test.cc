// Detection on made-up machines: folders that look like /proc and /sys, and a program that answers
// like nvidia-smi.
#include "cluster/detect.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/file.h"
#include "cluster/cluster_file.h"
#include "cluster/detect_cpus.h"
#include "cluster/detect_gpus.h"

namespace berth {
namespace {

constexpr std::int64_t kGibi = std::int64_t{1} << 30;

class Detection : public testing::Test {
 protected:
  Detection() : folder_(testing::TempDir() + "berth_detect_XXXXXX") {
    if (mkdtemp(folder_.data()) == nullptr) ADD_FAILURE() << "cannot make " << folder_;
    sources_ = {folder_ + "/proc", folder_ + "/sys", folder_ + "/no-such-program"};
  }
  ~Detection() override { std::filesystem::remove_all(folder_); }

  void write(const std::string& path, const std::string& text) {
    std::filesystem::create_directories(std::filesystem::path(folder_ + path).parent_path());
    write_file(folder_ + path, text);
  }

  // So many sockets of so many cores with two threads each, numbered as Linux does: all first
  // threads, then all second ones.
  void write_processors(int sockets, int cores, const std::string& name, const std::string& flags) {
    std::string text;
    for (int i = 0; i < 2 * sockets * cores; ++i) {
      const int core = i % (sockets * cores);
      text += fmt::format(
          "processor\t: {}\nmodel name\t: {}\ncpu MHz\t\t: 1200.000\nphysical id\t: {}\ncore "
          "id\t\t: "
          "{}\nflags\t\t: fpu {}\n\n",
          i, name, core / cores, core % cores, flags);
    }
    write("/proc/cpuinfo", text);
  }

  // A program that prints one text when asked for the topology, another else.
  void write_nvidia_smi(const std::string& gpus, const std::string& topo, int status = 0) {
    write("/gpus.txt", gpus);
    write("/topo.txt", topo);
    write("/nvidia smi",
          fmt::format("#!/bin/sh\nif [ \"$1\" = topo ]; then cat '{0}/topo.txt'; else "
                      "cat '{0}/gpus.txt'; fi\nexit {1}\n",
                      folder_, status));
    std::filesystem::permissions(folder_ + "/nvidia smi", std::filesystem::perms::owner_all);
    sources_.nvidia_smi = folder_ + "/nvidia smi";
  }

  std::string error_of(const std::string& model = "") {
    try {
      detect_machine(sources_, model);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  std::string folder_;
  MachineSources sources_;
};

TEST_F(Detection, OneSocketWithoutGpus) {
  write_processors(1, 4, "Intel(R) Core(TM) i7-7700K CPU @ 4.20GHz", "avx avx2");
  write("/proc/meminfo", "MemTotal:       16777216 kB\nMemFree: 1 kB\n");
  const DetectedMachine machine = detect_machine(sources_, "");
  ASSERT_EQ(machine.cluster.device_count(), 1u);
  const Device& cpu = machine.cluster.devices()[0];
  EXPECT_EQ(cpu.name, "cpu:0");
  EXPECT_EQ(cpu.kind, "cpu");
  EXPECT_EQ(cpu.model, "Core i7-7700K");
  EXPECT_EQ(cpu.memory_bytes, 16 * kGibi);
  EXPECT_EQ(cpu.reserved_bytes, 2 * kGibi);
  EXPECT_EQ(cpu.flops_for(DType::f32), 4 * 4.2e9 * 32);
  EXPECT_EQ(machine.notes,
            (std::vector<std::string>{
                "the bandwidth of the CPU's memory is not reported; 40.0 GB/s per NUMA node is "
                "assumed: set \"bandwidth\" in the file to change it",
                "nvidia-smi is not installed, so no GPU was detected"}));
}

TEST_F(Detection, TwoNodesWithGpusOnBoth) {
  write_processors(2, 16, "AMD EPYC 7302 16-Core Processor", "avx2");
  write("/sys/devices/system/cpu/cpu0/cpufreq/base_frequency", "3000000\n");
  write("/sys/devices/system/node/online", "0-1\n");
  for (const int node : {0, 1}) {
    const std::string folder = fmt::format("/sys/devices/system/node/node{}", node);
    write(folder + "/cpulist", node == 0 ? "0-15,32-47\n" : "16-31,48-63\n");
    write(folder + "/meminfo", fmt::format("Node {} MemTotal:  134217728 kB\n", node));
  }
  write_nvidia_smi("NVIDIA GeForce RTX 3090, 24576, 4, 16\nNVIDIA GeForce RTX 3090, 24576, 4, 8\n",
                   "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\nGPU0\t X \tSYS\t0-15,32-47\t0\n"
                   "GPU1\tSYS\t X \t16-31,48-63\t1\n");
  const DetectedMachine machine = detect_machine(sources_, "");
  const Cluster& cluster = machine.cluster;
  ASSERT_EQ(cluster.device_count(), 4u);
  EXPECT_EQ(cluster.devices()[1].name, "cpu:1");
  EXPECT_EQ(cluster.devices()[1].model, "EPYC 7302");
  EXPECT_EQ(cluster.devices()[1].memory_bytes, 128 * kGibi);
  EXPECT_EQ(cluster.devices()[1].flops_for(DType::f32), 16 * 3e9 * 32);
  EXPECT_EQ(cluster.devices()[2].model, "RTX3090");
  EXPECT_EQ(cluster.devices()[2].memory_bytes, 24 * kGibi);
  const auto links = [&](const char* from, const char* to) {
    return cluster.route(cluster.find_device(from).value(), cluster.find_device(to).value());
  };
  EXPECT_EQ(links("cpu:0", "gpu:0").channels.size(), 1u);
  EXPECT_EQ(links("cpu:1", "gpu:1").channels.size(), 1u);
  EXPECT_EQ(links("cpu:1", "gpu:1").bandwidth, 12.6e9);  // eight lanes
  EXPECT_EQ(links("cpu:1", "gpu:0").channels.size(), 2u);
  EXPECT_EQ(links("cpu:0", "cpu:1").channels.size(), 2u);
  EXPECT_EQ(links("gpu:0", "gpu:1").bandwidth, 12.6e9);
  EXPECT_EQ(machine.notes.size(), 1u);
  // What is written reads back.
  EXPECT_EQ(cluster_to_json(parse_cluster(cluster_to_json(cluster), "it")),
            cluster_to_json(cluster));
}

TEST_F(Detection, FailuresOfNvidiaSmiAreNoted) {
  write_processors(1, 2, "Some CPU", "sse2");
  write("/proc/meminfo", "MemTotal: 4194304 kB\n");
  write_nvidia_smi("NVIDIA-SMI has failed because it couldn't communicate with the driver.\nmore\n",
                   "", 9);
  const DetectedMachine machine = detect_machine(sources_, "");
  EXPECT_EQ(machine.cluster.device_count(), 1u);
  EXPECT_EQ(machine.notes.back(),
            "nvidia-smi failed with status 9, so no GPUs are included: \"NVIDIA-SMI has failed "
            "because it couldn't communicate with the driver.\"");
  write_nvidia_smi("No devices were found\n", "");
  EXPECT_EQ(detect_machine(sources_, "").cluster.device_count(), 1u);
}

TEST_F(Detection, WarningsOfNvidiaSmiAreNoGpus) {
  write_processors(1, 2, "Some CPU", "sse2");
  write("/proc/meminfo", "MemTotal: 4194304 kB\n");
  write_nvidia_smi("Tesla T4, 15360, 3, 16\nWARNING: infoROM is corrupted at gpu 0000:00:1E.0\n",
                   "");
  write("/nvidia smi", "#!/bin/sh\necho 'a warning' >&2\ncat '" + folder_ + "/gpus.txt'\n");
  EXPECT_EQ(detect_machine(sources_, "").cluster.device_count(), 2u);
}

TEST_F(Detection, UnknownGpusAreAskedFor) {
  write_processors(1, 2, "Some CPU", "sse2");
  write("/proc/meminfo", "MemTotal: 4194304 kB\n");
  write_nvidia_smi("NVIDIA Whatever 9000, 8192, 4, 16\n", "");
  EXPECT_EQ(error_of().find(
                "\"NVIDIA Whatever 9000\" is not a known GPU model; name a similar one: K40, "),
            0u);
  EXPECT_NE(error_of("nonsense").find("\"nonsense\" is not a known GPU model"), std::string::npos);
  const DetectedMachine machine = detect_machine(sources_, "RTX3060");
  EXPECT_EQ(machine.cluster.devices()[1].model, "RTX3060");
  EXPECT_EQ(machine.cluster.devices()[1].memory_bytes, 8 * kGibi);
  write_nvidia_smi("strange words\n", "");
  EXPECT_NE(error_of().find("nvidia-smi printed \"strange words\""), std::string::npos);
}

TEST_F(Detection, NeedsProc) {
  EXPECT_NE(error_of().find("/proc/cpuinfo\" cannot be read"), std::string::npos);
  write("/proc/cpuinfo", "nothing\n");
  EXPECT_NE(error_of().find("names no processor"), std::string::npos);
  write("/proc/cpuinfo", "processor : 0\n");
  EXPECT_NE(error_of().find("has no line \"MemTotal\""), std::string::npos);
}

TEST(DetectedNames, ProductsAreFound) {
  const auto found = [](const char* product, std::int64_t gibi) -> std::string {
    const GpuRecord* record = find_gpu_by_product(product, gibi * kGibi);
    if (record == nullptr) return "";
    return std::string(record->preset) + (record->form == GpuForm::module ? " module" : "");
  };
  EXPECT_EQ(found("NVIDIA A100-SXM4-40GB", 40), "A100 module");
  EXPECT_EQ(found("NVIDIA A100-SXM4-80GB", 79), "A100-80GB module");
  EXPECT_EQ(found("NVIDIA A100 80GB PCIe", 80), "A100-80GB");
  EXPECT_EQ(found("Tesla V100-SXM2-32GB", 32), "V100-32GB module");
  EXPECT_EQ(found("Tesla V100-PCIE-16GB", 16), "V100");
  EXPECT_EQ(found("Tesla P100-PCIE-12GB", 12), "P100-12GB");
  EXPECT_EQ(found("Tesla T4", 15), "T4");
  EXPECT_EQ(found("Tesla K80", 11), "K80");
  EXPECT_EQ(found("NVIDIA H100 80GB HBM3", 79), "H100 module");
  EXPECT_EQ(found("NVIDIA H100 PCIe", 79), "H100");
  EXPECT_EQ(found("NVIDIA H200", 140), "H200 module");
  EXPECT_EQ(found("NVIDIA B200", 179), "B200 module");
  EXPECT_EQ(found("NVIDIA L40S", 45), "L40S");
  EXPECT_EQ(found("NVIDIA H100 NVL", 94), "");  // another card than the one of 80 GB
  EXPECT_EQ(found("NVIDIA GeForce RTX 3050 Laptop GPU", 4), "RTX3050-laptop");
  EXPECT_EQ(found("NVIDIA RTX A6000", 48), "A6000");
  EXPECT_EQ(found("NVIDIA RTX 6000 Ada Generation", 48), "RTX6000-Ada");
  EXPECT_EQ(found("NVIDIA GeForce RTX 4070 Ti SUPER", 16), "RTX4070Ti-Super");
  EXPECT_EQ(found("NVIDIA GeForce RTX 4060 Ti", 16), "RTX4060Ti-16GB");
  EXPECT_EQ(found("NVIDIA GeForce RTX 5090", 32), "RTX5090");
  EXPECT_EQ(found("NVIDIA GeForce RTX 4090 Laptop GPU", 16), "");
  EXPECT_EQ(found("NVIDIA A10G", 24), "");
}

TEST(DetectedNames, ProcessorsArePlain) {
  EXPECT_EQ(plain_processor_name("Intel(R) Xeon(R) Platinum 8168 CPU @ 2.70GHz"),
            "Xeon Platinum 8168");
  EXPECT_EQ(plain_processor_name("Intel(R) Xeon(R) CPU E5-2690 v3 @ 2.60GHz"), "Xeon E5-2690 v3");
  EXPECT_EQ(plain_processor_name("AMD EPYC 7742 64-Core Processor"), "EPYC 7742");
  EXPECT_EQ(plain_processor_name(""), "");
}

}  // namespace
}  // namespace berth
