#include "place/sequence/linear_labels.h"

#include <algorithm>
#include <functional>
#include <limits>

namespace berth::place {
namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();
constexpr std::size_t kMostLabels = 1024;
constexpr std::size_t kFewestLabels = 8;  // with fewer there is hardly a choice
// Candidates of one position, before pruning: at most devices times as many as labels.
constexpr std::size_t kMostCandidateBytes = std::size_t{1} << 26;

// What memory a link of the path takes where it runs.
struct LinkBytes {
  std::int64_t held = 0;      // all step long
  std::int64_t kept = 0;      // from the op on: graph outputs
  std::int64_t passing = 0;   // while the op runs, its input made on the same device
  std::int64_t received = 0;  // more when the input is a copy
};

LinkBytes measure(const Graph& graph, const LinearStep& link, std::span<const TensorId> received) {
  LinkBytes bytes;
  const auto outputs = [&](OpId op, bool is_free) {
    for (std::size_t k = 0; k < graph.output_count(op); ++k) {
      const TensorId tensor = graph.output(op, k);
      const bool view = graph.resident(tensor) || graph.alias(tensor) != Graph::kNone;
      const bool stays = graph.is_graph_output(tensor) && !graph.resident(tensor);
      // Outputs of free ops wait for their reader from the start of the step.
      if (is_free && (stays || !view)) {
        bytes.held += graph.bytes(tensor);
      } else if (stays) {
        bytes.kept += graph.bytes(tensor);
      } else if (!view) {
        bytes.passing += graph.bytes(tensor);
      }
    }
    bytes.held += graph.param_bytes(op);
  };
  outputs(link.op, false);
  for (const OpId free : link.free_ops) outputs(free, true);
  bytes.passing += graph.temp_bytes(link.op);
  for (const TensorId tensor : received) {
    // A graph output or a weight stays where it was made anyway, so it takes more memory only where
    // it is copied to.
    const bool counted = graph.resident(tensor) || graph.is_graph_output(tensor);
    (counted ? bytes.received : bytes.passing) += graph.bytes(tensor);
  }
  return bytes;
}

std::vector<LinkBytes> measure_all(const Graph& graph, const LinearGraph& path,
                                   const Handovers& handovers) {
  std::vector<LinkBytes> all;
  for (std::size_t link = 0; link < path.size(); ++link) {
    all.push_back(measure(graph, path[link], handovers.tensors(link)));
  }
  return all;
}

class LabelPlanner {
 public:
  LabelPlanner(const Problem& problem, const LinearGraph& path, const Handovers& handovers,
               std::span<const std::int64_t> limits)
      : problem_(problem),
        path_(path),
        handovers_(handovers),
        limits_(limits),
        devices_(problem.device_count()),
        width_(3 * devices_),
        most_labels_(std::min({kMostLabels, 65536 / path.size(),
                               kMostCandidateBytes / (devices_ * width_ * sizeof(std::int64_t))})),
        link_bytes_(measure_all(problem.graph(), path, handovers)) {
    find_twins();
  }

  std::optional<LinearPlan> run(const std::function<bool()>& stop) {
    if (most_labels_ < kFewestLabels) return std::nullopt;
    open_first();
    for (std::size_t link = 1; link < path_.size(); ++link) {
      if (stop()) return std::nullopt;
      extend(link);
    }
    if (labels_.empty()) return std::nullopt;
    return LinearPlan{trace_back(), optimal_};
  }

 private:
  // One way to place the path up to some link. What the devices hold is at bytes_ + place x width.
  struct Label {
    double seconds;
    std::uint32_t parent;  // into the labels of the link before
    DeviceId device;
    std::uint64_t used;  // devices, the first 64
  };

