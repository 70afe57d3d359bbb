#include "learn/features.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/quantity.h"
#include "place/groups/group_footprint.h"

namespace berth::learn {
namespace {

constexpr double kClamp = 5;
constexpr std::size_t kMostDevices = 2048;

// log(value / base) within +-5; logs are subtracted, so that no quotient is too large or too small.
double clamped_log(double value, double base) {
  if (value == base) return 0;
  return std::clamp(std::log(value) - std::log(base), -kClamp, kClamp);
}

// value / total, at most 5, and 0 when there is nothing of either.
double clamped_share(double value, double total) {
  if (value == 0) return 0;
  return total > 0 ? std::min(value / total, kClamp) : kClamp;
}

double sum_of(std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum;
}

class FeatureMaker {
 public:
  FeatureMaker(const Problem& problem, const place::Units& units, const Vocabulary& vocabulary)
      : problem_(problem),
        graph_(problem.graph()),
        units_(units),
        vocabulary_(vocabulary),
        unit_count_(units.size()),
        device_count_(problem.device_count()) {
    if (device_count_ <= kMostDevices) return;
    throw InputError(fmt::format(
        "cluster {} has {} devices; learned methods, which look at every pair of them, take up to "
        "{}: use a smaller cluster, or another method (berth methods)",
        quoted(problem.cluster().name()), format_count(device_count_), format_count(kMostDevices)));
  }

  Features make() {
    features_.units = unit_count_;
    features_.device_count = device_count_;
    count_types();
    average_shapes();
    sum_seconds();
    fill_numbers();
    fill_links();
    fill_devices();
    fill_pairs();
    return std::move(features_);
  }

 private:
  void count_types() {
    std::vector<std::size_t> numbers;  // by type of the graph
    for (std::uint32_t type = 0; type < graph_.type_names().size(); ++type) {
      numbers.push_back(vocabulary_.number(graph_.type_names()[type]));
    }
    features_.types.assign(unit_count_ * vocabulary_.size(), 0);
    for (std::size_t op = 0; op < graph_.op_count(); ++op) {
      const std::size_t number = numbers[graph_.type_index(OpId(op))];
      features_.types[units_.of_op[op] * vocabulary_.size() + number] += 1;
    }
  }

  void average_shapes() {
    constexpr std::size_t kDimensions = 4;
    constexpr std::size_t kOutputs = Features::kShapes / kDimensions;
    std::vector<double> sums(unit_count_ * Features::kShapes, 0.0);
    for (std::size_t index = 0; index < graph_.op_count(); ++index) {
      const OpId op(index);
      double* row = &sums[units_.of_op[index] * Features::kShapes];
      for (std::size_t k = 0; k < std::min(kOutputs, graph_.output_count(op)); ++k) {
        const std::span<const std::int64_t> shape = graph_.shape(graph_.output(op, k));
        for (std::size_t d = 0; d < std::min(kDimensions, shape.size()); ++d) {
          row[k * kDimensions + d] += std::log1p(static_cast<double>(shape[d]));
        }
      }
    }
    for (std::size_t i = 0; i < sums.size(); ++i) {
      features_.shapes.push_back(static_cast<float>(sums[i] / op_count(i / Features::kShapes)));
    }
  }

  void sum_seconds() {
    const std::size_t classes = problem_.class_count();
    std::vector<double> by_class(unit_count_ * classes, 0.0);
    for (std::size_t op = 0; op < graph_.op_count(); ++op) {
      double* row = &by_class[units_.of_op[op] * classes];
      for (std::size_t c = 0; c < classes; ++c) row[c] += problem_.class_seconds(OpId(op), c);
    }
    features_.seconds.assign(unit_count_ * device_count_, 0.0);
    features_.allowed.assign(unit_count_ * device_count_, 0);
    fastest_.assign(unit_count_, Problem::kImpossible);
    for (std::size_t unit = 0; unit < unit_count_; ++unit) {
      for (const DeviceId device : problem_.allowed_devices(units_.members.row(unit).front())) {
        const double seconds = by_class[unit * classes + problem_.device_class(device)];
        features_.seconds[unit * device_count_ + device.index()] = seconds;
        features_.allowed[unit * device_count_ + device.index()] = 1;
        fastest_[unit] = std::min(fastest_[unit], seconds);
      }
    }
    features_.total_seconds = sum_of(fastest_);
  }

