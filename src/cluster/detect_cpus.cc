#include "cluster/detect_cpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/quantity.h"

namespace berth {
namespace {

constexpr std::int64_t kGibi = std::int64_t{1} << 30;
constexpr double kLaunchSeconds = 2e-6;
constexpr double kAssumedGigahertz = 2;
// Assumed memory bandwidth: about two channels of DDR4-3200 in a small machine, eight in a NUMA
// node of a server.
constexpr double kSmallBandwidth = 40e9;
constexpr double kServerBandwidth = 150e9;
constexpr std::size_t kServerCores = 16;

// Files of /proc and /sys report a size of 0, so they have to be read to their end.
std::optional<std::string> contents(const std::string& path) {
  std::ifstream file(path);
  if (!file) return std::nullopt;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string trimmed(std::string_view text) {
  const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; };
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return std::string(text);
}

std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  return number;
}

using Fields = std::map<std::string, std::string>;  // of one logical processor

std::vector<Fields> read_processors(const std::string& path) {
  const auto text = contents(path);
  if (!text) {
    throw InputError(
        fmt::format("{} cannot be read; detection needs a Linux machine with /proc", quoted(path)));
  }
  std::vector<Fields> processors;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos) continue;
    const std::string key = trimmed(std::string_view(line).substr(0, colon));
    if (key == "processor") processors.emplace_back();
    if (!processors.empty()) processors.back()[key] = trimmed(line.substr(colon + 1));
  }
  if (processors.empty()) {
    throw InputError(fmt::format("{} names no processor; it has a line \"processor: 0\" for each",
                                 quoted(path)));
  }
  return processors;
}

std::string field(const Fields& fields, const std::string& key) {
  const auto found = fields.find(key);
  return found == fields.end() ? "" : found->second;
}

// "0-3,8" as 0 1 2 3 8.
std::vector<std::size_t> read_list(const std::string& text) {
  std::vector<std::size_t> numbers;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const auto first = number_in(trimmed(part));
    if (!first) continue;
    const std::size_t dash = part.find('-');
    const auto last = dash == std::string::npos ? first : number_in(part.substr(dash + 1));
    for (double at = *first; last && at <= *last && numbers.size() < 1'000'000; ++at)
      numbers.push_back(static_cast<std::size_t>(at));
  }
  return numbers;
}

// Bytes behind "MemTotal:", which stands in kB.
std::int64_t total_memory(const std::string& text) {
  const std::size_t at = text.find("MemTotal:");
  if (at == std::string::npos) return 0;
  const auto kilobytes = number_in(trimmed(std::string_view(text).substr(at + 9)));
  return kilobytes ? static_cast<std::int64_t>(*kilobytes) * 1024 : 0;
}

struct Node {
  int number = 0;
  std::vector<std::size_t> processors;
  std::int64_t memory_bytes = 0;
};

// NUMA nodes with processors. Nodes with memory alone (as of an accelerator) are left out.
std::vector<Node> read_nodes(const std::string& proc, const std::string& sys, std::size_t count) {
  std::vector<Node> nodes;
  const std::string folder = sys + "/devices/system/node";
  for (const std::size_t number : read_list(contents(folder + "/online").value_or(""))) {
    const std::string path = fmt::format("{}/node{}", folder, number);
    Node node{static_cast<int>(number), read_list(contents(path + "/cpulist").value_or("")),
              total_memory(contents(path + "/meminfo").value_or(""))};
    if (!node.processors.empty() && node.memory_bytes > 0) nodes.push_back(std::move(node));
  }
  if (!nodes.empty()) return nodes;
  Node whole;
  for (std::size_t i = 0; i < count; ++i) whole.processors.push_back(i);
  whole.memory_bytes = total_memory(contents(proc + "/meminfo").value_or(""));
  if (whole.memory_bytes <= 0) {
    throw InputError(
        fmt::format("{} has no line \"MemTotal\"; detection needs a Linux machine "
                    "with /proc",
                    quoted(proc + "/meminfo")));
  }
  return {whole};
}

// Cores, not threads: hyper-threads share the arithmetic units of their core.
std::size_t count_cores(const Node& node, const std::vector<Fields>& processors) {
  std::set<std::pair<std::string, std::string>> cores;
  std::size_t unnamed = 0;
  for (const std::size_t number : node.processors) {
    const Fields* found = nullptr;
    for (const Fields& each : processors)
      if (field(each, "processor") == std::to_string(number)) found = &each;
    if (found == nullptr) continue;
    if (field(*found, "core id").empty()) {
      ++unnamed;
    } else {
      cores.emplace(field(*found, "physical id"), field(*found, "core id"));
    }
  }
  return std::max<std::size_t>(1, cores.size() + unnamed);
}