  // By device: the next lower one that is equal in cost, memory, permission and routes, or itself.
  // Needed only where a device has a bit in Label::used.
  void find_twins() {
    set_examples_.resize(problem_.device_set_count());
    for (const LinearStep& link : path_) {
      set_examples_[problem_.device_set(problem_.group(link.op))] = link.op;
    }
    std::erase_if(set_examples_, [](OpId op) { return !op.valid(); });
    twins_.resize(std::min<std::size_t>(devices_, 64));
    for (std::size_t device = 0; device < twins_.size(); ++device) {
      twins_[device] = device;
      for (std::size_t other = device; other-- > 0;) {
        if (!alike(DeviceId(device), DeviceId(other))) continue;
        twins_[device] = other;
        break;
      }
    }
  }

  bool alike(DeviceId left, DeviceId right) const {
    if (problem_.device_class(left) != problem_.device_class(right)) return false;
    if (limits_[left.index()] != limits_[right.index()]) return false;
    for (const OpId op : set_examples_) {
      if (problem_.allowed(op, left) != problem_.allowed(op, right)) return false;
    }
    const Cluster& cluster = problem_.cluster();
    const auto same = [](const Route& one, const Route& two) {
      return one.exists() == two.exists() && one.latency_seconds == two.latency_seconds &&
             one.bandwidth == two.bandwidth;
    };
    if (!same(cluster.route(left, right), cluster.route(right, left))) return false;
    for (std::size_t index = 0; index < devices_; ++index) {
      const DeviceId third(index);
      if (third == left || third == right) continue;
      if (!same(cluster.route(left, third), cluster.route(right, third))) return false;
      if (!same(cluster.route(third, left), cluster.route(third, right))) return false;
    }
    return true;
  }

  bool is_first_of_its_kind_left(std::uint64_t used, std::size_t device) const {
    if (device >= twins_.size()) return true;
    const std::size_t twin = twins_[device];
    if (twin == device || (used >> device & 1) != 0) return true;
    return (used >> twin & 1) != 0;
  }

  void open_first() {
    const std::vector<std::int64_t> nothing(width_, 0);
    begin_candidates();
    for (const DeviceId device : problem_.allowed_devices(path_[0].op)) {
      if (!is_first_of_its_kind_left(0, device.index())) continue;
      offer(0, {0, 0, DeviceId::none(), 0}, nothing, device, 0);
    }
    keep_best();
  }

  void extend(std::size_t link) {
    const std::vector<Label> before = labels_;
    const std::vector<std::int64_t> bytes = bytes_;
    begin_candidates();
    for (std::size_t at = 0; at < before.size(); ++at) {
      const std::span<const std::int64_t> held(bytes.data() + at * width_, width_);
      for (const DeviceId device : problem_.allowed_devices(path_[link].op)) {
        if (!is_first_of_its_kind_left(before[at].used, device.index())) continue;
        const double travel = handovers_.seconds(link, before[at].device, device);
        if (travel == kNever) continue;
        Label label = before[at];
        label.seconds += travel;
        offer(link, label, held, device, static_cast<std::uint32_t>(at));
      }
    }
    keep_best();
  }

  void begin_candidates() {
    candidates_.clear();
    candidate_bytes_.clear();
  }

  void offer(std::size_t link, const Label& before, std::span<const std::int64_t> held,
             DeviceId device, std::uint32_t parent) {
    const std::size_t index = device.index();
    if (limits_[index] <= 0) return;
    const LinkBytes& bytes = link_bytes_[link];
    const bool received = before.device.valid() && before.device != device;
    const std::int64_t now_held = held[index] + bytes.held;
    const std::int64_t now_kept = held[2 * devices_ + index] + bytes.kept;
    const std::int64_t passing = std::max(
        held[devices_ + index], now_kept + bytes.passing + (received ? bytes.received : 0));
    if (now_held + passing > limits_[index]) return;
    const std::size_t begin = candidate_bytes_.size();
    candidate_bytes_.insert(candidate_bytes_.end(), held.begin(), held.end());
    candidate_bytes_[begin + index] = now_held;
    candidate_bytes_[begin + devices_ + index] = passing;
    candidate_bytes_[begin + 2 * devices_ + index] = now_kept;
    const std::uint64_t bit = index < 64 ? std::uint64_t{1} << index : 0;
    candidates_.push_back({before.seconds + problem_.seconds(path_[link].op, device), parent,
                           device, before.used | bit});
  }

