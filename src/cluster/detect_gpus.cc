#include "cluster/detect_gpus.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <sstream>

#include "base/error.h"

namespace berth {
namespace {

constexpr int kNotFound = 127;  // status of a shell when a program is not found
constexpr double kFullLanes = 16;
constexpr int kMostSeconds = 20;
constexpr std::size_t kMostBytes = std::size_t{1} << 20;

struct Answer {
  std::string text;
  int status = 0;
};

// `program` is a name or a path, quoted for the shell. Warnings go elsewhere than the answer.
Answer ask(const std::string& program, const std::string& arguments) {
  std::string quoted_program = "'";
  for (const char c : program)
    quoted_program += c == '\'' ? std::string("'\\''") : std::string(1, c);
  // nvidia-smi hangs if the driver does, so it gets a time limit.
  const std::string command =
      fmt::format("timeout -k 1 {} {}' {} 2>/dev/null", kMostSeconds, quoted_program, arguments);
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {"", kNotFound};
  Answer answer;
  std::array<char, 4096> buffer;
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    answer.text.append(buffer.data(), count);
    if (answer.text.size() > kMostBytes) break;  // no listing of GPUs
  }
  const int status = pclose(pipe);
  answer.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1;
  return answer;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::vector<std::string> fields_of(const std::string& line) {
  std::vector<std::string> fields;
  std::istringstream parts(line);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t begin = part.find_first_not_of(" \t\r");
    const std::size_t end = part.find_last_not_of(" \t\r");
    fields.push_back(begin == std::string::npos ? "" : part.substr(begin, end - begin + 1));
  }
  return fields;
}

std::optional<std::int64_t> whole_number(const std::string& text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Capital letters and digits alone.
std::string plain(std::string_view text) {
  std::string letters;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0)
      letters += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return letters;
}

bool is_size(std::string_view word) {
  return word.size() > 2 && word.ends_with("GB") &&
         std::all_of(word.begin(), word.end() - 2, [](char c) { return c >= '0' && c <= '9'; });
}

// Without "-80GB" at its end.
std::string_view without_size(std::string_view preset) {
  const std::size_t dash = preset.rfind('-');
  return dash != std::string_view::npos && is_size(preset.substr(dash + 1)) ? preset.substr(0, dash)
                                                                            : preset;
}

struct Product {
  std::string model;  // plain
  std::optional<GpuForm> form;
};

Product read_product(std::string_view name) {
  Product product;
  std::string words(name);
  std::replace(words.begin(), words.end(), '-', ' ');
  std::istringstream parts(words);
  for (std::string part; parts >> part;) {
    const std::string word = plain(part);
    if (word == "NVIDIA" || word == "TESLA" || word == "GEFORCE" || word == "QUADRO" ||
        word == "GENERATION" || word == "GPU" || is_size(word)) {
      continue;
    }
    if (word.starts_with("SXM") || word == "HBM3") {
      product.form = GpuForm::module;
    } else if (word == "PCIE" || word == "NVL") {
      product.form = GpuForm::card;
    } else {
      product.model += word;
    }
  }
  // "RTX A6000", but "RTX 6000 Ada".
  if (product.model.starts_with("RTXA")) product.model.erase(0, 3);
  return product;
}

// A copy sees 80% of a slot, whatever its generation and lanes (preset_devices.h).
double slot_rate(std::int64_t generation, std::int64_t lanes) {
  return std::round(12.6e9 * std::exp2(static_cast<double>(generation - 3)) *
                    static_cast<double>(lanes) / kFullLanes);
}

MachineGpu read_gpu(const std::string& line, const std::string& gpu_model) {
  const std::vector<std::string> fields = fields_of(line);
  const auto memory_mebi = fields.size() == 4 ? whole_number(fields[1]) : std::nullopt;
  if (!memory_mebi || *memory_mebi <= 0 || *memory_mebi > (std::int64_t{1} << 40)) {
    throw InputError(fmt::format(
        "nvidia-smi printed {}; expected name, memory in MiB, PCIe generation and lanes",
        quoted(line)));
  }
  MachineGpu gpu;
  const std::int64_t memory_bytes = *memory_mebi * 1024 * 1024;
  gpu.record = find_gpu_by_product(fields[0], memory_bytes);
  if (gpu.record == nullptr && !gpu_model.empty()) {
    gpu.record = find_gpu(gpu_model, GpuForm::card);
    if (gpu.record == nullptr) gpu.record = find_gpu(gpu_model, GpuForm::module);
  }
  if (gpu.record == nullptr) {
    const std::vector<std::string> known = gpu_names();
    const std::string& unknown = gpu_model.empty() ? fields[0] : gpu_model;
    throw InputError(fmt::format("{} is not a known GPU model; name a similar one: {}",
                                 quoted(unknown), join_names(known, known.size())),
                     {.code = ErrorCode::bad_option, .subject = "gpu"});
  }
  gpu.device = gpu.record->device;
  // The reported memory is what is left after the driver's own share.
  gpu.device.memory_bytes = memory_bytes;
  gpu.device.reserved_bytes = std::min(gpu.device.reserved_bytes, memory_bytes / 8);
  const auto generation = whole_number(fields[2]);
  const auto lanes = whole_number(fields[3]);
  const bool told =
      generation && lanes && *generation >= 1 && *generation <= 8 && *lanes >= 1 && *lanes <= 32;
  gpu.pcie_rate = told ? slot_rate(*generation, *lanes)
                       : effective_pcie_rate(*gpu.record, gpu.record->pcie_generation);
  return gpu;
}

// All GPUs below one host bridge: the assumption where nothing is known.
TopoListing plain_listing(std::size_t gpus) {
  TopoListing listing{gpus, std::vector<int>(gpus * gpus, 0),
                      std::vector<PciePath>(gpus * gpus, PciePath::phb),
                      std::vector<int>(gpus, -1)};
  for (std::size_t i = 0; i < gpus; ++i) listing.paths[i * gpus + i] = PciePath::self;
  return listing;
}

}  // namespace