double base_gigahertz(const Fields& fields, const std::string& sys,
                      std::vector<std::string>& notes) {
  const std::string name = field(fields, "model name");
  // The name is tried first: it has the base clock, while "cpu MHz" is the clock at this moment.
  if (const std::size_t at = name.find("@ "); at != std::string::npos) {
    if (const auto gigahertz = number_in(name.substr(at + 2)); gigahertz && *gigahertz > 0)
      return *gigahertz;
  }
  const auto kilohertz =
      number_in(contents(sys + "/devices/system/cpu/cpu0/cpufreq/base_frequency").value_or(""));
  if (kilohertz && *kilohertz > 0) return *kilohertz / 1e6;
  const auto megahertz = number_in(field(fields, "cpu MHz"));
  const bool runs = megahertz && *megahertz > 0;
  const double gigahertz = runs ? *megahertz / 1e3 : kAssumedGigahertz;
  notes.push_back(
      fmt::format("the base clock of the CPU is not reported; {}, {:.3g} GHz, is used: set "
                  "\"flops\" in the file "
                  "to change it",
                  runs ? "the current one" : "a typical one", gigahertz));
  return gigahertz;
}

bool has_flag(const Fields& fields, std::string_view flag) {
  for (const char* key : {"flags", "Features"}) {
    std::istringstream flags(field(fields, key));
    for (std::string each; flags >> each;)
      if (each == flag) return true;
  }
  return false;
}

// Of one core, in f32: lanes x multiply-add units x 2.
double flops_per_cycle(const Fields& fields) {
  if (has_flag(fields, "avx512f")) return 64;
  if (has_flag(fields, "avx2")) return 32;
  if (has_flag(fields, "avx") || has_flag(fields, "asimd")) return 16;
  return 8;
}

}  // namespace

std::string plain_processor_name(std::string name) {
  for (const std::string_view noise :
       {"(R)", "(TM)", "(r)", "(tm)", "Intel ", "AMD ", " CPU", " Processor", " Genuine"}) {
    for (std::size_t at = name.find(noise); at != std::string::npos; at = name.find(noise))
      name.erase(at, noise.size());
  }
  name = trimmed(name.substr(0, name.find('@')));
  // "EPYC 7742 64-Core"
  if (name.ends_with("-Core")) name = trimmed(name.substr(0, name.rfind(' ')));
  return name;
}

std::vector<MachineCpu> detect_cpus(const std::string& proc, const std::string& sys,
                                    std::vector<std::string>& notes) {
  const std::vector<Fields> processors = read_processors(proc + "/cpuinfo");
  const Fields& first = processors.front();
  const double gigahertz = base_gigahertz(first, sys, notes);
  std::vector<MachineCpu> cpus;
  for (const Node& node : read_nodes(proc, sys, processors.size())) {
    const std::size_t cores = count_cores(node, processors);
    const double cycles = std::round(static_cast<double>(cores) * gigahertz * 1e9);
    Device device;
    device.kind = "cpu";
    device.model = plain_processor_name(field(first, "model name"));
    device.memory_bytes = node.memory_bytes;
    device.reserved_bytes = std::min(4 * kGibi, node.memory_bytes / 8);
    device.flops = {{DType::f32, cycles * flops_per_cycle(first)},
                    {DType::f64, cycles * flops_per_cycle(first) / 2}};
    if (has_flag(first, "amx_bf16")) device.flops.emplace_back(DType::bf16, cycles * 2048);
    if (has_flag(first, "amx_int8")) device.flops.emplace_back(DType::i8, cycles * 4096);
    device.bandwidth = cores < kServerCores ? kSmallBandwidth : kServerBandwidth;
    device.launch_seconds = kLaunchSeconds;
    cpus.push_back({std::move(device), node.number});
  }
  notes.push_back(
      fmt::format("the bandwidth of the CPU's memory is not reported; {} per NUMA node is "
                  "assumed: set \"bandwidth\" in the file to change it",
                  format_rate(cpus.front().device.bandwidth)));
  return cpus;
}

}  // namespace berth