  void fill_numbers() {
    features_.numbers.assign(unit_count_ * Features::kNumbers, 0);
    fill_sizes();
    fill_chains();
    std::vector<double> read(unit_count_, 0.0), written(unit_count_, 0.0);
    std::vector<double> feeders(unit_count_, 0.0), readers(unit_count_, 0.0);
    for (const place::UnitEdge& edge : units_.edges) {
      read[edge.to] += edge.bytes;
      written[edge.from] += edge.bytes;
      feeders[edge.to] += 1;
      readers[edge.from] += 1;
    }
    put_log(8, read);
    put_log(9, written);
    std::vector<double> ops;
    for (std::size_t unit = 0; unit < unit_count_; ++unit) {
      ops.push_back(op_count(unit));
      const double last = static_cast<double>(std::max<std::size_t>(unit_count_, 2) - 1);
      put(unit, 12, static_cast<double>(unit) / last);
      put(unit, 14, std::log1p(feeders[unit]));
      put(unit, 15, std::log1p(readers[unit]));
    }
    put_log(13, ops);
  }

  void fill_sizes() {
    const std::vector<place::GroupFootprint> footprints = place::group_footprints(problem_);
    std::vector<double> outputs(unit_count_, 0.0), params(unit_count_, 0.0),
        temps(unit_count_, 0.0);
    for (std::size_t group = 0; group < footprints.size(); ++group) {
      const OpId first = problem_.members(GroupId(group)).front();
      outputs[units_.of_op[first.index()]] += footprints[group].output_bytes;
      params[units_.of_op[first.index()]] += footprints[group].param_bytes;
    }
    for (std::size_t op = 0; op < graph_.op_count(); ++op) {
      temps[units_.of_op[op]] += static_cast<double>(graph_.temp_bytes(OpId(op)));
    }
    std::size_t column = 0;
    for (const std::vector<double>* values : {&fastest_, &outputs, &params, &temps}) {
      put_log(column++, *values);
      const double total = sum_of(*values);
      for (std::size_t unit = 0; unit < unit_count_; ++unit) {
        put(unit, column, clamped_share((*values)[unit], total));
      }
      ++column;
    }
    for (std::size_t unit = 0; unit < unit_count_; ++unit) {
      features_.bytes.push_back(params[unit] + outputs[unit]);
    }
  }

  // Over ops, since colocation may close circles among units.
  void fill_chains() {
    const std::span<const OpId> order = graph_.topological_order();
    std::vector<double> before(order.size(), 0.0), behind(order.size(), 0.0);
    double longest = 0;
    for (const OpId op : order) {
      const double end = before[op.index()] + problem_.fastest_seconds(op);
      longest = std::max(longest, end);
      for (const OpId next : graph_.successors(op)) {
        before[next.index()] = std::max(before[next.index()], end);
      }
    }
    for (auto op = order.rbegin(); op != order.rend(); ++op) {
      const double end = behind[op->index()] + problem_.fastest_seconds(*op);
      for (const OpId earlier : graph_.predecessors(*op)) {
        behind[earlier.index()] = std::max(behind[earlier.index()], end);
      }
    }
    for (std::size_t unit = 0; unit < unit_count_; ++unit) {
      double first = longest;
      double last = longest;
      for (const OpId op : units_.members.row(unit)) {
        first = std::min(first, before[op.index()]);
        last = std::min(last, behind[op.index()]);
      }
      put(unit, 10, clamped_share(first, longest));
      put(unit, 11, clamped_share(last, longest));
    }
  }

  void fill_links() {
    // A link so slow that its inverse is beyond a double is as good as none.
    constexpr double kSlowest = 1e-200;
    double slowest = 0;
    features_.byte_seconds.assign(device_count_ * device_count_, 0.0);
    mean_bandwidth_.assign(device_count_, 0.0);
    reached_.assign(device_count_, 0.0);
    for_each_route([&](std::size_t from, std::size_t to, const Route& route) {
      if (!route.exists()) return;
      reached_[from] += 1;
      const double seconds = 1 / std::max(route.bandwidth, kSlowest);
      features_.byte_seconds[from * device_count_ + to] = seconds;
      slowest = std::max(slowest, seconds);
    });
    const double missing = slowest > 0 ? 10 * slowest : 1e-8;
    for_each_route([&](std::size_t from, std::size_t to, const Route& route) {
      if (!route.exists()) {
        features_.byte_seconds[from * device_count_ + to] = missing;
      } else {
        mean_bandwidth_[from] += route.bandwidth / reached_[from];
      }
    });
  }