  void keep_best() {
    std::vector<std::uint32_t> order(candidates_.size());
    for (std::size_t at = 0; at < order.size(); ++at) order[at] = static_cast<std::uint32_t>(at);
    // Fastest first: a label can then only be dominated by one kept before, and the limit drops the
    // slowest. Stable, so that the result does not depend on the sort.
    std::stable_sort(order.begin(), order.end(), [this](std::uint32_t left, std::uint32_t right) {
      return candidates_[left].seconds < candidates_[right].seconds;
    });
    labels_.clear();
    bytes_.clear();
    for (const std::uint32_t at : order) {
      if (is_dominated(at)) continue;
      if (labels_.size() == most_labels_) {
        optimal_ = false;
        break;
      }
      labels_.push_back(candidates_[at]);
      const auto begin = candidate_bytes_.begin() + static_cast<std::ptrdiff_t>(at * width_);
      bytes_.insert(bytes_.end(), begin, begin + static_cast<std::ptrdiff_t>(width_));
    }
    for (const Label& label : labels_) history_.push_back({label.parent, label.device});
    history_begins_.push_back(history_.size() - labels_.size());
  }

  // Labels that were kept before are no slower, as candidates come in order of time.
  bool is_dominated(std::size_t candidate) const {
    const std::int64_t* own = candidate_bytes_.data() + candidate * width_;
    for (std::size_t at = 0; at < labels_.size(); ++at) {
      if (labels_[at].device != candidates_[candidate].device) continue;
      const std::int64_t* other = bytes_.data() + at * width_;
      if (std::equal(own, own + width_, other, std::greater_equal<>())) return true;
    }
    return false;
  }

  std::vector<DeviceId> trace_back() const {
    std::vector<DeviceId> placement(problem_.op_count());
    std::uint32_t at = 0;  // labels are kept fastest first
    for (std::size_t link = path_.size(); link-- > 0;) {
      const Step& step = history_[history_begins_[link] + at];
      placement[path_[link].op.index()] = step.device;
      for (const OpId free : path_[link].free_ops) placement[free.index()] = step.device;
      at = step.parent;
    }
    return placement;
  }

  struct Step {
    std::uint32_t parent;
    DeviceId device;
  };

  const Problem& problem_;
  const LinearGraph& path_;
  const Handovers& handovers_;
  std::span<const std::int64_t> limits_;
  std::size_t devices_;
  // Numbers of a label: by device the bytes held all step long, then the most that were there
  // beside these at any time, then graph outputs among the latter.
  std::size_t width_;
  std::size_t most_labels_;
  std::vector<LinkBytes> link_bytes_;
  bool optimal_ = true;
  std::vector<std::size_t> twins_;
  std::vector<OpId> set_examples_;  // one op for each list of allowed devices

  std::vector<Label> labels_, candidates_;
  std::vector<std::int64_t> bytes_, candidate_bytes_;
  std::vector<Step> history_;  // labels of all links
  std::vector<std::size_t> history_begins_;
};

}  // namespace

bool fits_anywhere(const Problem& problem, const LinearGraph& path, const Handovers& handovers,
                   std::span<const std::int64_t> limits) {
  double held = 0;
  double passing = 0;
  for (const LinkBytes& bytes : measure_all(problem.graph(), path, handovers)) {
    held += static_cast<double>(bytes.held) + static_cast<double>(bytes.kept);
    passing = std::max(passing, static_cast<double>(bytes.passing + bytes.received));
  }
  return std::all_of(limits.begin(), limits.end(), [&](std::int64_t limit) {
    // In doubles, as the sum may not fit in an integer; the margin covers their rounding.
    return (held + passing) * 1.000001 <= static_cast<double>(limit);
  });
}

std::optional<LinearPlan> place_by_labels(const Problem& problem, const LinearGraph& path,
                                          const Handovers& handovers,
                                          std::span<const std::int64_t> limits,
                                          const std::function<bool()>& stop) {
  return LabelPlanner(problem, path, handovers, limits).run(stop);
}

}  // namespace berth::place