const GpuRecord* find_gpu_by_product(std::string_view product, std::int64_t memory_bytes) {
  const Product wanted = read_product(product);
  const GpuRecord* best = nullptr;
  const auto distance = [&](const GpuRecord& record) {
    const bool other_form =
        wanted.form ? record.form != *wanted.form : record.fabric != GpuFabric::nvswitch;
    return std::pair(std::llabs(record.device.memory_bytes - memory_bytes) >> 32, other_form);
  };
  for (const GpuRecord& record : gpu_records()) {
    if (plain(without_size(record.preset)) != wanted.model) continue;
    // ECC takes a sixteenth. If memory differs by more than an eighth, it is another product of
    // that name.
    const std::int64_t memory = record.device.memory_bytes;
    if (std::llabs(memory - memory_bytes) > memory / 8) continue;
    if (best == nullptr || distance(record) < distance(*best)) best = &record;
  }
  return best;
}

DetectedGpus detect_gpus(const std::string& nvidia_smi, const std::string& gpu_model,
                         std::vector<std::string>& notes) {
  const Answer answer = ask(nvidia_smi,
                            "--query-gpu=name,memory.total,pcie.link.gen.max,pcie.link.width.max "
                            "--format=csv,noheader,nounits");
  if (answer.status != 0) {
    notes.push_back(
        answer.status == kNotFound
            ? "nvidia-smi is not installed, so no GPU was detected"
            : fmt::format("nvidia-smi failed with status {}, so no GPUs are included{}",
                          answer.status,
                          answer.text.empty() ? "" : ": " + quoted(first_line(answer.text))));
    return {};
  }
  DetectedGpus detected;
  std::istringstream lines(answer.text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos || line.starts_with("WARNING:"))
      continue;
    if (line.starts_with("No devices were found")) break;
    detected.gpus.push_back(read_gpu(line, gpu_model));
  }
  const std::size_t count = detected.gpus.size();
  detected.listing = plain_listing(count);
  if (count < 2) return detected;
  const Answer topo = ask(nvidia_smi, "topo -m");
  if (topo.status != 0) {
    notes.emplace_back("nvidia-smi topo -m failed; the GPUs are assumed to be on one host bridge");
    return detected;
  }
  detected.listing = parse_topo_listing(topo.text, "nvidia-smi topo -m");
  if (detected.listing.gpus == count) return detected;
  throw InputError(fmt::format("nvidia-smi topo -m lists {} GPUs, but nvidia-smi --query-gpu {}",
                               detected.listing.gpus, count));
}

}  // namespace berth
