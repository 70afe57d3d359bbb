#include "plan/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/json_format.h"
#include "base/json_reader.h"

namespace berth {
namespace {

enum PlanKey : std::size_t {
  kFormat,
  kVersion,
  kPlacement,
  kPriority,
  kFused,
  kModel,
  kPrecision,
  kCluster,
  kMethod,
  kSeed,
  kBudget,
  kPredicted,
  kBerthVersion
};
constexpr std::array<std::string_view, 13> kPlanKeys = {
    "format",  "version", "placement", "priority", "fused",     "model",        "precision",
    "cluster", "method",  "seed",      "budget",   "predicted", "berth_version"};

enum OriginKey : std::size_t { kName, kSha256 };
constexpr std::array<std::string_view, 2> kOriginKeys = {"name", "sha256"};

enum PredictedKey : std::size_t { kStepSeconds, kLowerBoundSeconds, kFeasible, kPeakBytes };
constexpr std::array<std::string_view, 4> kPredictedKeys = {"step_seconds", "lower_bound_seconds",
                                                            "feasible", "peak_bytes"};

class PlanFileReader {
 public:
  PlanFileReader(std::string_view text, std::string_view source, const Graph& graph,
                 const Cluster& cluster)
      : reader_(text, source), graph_(graph), cluster_(cluster) {}

  PlanFile read(std::vector<std::string>* warnings);

 private:
  void read_placement();
  void read_priority();
  void read_fused();
  void read_fused_group(std::vector<std::uint8_t>& taken);
  void read_origin(ObjectKeys& keys, std::string& name, std::string& sha256);
  void read_predicted();
  void read_peak_bytes();

  // The name just read, as an op or a device.
  OpId op(std::string_view name) const;
  DeviceId device(std::string_view name) const;
  [[noreturn]] void fail_missing(std::size_t position) const;

