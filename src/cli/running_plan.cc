#include "cli/running_plan.h"

#include <fmt/format.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/file.h"
#include "base/quantity.h"
#include "cluster/lost_devices.h"
#include "place/repair/repair_plan.h"

namespace berth::cli {
namespace {

// The plan as the file has it, on the devices of the setting; none where the device is lost.
Plan read_plan(const std::string& path, const Setting& setting, const Console& console) {
  if (!setting.whole_cluster) {
    Plan plan = load_plan(path, setting, console).plan;
    require_valid(*setting.problem, plan, input_name(path));
    return plan;
  }
  const Problem whole(std::shared_ptr<const Graph>(setting.model, &setting.model->graph),
                      setting.whole_cluster, setting.constraints);
  std::vector<std::string> warnings;
  const InputFile file(path);
  Plan plan =
      parse_plan(file.text(), input_name(path), whole.graph(), whole.cluster(), &warnings).plan;
  console.warn_all(warnings);
  require_valid(whole, plan, input_name(path));
  const std::vector<DeviceId> remaining =
      devices_by_name(whole.cluster(), setting.problem->cluster());
  for (DeviceId& device : plan.placement) device = remaining[device.index()];
  return plan;
}

}  // namespace

std::optional<double> parse_keep(const std::string& text) {
  if (text.empty()) return std::nullopt;
  const Decimal decimal = parse_decimal(text);
  if (decimal.length != text.size() || !(decimal.value >= 0 && decimal.value <= 1)) {
    throw InputError(fmt::format(
        "--keep is the share of the ops that must not move, from 0 to 1 as in --keep 0.9, not {}",
        quoted(text)));
  }
  return decimal.value;
}

RunningPlan load_running_plan(const std::string& path, std::optional<double> keep,
                              const Setting& setting, const Console& console) {
  Plan plan = read_plan(path, setting, console);
  RunningPlan running;
  running.move_limit = place::keeping_of(plan.placement, keep.value_or(0));
  running.start = place::repair_plan(*setting.problem, std::move(plan));
  // Where routes are missing, the lost ops may have no place beside those that stay.
  require_valid(*setting.problem, running.start, input_name(path));
  const std::size_t moved = place::count_moved(running.move_limit, running.start);
  if (moved > running.move_limit.most_moved) {
    throw InputError(
        fmt::format("{}: {} has no routes for the lost ops unless {} others move, and --keep "
                    "allows {}; give a smaller --keep",
                    path, setting.cluster_text, format_count(moved),
                    format_count(running.move_limit.most_moved)));
  }
  return running;
}

std::string moves_sentence(const place::MoveLimit& move_limit, const Plan& plan,
                           const Setting& setting, bool limited) {
  const std::size_t lost = place::count_lost(move_limit);
  std::string text =
      fmt::format("{} of {} moved", format_count(place::count_moved(move_limit, plan)),
                  report::format_number_of(move_limit.devices.size() - lost, "op"));
  if (limited) text += fmt::format(" (at most {} allowed)", format_count(move_limit.most_moved));
  if (setting.lost_devices.empty()) return text;
  return text + fmt::format("; {} of the lost {} {} placed again",
                            report::format_number_of(lost, "op"), join_names(setting.lost_devices),
                            lost == 1 ? "was" : "were");
}

}  // namespace berth::cli
