// A workload on a cluster, loaded: what an experiment runs methods on.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "cost/problem.h"
#include "experiments/observer.h"
#include "frontends/model.h"
#include "place/placer.h"

namespace berth::experiments {

struct Measured {
  place::Placed placed;
  double seconds = 0;  // that the search took
};

class Subject {
 public:
  // Throws InputError.
  Subject(const std::string& workload, const std::string& cluster, const Observer& observer);

  const Problem& problem() const { return *problem_; }
  const Plan* expert() const { return expert_ ? &*expert_ : nullptr; }
  const std::string& workload() const { return model_->spec; }
  const std::string& cluster() const { return cluster_; }

  // A request for placement alone, with the expert's plan where there is one.
  place::Request request(const Budget& budget, std::uint64_t seed) const;

  // Runs it and measures the time. `heading` comes before the method in what the observer is told.
  Measured run(const std::string& method, const place::Request& request,
               const std::string& heading = "") const;
  // The same for anything that places; `task` is its whole name.
  Measured run_task(const std::string& task, const place::Request& request,
                    const std::function<place::Placed(const place::Request&)>& place) const;

  // The largest lower bound for plans of these tasks, among them what the search itself has proved.
  // Those that do not depend on the search are computed once.
  bounds::Bound bound(Tasks tasks, const place::Placed& placed);
  bounds::Bound bound(Tasks tasks);

 private:
  Observer observer_;
  std::shared_ptr<const Model> model_;
  std::string cluster_;
  std::shared_ptr<const Problem> problem_;
  std::optional<Plan> expert_;
  std::map<std::string, bounds::Bound> bounds_;  // by tasks
};

}  // namespace berth::experiments
