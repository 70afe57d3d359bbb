// The implementation of the public handles, and the conversion of values between public and
// internal types. In this folder `Graph` is the public type and `berth::Graph` the internal one.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "berth/cluster.h"
#include "berth/graph.h"
#include "berth/plan.h"
#include "berth/problem.h"
#include "bounds/bounds.h"
#include "cluster/cluster.h"
#include "cost/problem.h"
#include "frontends/model.h"
#include "plan/plan_file.h"
#include "sim/outcome.h"

namespace berth::v1 {

struct Graph::Impl {
  berth::Model model;
  bool built = false;  // by the caller, from ops or from text: there is no file to hash
};

struct Cluster::Impl {
  std::shared_ptr<const berth::Cluster> cluster;
  std::string named;   // by the caller
  std::string sha256;  // of the file; empty for a cluster that the caller built
  std::vector<std::string> warnings = {};
};

struct Problem::Impl {
  Impl(const Graph& of, const Cluster& on, std::shared_ptr<const berth::Problem> compiled)
      : graph(of), cluster(on), problem(std::move(compiled)) {}

  Graph graph;
  Cluster cluster;
  std::shared_ptr<const berth::Problem> problem;

  // Kept, as bounds take longer than many methods and a program asks for them with every plan.
  bounds::Bounds bounds(berth::Tasks tasks) const;
  void know_bounds(berth::Tasks tasks, const bounds::Bounds& bounds) const;

 private:
  mutable std::mutex mutex_;
  mutable std::map<std::pair<bool, bool>, bounds::Bounds> known_;
};

berth::Tasks inside(Tasks tasks);
// Throws InputError for numbers of ops and devices that the problem does not have.
berth::Plan inside(const berth::Problem& problem, const Plan& plan);
// The same, and throws InputError for a plan that is not valid; `source` names it.
berth::Plan valid_inside(const berth::Problem& problem, const Plan& plan,
                         const std::string& source);

Plan outside(const berth::Plan& plan);
Outcome outside(const berth::Outcome& outcome);
Bound outside(const bounds::Bound& bound);

template <class Ids>
std::vector<std::size_t> indices_of(const Ids& ids) {
  std::vector<std::size_t> indices;
  indices.reserve(ids.size());
  for (const auto id : ids) indices.push_back(id.index());
  return indices;
}

}  // namespace berth::v1
