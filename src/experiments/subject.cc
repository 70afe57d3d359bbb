#include "experiments/subject.h"

#include <chrono>

#include "cluster/presets.h"
#include "report/text.h"

namespace berth::experiments {
namespace {

constexpr std::size_t kMethodColumns = 30;  // of the terminal

}  // namespace

Subject::Subject(const std::string& workload, const std::string& cluster, const Observer& observer)
    : observer_(observer), cluster_(cluster) {
  model_ = std::make_shared<const Model>(load_model(workload));
  LoadedCluster loaded = load_cluster(cluster);
  if (observer.warn) {
    observer.warn(model_->warnings);
    observer.warn(loaded.warnings);
  }
  // The problem shares the model's graph rather than copying it.
  const std::shared_ptr<const Graph> graph(model_, &model_->graph);
  problem_ = std::make_shared<const Problem>(
      graph, std::make_shared<const Cluster>(std::move(loaded.cluster)), Constraints{});
  if (model_->expert) expert_ = model_->expert(*problem_);
}

place::Request Subject::request(const Budget& budget, std::uint64_t seed) const {
  place::Request request;
  request.budget = budget;
  request.seed = seed;
  request.expert = expert();
  return request;
}

Measured Subject::run(const std::string& method, const place::Request& request,
                      const std::string& heading) const {
  const place::Method parsed = place::parse_method(method);
  const std::string name = report::plain_name(parsed.options.canonical(), kMethodColumns);
  return run_task(
      heading.empty() ? name : heading + "  " + name, request,
      [&](const place::Request& observed) { return parsed.place(*problem_, observed); });
}

Measured Subject::run_task(const std::string& task, const place::Request& request,
                           const std::function<place::Placed(const place::Request&)>& place) const {
  place::Request observed = request;
  observed.stop = observer_.stop;
  if (observer_.searching) {
    observed.progress = [&](const place::SearchProgress& at) { observer_.searching(task, at); };
  }
  const auto begin = std::chrono::steady_clock::now();
  Measured measured;
  measured.placed = place(observed);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  measured.seconds = elapsed.count();
  return measured;
}

bounds::Bound Subject::bound(Tasks tasks) {
  const auto [entry, is_new] = bounds_.try_emplace(format_tasks(tasks));
  if (is_new) entry->second = bounds::lower_bounds(*problem_, tasks).best;
  return entry->second;
}

bounds::Bound Subject::bound(Tasks tasks, const place::Placed& placed) {
  if (placed.bounds) bounds_.try_emplace(format_tasks(tasks), placed.bounds->best);
  bounds::Bound best = bound(tasks);
  if (placed.bound_seconds <= best.seconds) return best;
  best.seconds = placed.bound_seconds;
  best.name = "search";
  return best;
}

}  // namespace berth::experiments
