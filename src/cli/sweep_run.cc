#include "cli/sweep_run.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "cli/interrupt.h"
#include "cli/step_size.h"
#include "cluster/lost_devices.h"
#include "cluster/presets.h"
#include "report/analysis.h"
#include "report/assumptions.h"

namespace berth::cli {
namespace {

// The search for the largest batch ends when what fits and what does not are this near.
constexpr std::int64_t kFinestPart = 32;

class SweepRun {
 public:
  SweepRun(const SweepRequest& request, const Console& console)
      : request_(request), console_(console), dims_(request.dims) {
    sweep_.method = request.method.options.canonical();
    for (const std::string& cluster : request.clusters) {
      sweep_.clusters.push_back(swept_cluster_text(request.setting, cluster));
    }
  }

  report::Sweep run() {
    const std::string& named = request_.setting.batch_dim;
    const std::optional<BatchOption> batch =
        batch_option(request_.setting.model, named.empty() ? kUsualBatch : named);
    const bool find = dims_.empty() && batch.has_value();
    arguments_ = request_.setting;
    if (find) {
      dims_ = {{.name = batch->name, .values = {}}};
      // The batch in the model's name is only where the search begins.
      arguments_.model = without_option(arguments_.model, batch->name);
    }
    for (const SweptDim& dim : dims_) sweep_.dims.push_back(dim.name);
    find ? find_largest_batches(*batch) : run_grid();
    finish();
    return std::move(sweep_);
  }

 private:
  void run_grid() {
    std::size_t combinations = 1;
    for (const SweptDim& dim : dims_) combinations *= dim.values.size();
    total_ = combinations * request_.clusters.size();
    for (const std::string& cluster : request_.clusters) {
      for (std::size_t number = 0; number < combinations; ++number) {
        if (Interrupt::requested()) return;
        run_point(cluster, combination(number, combinations));
      }
    }
  }

  // The last dimension turns fastest.
  std::vector<std::string> combination(std::size_t number, std::size_t combinations) const {
    std::vector<std::string> values;
    for (const SweptDim& dim : dims_) {
      combinations /= dim.values.size();
      values.push_back(dim.values[number / combinations]);
      number %= combinations;
    }
    return values;
  }

  void find_largest_batches(const BatchOption& batch) {
    for (const std::string& cluster : request_.clusters) {
      const std::size_t first = sweep_.points.size();
      find_largest_batch(cluster, batch);
      // In order of size, not of the search.
      std::stable_sort(
          sweep_.points.begin() + static_cast<std::ptrdiff_t>(first), sweep_.points.end(),
          [](const report::SweepPoint& left, const report::SweepPoint& right) {
            return *report::sweep_number(left.values[0]) < *report::sweep_number(right.values[0]);
          });
    }
  }

  // Doubles from the workload's own batch while that fits, or halves until it does; then bisects.
  void find_largest_batch(const std::string& cluster, const BatchOption& batch) {
    const auto fits = [&](std::int64_t size) {
      return run_point(cluster, {fmt::format("{}", size)}).feasible;
    };
    if (Interrupt::requested()) return;
    std::int64_t low = 0;  // fits, or nothing
    std::int64_t high = batch.value;
    while (!Interrupt::requested() && fits(high)) {
      low = high;
      if (low == batch.most) return;
      high = low > batch.most / 2 ? batch.most : 2 * low;
    }
    for (std::int64_t size = high / 2; low == 0 && size >= 1; size /= 2) {
      if (Interrupt::requested()) return;
      fits(size) ? low = size : high = size;
    }
    if (low == 0) return;
    while (high - low > std::max<std::int64_t>(1, low / kFinestPart)) {
      if (Interrupt::requested()) return;
      const std::int64_t middle = low + (high - low) / 2;
      fits(middle) ? low = middle : high = middle;
    }
  }

  std::string title(const std::string& cluster, const std::vector<std::string>& values) const {
    std::string text = fmt::format("point {}", sweep_.points.size() + 1);
    if (total_ > 0) text += fmt::format(" of {}", total_);
    text += ": " + report::plain_name(cluster, 24);
    for (std::size_t i = 0; i < dims_.size(); ++i) {
      text += fmt::format(" {}={}", report::plain_name(dims_[i].name, 12),
                          report::plain_name(values[i], 12));
    }
    return text;
  }

