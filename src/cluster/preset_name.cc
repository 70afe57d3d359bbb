#include "cluster/preset_name.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "base/error.h"

namespace berth {
namespace {

constexpr int kMostHosts = 2048;

PresetName refuse(std::string problem) {
  PresetName name;
  name.problem = std::move(problem);
  return name;
}

bool take_suffix(std::string_view& text, std::string_view suffix) {
  if (!text.ends_with(suffix)) return false;
  text.remove_suffix(suffix.size());
  return true;
}

// Takes "4x" off the front.
std::optional<int> take_count(std::string_view& text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || count < 0) return std::nullopt;
  const auto length = static_cast<std::size_t>(end - text.data());
  if (text[0] == '-' || length >= text.size() || text[length] != 'x') return std::nullopt;
  text.remove_prefix(length + 1);
  return count;
}

PresetName refuse_model(std::string_view model) {
  PresetName name = refuse(fmt::format("{} is not a known GPU model", quoted(model)));
  name.unknown_model = true;
  return name;
}

const GpuRecord* usual_form(std::string_view model) {
  const GpuRecord* module = find_gpu(model, GpuForm::module);
  const GpuRecord* card = find_gpu(model, GpuForm::card);
  // The rule of the header: models with NVSwitch come as modules, others as cards if there are any.
  if (module != nullptr && module->fabric == GpuFabric::nvswitch) return module;
  if (card != nullptr) return card;
  return module != nullptr ? module : find_gpu(model, GpuForm::unified);
}

bool is_host_size(int count) { return (count >= 1 && count <= 8) || count == 16; }

PresetName parse_mixed(std::string_view text) {
  PresetName name;
  while (true) {
    const std::size_t plus = text.find('+');
    std::string_view model = text.substr(0, plus);
    PresetName::Part part;
    part.count = take_count(model).value_or(1);
    part.gpu = find_gpu(model, GpuForm::card);
    if (part.gpu == nullptr) {
      if (usual_form(model) == nullptr) return refuse_model(model);
      return refuse(fmt::format("{} is not a PCIe card, and + joins PCIe cards", model));
    }
    if (part.count < 1 || part.count > 8 - name.gpus_per_host())
      return refuse("a host has 1 to 8 cards joined by +");
    name.parts.push_back(part);
    if (plus == std::string_view::npos) return name;
    text.remove_prefix(plus + 1);
  }
}

PresetName parse_uniform(std::string_view text) {
  std::string_view model = text;
  const bool pcie = take_suffix(model, "-pcie");
  const bool nvlink = !pcie && take_suffix(model, "-nvlink");
  PresetName name;
  name.infiniband = !pcie && !nvlink && take_suffix(model, "-ib");
  const std::optional<int> first = take_count(model);
  const std::optional<int> second = first ? take_count(model) : std::nullopt;

  PresetName::Part part;
  part.gpu = usual_form(model);
  if (part.gpu == nullptr) return refuse_model(model);
  if (pcie) part.gpu = find_gpu(model, GpuForm::card);
  if (nvlink || name.infiniband) part.gpu = find_gpu(model, GpuForm::module);
  if (pcie && part.gpu == nullptr) return refuse(fmt::format("there is no PCIe card {}", model));
  if (nvlink && (part.gpu == nullptr || part.gpu->fabric_name != "NVLink"))
    return refuse(fmt::format("{} has no NVLink", model));
  if (name.infiniband && (part.gpu == nullptr || part.gpu->infiniband_rate == 0)) {
    return refuse(fmt::format(
        "there are no such hosts of {}; -ib is for P100, V100, A100, H100, H200 and B200", model));
  }
  if (name.infiniband != second.has_value()) {
    return refuse(second ? fmt::format("several hosts are joined by InfiniBand; write {}-ib", text)
                         : "-ib joins several hosts: 2x8xA100-ib is two hosts of eight");
  }
  part.count = second ? *second : first.value_or(1);
  if (!is_host_size(part.count) || (name.infiniband && part.count > 8)) {
    return refuse(fmt::format("a host has 1 to 8{} GPUs, not {}", name.infiniband ? "" : " or 16",
                              part.count));
  }
  const bool joins_eight = part.gpu->fabric == GpuFabric::all_to_all ||
                           (part.gpu->fabric == GpuFabric::mesh && part.gpu->fabric_links < 6);
  if (part.count == 16 && joins_eight)
    return refuse(fmt::format("{} joins at most 8 of {}", part.gpu->fabric_name, model));
  if (part.count > 1 && part.gpu->form == GpuForm::unified)
    return refuse(fmt::format("a machine has one {}", model));
  name.hosts = second ? *first : 1;
  if (name.hosts < 1 || name.hosts > kMostHosts)
    return refuse(fmt::format("there are 1 to {} hosts, not {}", kMostHosts, name.hosts));
  name.parts.push_back(part);
  return name;
}

}  // namespace

int PresetName::gpus_per_host() const {
  int count = 0;
  for (const Part& part : parts) count += part.count;
  return count;
}

PresetName parse_preset_name(std::string_view text) {
  if (text == "laptop") text = "RTX3050-laptop";
  if (text.find('+') != std::string_view::npos) return parse_mixed(text);
  return parse_uniform(text);
}

}  // namespace berth