  JsonReader reader_;
  const Graph& graph_;
  const Cluster& cluster_;
  ObjectKeys keys_{"a plan", kPlanKeys, UnknownKeys::refuse_misspelt};
  ObjectKeys model_keys_{"\"model\"", kOriginKeys};
  ObjectKeys cluster_keys_{"\"cluster\"", kOriginKeys};
  ObjectKeys predicted_keys_{"\"predicted\"", kPredictedKeys};
  PlanFile file_;
};

PlanFile PlanFileReader::read(std::vector<std::string>* warnings) {
  PlanRecord& record = file_.record;
  keys_.begin(reader_);
  while (const auto key = keys_.next(reader_)) {
    switch (static_cast<PlanKey>(*key)) {
      case kFormat:
      case kVersion:
        reader_.skip();  // checked by now
        break;
      case kPlacement:
        read_placement();
        break;
      case kPriority:
        read_priority();
        break;
      case kFused:
        read_fused();
        break;
      case kModel:
        read_origin(model_keys_, record.model, record.model_sha256);
        break;
      case kPrecision:
        record.precision = reader_.read_string();
        break;
      case kCluster:
        read_origin(cluster_keys_, record.cluster, record.cluster_sha256);
        break;
      case kMethod:
        record.method = reader_.read_string();
        break;
      case kSeed:
        record.seed = read_unsigned(reader_, "\"seed\"");
        break;
      case kBudget:
        record.budget = reader_.read_string();
        break;
      case kPredicted:
        read_predicted();
        break;
      case kBerthVersion:
        record.berth_version = reader_.read_string();
        break;
    }
  }
  keys_.require(reader_, kPlacement);
  reader_.expect_end();
  for (const auto* keys : {&keys_, &model_keys_, &cluster_keys_, &predicted_keys_}) {
    keys->add_warnings(reader_, warnings);
  }
  return std::move(file_);
}

OpId PlanFileReader::op(std::string_view name) const {
  if (const auto found = graph_.find_op(name)) return *found;
  std::vector<std::string> known;
  for (std::size_t i = 0; i < graph_.op_count(); ++i) known.emplace_back(graph_.op_name(OpId(i)));
  reader_.fail_at(reader_.position(),
                  fmt::format("the model has no op {}{}", quoted(name), did_you_mean(name, known)),
                  {.code = ErrorCode::bad_file, .subject = std::string(name)});
}

DeviceId PlanFileReader::device(std::string_view name) const {
  if (const auto found = cluster_.find_device(name)) return *found;
  std::vector<std::string> known;
  for (const Device& device : cluster_.devices()) known.push_back(device.name);
  reader_.fail_at(reader_.position(),
                  fmt::format("the cluster has no device {}; its devices are {}{}", quoted(name),
                              join_names(known), did_you_mean(name, known)),
                  {.code = ErrorCode::unknown_name, .subject = std::string(name)});
}

void PlanFileReader::read_placement() {
  auto& placement = file_.plan.placement;
  // No device means "not read yet": this finds repeated ops as well as missing ones.
  placement.assign(graph_.op_count(), DeviceId::none());
  std::size_t placed = 0;
  reader_.begin_object();
  const std::size_t position = reader_.position();
  while (const auto key = reader_.next_key()) {
    const OpId found = op(*key);
    if (placement[found.index()].valid()) {
      reader_.fail(fmt::format("op {} is placed twice; place it once", quoted(*key)));
    }
    placement[found.index()] = device(reader_.read_string());
    ++placed;
  }
  if (placed < graph_.op_count()) fail_missing(position);
}

void PlanFileReader::fail_missing(std::size_t position) const {
  constexpr std::size_t kShown = 3;
  std::vector<std::string> missing;
  for (std::size_t i = 0; i < graph_.op_count(); ++i) {
    if (!file_.plan.placement[i].valid()) missing.push_back(quoted(graph_.op_name(OpId(i))));
  }
  reader_.fail_at(position,
                  fmt::format("\"placement\" lacks {} of the model's {} ops: {}; every op must be "
                              "placed",
                              missing.size(), graph_.op_count(), join_names(missing, kShown)));
}

void PlanFileReader::read_priority() {
  auto& priority = file_.plan.priority;
  priority.assign(graph_.op_count(), 0);
  std::vector<std::uint8_t> given(graph_.op_count(), 0);
  reader_.begin_object();
  while (const auto key = reader_.next_key()) {
    const OpId found = op(*key);
    if (given[found.index()]++) {
      reader_.fail(fmt::format("op {} has two priorities; give it one", quoted(*key)));
    }
    priority[found.index()] = reader_.read_double() + 0.0;  // a minus zero becomes a plain one
  }
}

void PlanFileReader::read_fused() {
  std::vector<std::uint8_t> taken(graph_.op_count(), 0);
  reader_.begin_array();
  while (reader_.next_element()) read_fused_group(taken);
  auto& fused = file_.plan.fused;
  std::sort(fused.begin(), fused.end());  // groups are disjoint, so their first members decide
}

void PlanFileReader::read_fused_group(std::vector<std::uint8_t>& taken) {
  std::vector<OpId> group;
  reader_.begin_array();
  const std::size_t position = reader_.position();
  while (reader_.next_element()) {
    const std::string_view name = reader_.read_string();
    const OpId member = op(name);
    if (taken[member.index()]++) {
      reader_.fail(fmt::format("op {} is fused twice; it can be in one group, once", quoted(name)));
    }
    group.push_back(member);
  }
  if (group.empty()) reader_.fail_at(position, "a fused group is empty; it needs at least one op");
  std::sort(group.begin(), group.end());
  file_.plan.fused.push_back(std::move(group));
}

void PlanFileReader::read_origin(ObjectKeys& keys, std::string& name, std::string& sha256) {
  keys.begin(reader_);
  while (const auto key = keys.next(reader_)) {
    (*key == kName ? name : sha256) = reader_.read_string();
  }
}

void PlanFileReader::read_predicted() {
  PlanRecord& record = file_.record;
  predicted_keys_.begin(reader_);
  while (const auto key = predicted_keys_.next(reader_)) {
    switch (static_cast<PredictedKey>(*key)) {
      case kStepSeconds:
        record.step_seconds = reader_.read_quantity(Dimension::seconds, "\"step_seconds\"");
        break;
      case kLowerBoundSeconds:
        record.lower_bound_seconds =
            reader_.read_quantity(Dimension::seconds, "\"lower_bound_seconds\"");
        break;
      case kFeasible:
        record.feasible = reader_.read_bool();
        break;
      case kPeakBytes:
        read_peak_bytes();
        break;
    }
  }
}

void PlanFileReader::read_peak_bytes() {
  auto& peak_bytes = file_.record.peak_bytes;
  std::vector<std::uint8_t> given(cluster_.device_count(), 0);
  reader_.begin_object();
  while (const auto key = reader_.next_key()) {
    const DeviceId found = device(*key);
    if (given[found.index()]++) {
      reader_.fail(fmt::format("device {} has two peaks; give it one", quoted(*key)));
    }
    peak_bytes.resize(cluster_.device_count(), 0);
    peak_bytes[found.index()] = reader_.read_bytes("a size in \"peak_bytes\"");
  }
}

}  // namespace

PlanFile parse_plan(std::string_view text, std::string_view source, const Graph& graph,
                    const Cluster& cluster, std::vector<std::string>* warnings) {
  check_format(text, source, "berth.plan");
  return PlanFileReader(text, source, graph, cluster).read(warnings);
}

}  // namespace berth