  const report::SweepPoint& run_point(const std::string& cluster,
                                      const std::vector<std::string>& values) {
    SettingArguments arguments = with_dims(arguments_, dims_, values);
    arguments.cluster = cluster;
    report::SweepPoint point{.cluster = swept_cluster_text(arguments_, cluster),
                             .values = values,
                             .model = arguments.model};
    for (const std::string& dim : arguments.dims) point.model += " --dim " + dim;
    point.model += precision_words();
    try {
      fill(point, arguments, title(cluster, values));
    } catch (const InputError& error) {
      point.failure = error.what();
    }
    sweep_.points.push_back(std::move(point));
    return sweep_.points.back();
  }

  void fill(report::SweepPoint& point, const SettingArguments& arguments,
            const std::string& title) {
    const Setting setting = load_setting(arguments, console_);
    point.size = step_size(*setting.model, arguments.batch_dim);
    if (point.size.known()) sweep_.batch_dim = point.size.batch_dim;
    const Search search(request_.search, setting, console_);
    const Problem& problem = *setting.problem;
    const Tasks tasks = search.request.tasks;
    sweep_.budget = format_budget(search.request.budget);
    sweep_.seed = search.request.seed;
    sweep_.tasks = format_tasks(tasks);
    sweep_.mode = arguments.mode;
    if (setting.model->mode) {
      sweep_.mode = *setting.model->mode == zoo::Mode::training ? "training" : "inference";
    }
    const Found found = run_method(request_.method, setting, search.request, console_, title);
    const Outcome& outcome = found.placed.outcome;
    point.search_seconds = found.search_seconds;
    point.evaluations = found.placed.evaluations;
    point.interrupted = found.placed.interrupted;
    if (!outcome.routable) {
      throw InputError("no plan was found in which every tensor has a route");
    }
    const bounds::Bound bound = bounds_of(problem, tasks, found.placed).best;
    point.bound_seconds = bound.seconds;
    point.bound_name = bound.name;
    const DeviceId fullest = report::fullest_device(problem, outcome);
    point.step_seconds = outcome.step_seconds;
    point.precision = dtype_name(report::precision_facts(problem).products);
    point.feasible = outcome.feasible;
    point.missing_bytes = outcome.over_bytes;
    point.fullest_device = problem.cluster().device(fullest).name;
    point.peak_bytes = outcome.peak_bytes[fullest.index()];
    point.usable_bytes = problem.usable_bytes(fullest);
    if (outcome.feasible) return;
    const bounds::Infeasibility proof = bounds::prove_infeasible(problem, tasks);
    point.proved_missing_bytes = proof.missing_bytes;
    point.proof = proof.explanation;
  }

  std::string precision_words() const {
    return arguments_.precision.empty() ? "" : " --precision " + arguments_.precision;
  }

  // What is the same for all points is not shown per row.
  void finish() {
    sweep_.interrupted = Interrupt::requested();
    sweep_.model = arguments_.model + precision_words();
    const bool any = std::ranges::any_of(sweep_.points, &report::SweepPoint::has_plan);
    if (!any && !sweep_.points.empty()) throw InputError(sweep_.points.front().failure);
  }

  const SweepRequest& request_;
  const Console& console_;
  SettingArguments arguments_;
  std::vector<SweptDim> dims_;
  std::size_t total_ = 0;  // points; 0 when that is not known
  report::Sweep sweep_;
};

}  // namespace

std::string swept_cluster_text(const SettingArguments& arguments, const std::string& cluster) {
  const LoadedCluster loaded = load_cluster(cluster);
  if (arguments.without.empty()) return input_name(cluster);
  return input_name(cluster) + without_text(parse_lost_devices(arguments.without, loaded.cluster));
}

report::Sweep run_sweep(const SweepRequest& request, const Console& console) {
  return SweepRun(request, console).run();
}

}  // namespace berth::cli
