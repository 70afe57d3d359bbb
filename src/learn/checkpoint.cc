// Trainer to file and back.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "learn/trainer.h"

namespace berth::learn {
namespace {

template <class T>
StoredArray stored(std::string name, StoredArray::Type type, std::vector<std::int64_t> shape,
                   const T* values, std::size_t count) {
  StoredArray array{.name = std::move(name), .type = type, .shape = std::move(shape), .data = {}};
  array.data.resize(count * sizeof(T));
  if (count > 0) std::memcpy(array.data.data(), values, array.data.size());
  return array;
}

StoredArray stored(std::string name, const Tensor& tensor) {
  const Tensor flat = tensor.detach().contiguous();
  return stored(std::move(name), StoredArray::Type::f32, tensor.sizes().vec(),
                flat.data_ptr<float>(), static_cast<std::size_t>(flat.numel()));
}

StoredArray stored(std::string name, const std::vector<double>& values) {
  return stored(std::move(name), StoredArray::Type::f64, {static_cast<std::int64_t>(values.size())},
                values.data(), values.size());
}

StoredArray stored(std::string name, const std::vector<std::int64_t>& values) {
  return stored(std::move(name), StoredArray::Type::i64, {static_cast<std::int64_t>(values.size())},
                values.data(), values.size());
}

StoredArray stored_numbers(std::string name, const Tensor& tensor) {
  const Tensor flat = tensor.contiguous();
  return stored(std::move(name), StoredArray::Type::i64, tensor.sizes().vec(),
                flat.data_ptr<std::int64_t>(), static_cast<std::size_t>(flat.numel()));
}

const StoredArray& required(const PolicyFile& file, const std::string& name, StoredArray::Type type,
                            const std::string& source) {
  const StoredArray* const array = file.find(name);
  if (array && array->type == type) return *array;
  throw InputError(fmt::format("{}: the policy lacks the array {}; it is not one of the method {}",
                               source, quoted(name), quoted(file.method)));
}

template <class T>
std::vector<T> values_of(const StoredArray& array) {
  std::vector<T> values(array.data.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), array.data.data(), array.data.size());
  return values;
}

void copy_into(Tensor& tensor, const StoredArray& array, const std::string& source) {
  if (array.shape != tensor.sizes().vec()) {
    throw InputError(fmt::format("{}: the array {} has the shape [{}] where the policy has [{}]",
                                 source, quoted(array.name), fmt::join(array.shape, ", "),
                                 fmt::join(tensor.sizes().vec(), ", ")));
  }
  if (!std::ranges::all_of(values_of<float>(array),
                           [](float value) { return std::isfinite(value); })) {
    throw InputError(fmt::format(
        "{}: the array {} holds numbers that are not finite, with which nothing can be placed",
        source, quoted(array.name)));
  }
  at::NoGradGuard guard;
  std::memcpy(tensor.data_ptr<float>(), array.data.data(), array.data.size());
}

// Whole numbers of [0, limit), as a tensor of one row; undefined when the file has none.
Tensor row_of(const PolicyFile& file, const std::string& name, std::int64_t limit,
              const std::string& source) {
  if (!file.find(name)) return {};
  const auto values = values_of<std::int64_t>(required(file, name, StoredArray::Type::i64, source));
  for (const std::int64_t value : values) {
    if (value >= 0 && value < limit) continue;
    throw InputError(fmt::format("{}: the array {} holds {} where numbers from 0 to {} are due",
                                 source, quoted(name), value, limit - 1));
  }
  return torch::tensor(values, at::kLong).unsqueeze(0);
}

bool same_size(const Tensor& left, const Tensor& right) {
  return left.defined() == right.defined() && (!left.defined() || left.sizes() == right.sizes());
}

// `like` has the sizes that the policy's decisions have.
void restore_elite(CaseTraining& on, const Decisions& like, const PolicyFile& file,
                   const std::string& prefix, const std::string& source) {
  if (!file.find(prefix + "seconds")) return;
  const auto seconds =
      values_of<double>(required(file, prefix + "seconds", StoredArray::Type::f64, source));
  Decisions elite;
  elite.plans = 1;
  elite.devices = row_of(file, prefix + "devices", on.seen().device_count(), source);
  elite.starts = row_of(file, prefix + "starts", on.seen().device_count(), source);
  elite.groups = row_of(file, prefix + "groups", like.devices.size(1), source);
  if (seconds.size() != 1 || !(seconds[0] >= 0) || !same_size(elite.devices, like.devices) ||
      !same_size(elite.starts, like.starts) || !same_size(elite.groups, like.groups)) {
    throw InputError(
        fmt::format("{}: the arrays {}... are not those of one sample; the file was not written by "
                    "this training",
                    source, prefix));
  }
  on.restore_elite(std::move(elite), seconds[0]);
}

const Trainer::Setting& checked(const Trainer::Setting& setting, const std::string& source) {
  require_learned(setting.method, source);
  return setting;
}

std::string case_prefix(std::size_t number) { return fmt::format("case{}.", number); }

}  // namespace