  template <class Visit>
  void for_each_route(const Visit& visit) const {
    for (std::size_t from = 0; from < device_count_; ++from) {
      for (std::size_t to = 0; to < device_count_; ++to) {
        if (from != to) visit(from, to, problem_.cluster().route(DeviceId(from), DeviceId(to)));
      }
    }
  }

  void fill_devices() {
    const std::vector<double> slowness = device_slowness();
    const double best_slowness = *std::min_element(slowness.begin(), slowness.end());
    const double best_bandwidth = *std::max_element(mean_bandwidth_.begin(), mean_bandwidth_.end());
    const double needed = sum_of(features_.bytes);
    const auto others = static_cast<double>(device_count_ - 1);
    for (std::size_t d = 0; d < device_count_; ++d) {
      const std::int64_t usable = problem_.usable_bytes(DeviceId(d));
      features_.usable_bytes.push_back(usable == kUnlimitedBytes
                                           ? std::numeric_limits<double>::infinity()
                                           : static_cast<double>(usable));
      const double memory = needed > 0 ? clamped_log(features_.usable_bytes[d], needed) : kClamp;
      for (const double value :
           {std::min(slowness[d] - best_slowness, kClamp), memory,
            clamped_log(mean_bandwidth_[d], best_bandwidth),
            others > 0 ? reached_[d] / others : 1.0,
            problem_.cluster().device(DeviceId(d)).kind == "cpu" ? 1.0 : 0.0}) {
        features_.devices.push_back(static_cast<float>(value));
      }
    }
  }

  // The log of how many times as long as at their fastest all units take that a device may run.
  std::vector<double> device_slowness() const {
    constexpr double kNever = 1000;  // above all logs of quotients
    std::vector<double> slowness;
    for (std::size_t d = 0; d < device_count_; ++d) {
      double here = 0;
      double fastest = 0;
      bool used = false;
      for (std::size_t unit = 0; unit < unit_count_; ++unit) {
        if (!features_.allowed[unit * device_count_ + d]) continue;
        used = true;
        here += features_.seconds[unit * device_count_ + d];
        fastest += fastest_[unit];
      }
      const double log = here == fastest ? 0 : std::log(here) - std::log(fastest);
      slowness.push_back(used ? std::min(log, kNever) : 2 * kNever);
    }
    return slowness;
  }

  void fill_pairs() {
    features_.pairs.assign(unit_count_ * device_count_ * Features::kPairs, 0);
    for (std::size_t pair = 0; pair < unit_count_ * device_count_; ++pair) {
      if (!features_.allowed[pair]) continue;
      const std::size_t unit = pair / device_count_;
      const double seconds = features_.seconds[pair];
      float* row = &features_.pairs[pair * Features::kPairs];
      row[0] = static_cast<float>(clamped_log(seconds, fastest_[unit]));
      row[1] = static_cast<float>(clamped_share(seconds, features_.total_seconds));
      row[2] = static_cast<float>(
          clamped_share(features_.bytes[unit], features_.usable_bytes[pair % device_count_]));
    }
  }

  void put(std::size_t unit, std::size_t column, double value) {
    features_.numbers[unit * Features::kNumbers + column] = static_cast<float>(value);
  }
  void put_log(std::size_t column, std::span<const double> values) {
    const double total = sum_of(values);
    const auto count = static_cast<double>(values.size());
    for (std::size_t unit = 0; unit < values.size(); ++unit) {
      put(unit, column, total > 0 ? std::log1p(values[unit] / total * count) : 0);
    }
  }
  double op_count(std::size_t unit) const {
    return static_cast<double>(units_.members.row(unit).size());
  }

  const Problem& problem_;
  const Graph& graph_;
  const place::Units& units_;
  const Vocabulary& vocabulary_;
  std::size_t unit_count_;
  std::size_t device_count_;
  std::vector<double> fastest_;         // by unit
  std::vector<double> mean_bandwidth_;  // by device, of its routes
  std::vector<double> reached_;         // by device, how many others
  Features features_;
};

}  // namespace

Features make_features(const Problem& problem, const place::Units& units,
                       const Vocabulary& vocabulary) {
  return FeatureMaker(problem, units, vocabulary).make();
}

}  // namespace berth::learn