PolicyFile Trainer::save() const {
  PolicyFile file;
  file.method = setting_.method;
  file.berth_version = BERTH_VERSION;
  file.seed = setting_.seed;
  file.budget = format_budget(setting_.budget);
  file.evaluations = evaluations_;
  file.updates = updates_;
  file.train_seconds = seconds();
  file.vocabulary = vocabulary_.types();
  for (const auto& [name, tensor] : policy_->parameters()) {
    file.arrays.push_back(stored(kParameterPrefix + name, tensor));
  }
  file.arrays.push_back(stored("adam.first", adam_->first));
  file.arrays.push_back(stored("adam.second", adam_->second));
  file.arrays.push_back(stored("adam.steps", std::vector<std::int64_t>{adam_->steps}));
  std::vector<std::int64_t> words;
  for (const std::uint64_t word : random_.state()) words.push_back(static_cast<std::int64_t>(word));
  file.arrays.push_back(stored("random", words));
  file.arrays.push_back(stored("entropy", std::vector<double>{entropy_}));
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const CaseTraining& one = *cases_[i];
    file.cases.push_back(
        {one.given().model, one.given().cluster, fingerprint(*one.given().problem)});
    std::vector<std::int64_t> placement;
    for (const DeviceId device : one.best_plan().placement) {
      placement.push_back(static_cast<std::int64_t>(device.index()));
    }
    file.arrays.push_back(stored(case_prefix(i) + "best", placement));
    file.arrays.push_back(
        stored(case_prefix(i) + "last_samples",
               std::vector<double>(one.last_samples().begin(), one.last_samples().end())));
    file.arrays.push_back(stored(case_prefix(i) + "baseline", one.baseline().state()));
    if (const Decisions* const elite = one.elite()) {
      file.arrays.push_back(
          stored(case_prefix(i) + "elite.seconds", std::vector<double>{one.elite_seconds()}));
      file.arrays.push_back(stored_numbers(case_prefix(i) + "elite.devices", elite->devices));
      if (elite->starts.defined()) {
        file.arrays.push_back(stored_numbers(case_prefix(i) + "elite.starts", elite->starts));
      }
      if (elite->groups.defined()) {
        file.arrays.push_back(stored_numbers(case_prefix(i) + "elite.groups", elite->groups));
      }
    }
  }
  return file;
}

void Trainer::load_parameters(const PolicyFile& file, const std::string& source) {
  for (const auto& [name, tensor] : policy_->parameters()) {
    Tensor target = tensor;
    copy_into(target, required(file, kParameterPrefix + name, StoredArray::Type::f32, source),
              source);
  }
}

Trainer::Trainer(const Setting& setting, const PolicyFile& policy, const std::string& source)
    : Trainer(checked(setting, source), Vocabulary(policy.vocabulary)) {
  load_parameters(policy, source);
  pretrain_ = false;
}

void Trainer::restore(const PolicyFile& file, const std::string& source) {
  const auto refuse = [&](const std::string& what, const std::string& found,
                          const std::string& asked) {
    throw InputError(
        fmt::format("{}: cannot be resumed, since its {} is {} and {} is asked for now; write to "
                    "another file to begin anew",
                    source, what, found, asked),
        {.code = ErrorCode::bad_option, .subject = "policy", .place = source});
  };
  if (file.method != setting_.method) refuse("method", file.method, setting_.method);
  if (file.seed != setting_.seed) {
    refuse("seed", fmt::format("{}", file.seed), fmt::format("{}", setting_.seed));
  }
  if (file.cases.size() != cases_.size()) {
    refuse("number of cases", fmt::format("{}", file.cases.size()),
           fmt::format("{}", cases_.size()));
  }
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const place::TrainingCase& given = cases_[i]->given();
    if (file.cases[i].fingerprint == fingerprint(*given.problem)) continue;
    refuse(fmt::format("case {}", i + 1),
           fmt::format("{} on {}", file.cases[i].model, file.cases[i].cluster),
           fmt::format("{} on {}, which differs,", given.model, given.cluster));
  }
  if (file.vocabulary != vocabulary_.types()) {
    refuse("vocabulary", fmt::format("of {} op types", file.vocabulary.size()),
           fmt::format("another, of {},", vocabulary_.types().size()));
  }
  if (file.evaluations > setting_.budget.evaluations) {
    throw InputError(fmt::format(
        "{}: its training has taken {:.0f} evaluations already, more than the budget of "
        "{}; the budget counts from the beginning, so give a larger one to go on",
        source, file.evaluations, format_budget(setting_.budget)));
  }
  constexpr double kMostUpdates = 0x1p53;  // a double counts no further
  if (file.updates != std::floor(file.updates) || file.updates > kMostUpdates) {
    throw InputError(
        fmt::format("{}: the policy has had {} updates, where a whole number up to "
                    "2^53 would be right; the file was not written by training",
                    source, file.updates));
  }
  const bool slim = std::ranges::all_of(file.arrays, [](const StoredArray& array) {
    return array.name.starts_with(kParameterPrefix);
  });
  if (slim) {
    throw InputError(
        fmt::format("{}: cannot be resumed, since it holds the policy alone, without the state of "
                    "its training; write to another file to begin anew",
                    source),
        {.code = ErrorCode::bad_option, .subject = "policy", .place = source});
  }
  load_parameters(file, source);
  using Type = StoredArray::Type;
  copy_into(adam_->first, required(file, "adam.first", Type::f32, source), source);
  copy_into(adam_->second, required(file, "adam.second", Type::f32, source), source);
  const auto damaged = [&](const std::string& name) {
    throw InputError(
        fmt::format("{}: the array {} does not fit the problem; the file was not "
                    "written by this training",
                    source, quoted(name)));
  };
  const auto numbers = [&](const std::string& name, std::size_t count) {
    auto values = values_of<std::int64_t>(required(file, name, Type::i64, source));
    if (values.size() != count) damaged(name);
    return values;
  };
  const auto reals = [&](const std::string& name) {
    return values_of<double>(required(file, name, Type::f64, source));
  };
  adam_->steps = numbers("adam.steps", 1)[0];
  if (adam_->steps < 0) damaged("adam.steps");
  const auto words = numbers("random", 4);
  random_.restore({static_cast<std::uint64_t>(words[0]), static_cast<std::uint64_t>(words[1]),
                   static_cast<std::uint64_t>(words[2]), static_cast<std::uint64_t>(words[3])});
  const auto entropy = reals("entropy");
  if (entropy.size() != 1) damaged("entropy");
  entropy_ = entropy[0];
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const Problem& problem = *cases_[i]->given().problem;
    const std::string best_name = case_prefix(i) + "best";
    Plan best;
    for (const std::int64_t device : numbers(best_name, problem.op_count())) {
      if (device < 0 || device >= static_cast<std::int64_t>(problem.device_count())) {
        damaged(best_name);
      }
      best.placement.emplace_back(static_cast<std::size_t>(device));
    }
    require_valid(problem, best, source);
    const std::string samples_name = case_prefix(i) + "last_samples";
    const std::vector<double> samples = reals(samples_name);
    const bool times = std::ranges::all_of(samples, [](double seconds) { return seconds >= 0; });
    if (!times || samples.size() > CaseTraining::kLastSamples) damaged(samples_name);
    cases_[i]->restore(std::move(best), samples);
    const std::string baseline_name = case_prefix(i) + "baseline";
    if (!cases_[i]->baseline().restore(reals(baseline_name))) damaged(baseline_name);
    restore_elite(*cases_[i], policy_->greedy(cases_[i]->seen()), file, case_prefix(i) + "elite.",
                  source);
  }
  evaluations_ = file.evaluations;
  updates_ = file.updates;
  earlier_seconds_ = file.train_seconds;
  begin_ = std::chrono::steady_clock::now();
}

}  // namespace berth::learn
