// The trainer's state as a policy file, and back.
#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "learn/stored_state.h"
#include "learn/trainer.h"
#include "place/learned/methods.h"

namespace berth::learn {
namespace {

std::string case_prefix(std::size_t number) { return fmt::format("case{}.", number); }

void save_elite(const CaseTraining& of, const std::string& prefix, PolicyFile& file) {
  const Decisions* const elite = of.elite();
  if (!elite) return;
  file.arrays.push_back(stored(
      prefix + "seconds", std::vector<double>{of.elite_seconds(), of.elite_memory_fraction()}));
  file.arrays.push_back(stored_numbers(prefix + "devices", elite->devices));
  if (elite->starts.defined()) {
    file.arrays.push_back(stored_numbers(prefix + "starts", elite->starts));
  }
  if (elite->groups.defined()) {
    file.arrays.push_back(stored_numbers(prefix + "groups", elite->groups));
  }
}

void save_case(const CaseTraining& of, const std::string& prefix, PolicyFile& file) {
  file.cases.push_back({of.given().model, of.given().cluster, fingerprint(*of.given().problem)});
  std::vector<std::int64_t> placement;
  for (const DeviceId device : of.best_plan().placement) {
    placement.push_back(static_cast<std::int64_t>(device.index()));
  }
  file.arrays.push_back(stored(prefix + "best", placement));
  file.arrays.push_back(
      stored(prefix + "last_samples",
             std::vector<double>(of.last_samples().begin(), of.last_samples().end())));
  file.arrays.push_back(stored(prefix + "baseline", of.baseline().state()));
  file.arrays.push_back(
      stored(prefix + "memory_fraction", std::vector<double>{of.seen().memory_fraction}));
  save_elite(of, prefix + "elite.", file);
}

bool is_fraction(double value) { return value > 0 && value <= 1; }

bool same_size(const Tensor& left, const Tensor& right) {
  return left.defined() == right.defined() && (!left.defined() || left.sizes() == right.sizes());
}

// `like` has the sizes that the policy's decisions have on this case.
void restore_elite(CaseTraining& on, const Policy& policy, const Decisions& like,
                   const StoredState& state, const std::string& prefix) {
  if (!state.has(prefix + "seconds")) return;
  const std::vector<double> seconds = state.reals(prefix + "seconds");
  Decisions elite;
  elite.plans = 1;
  elite.devices = state.row(prefix + "devices", on.seen().device_count());
  elite.starts = state.row(prefix + "starts", on.seen().device_count());
  elite.groups = state.row(prefix + "groups", like.devices.size(1));
  if (seconds.size() != 2 || !(seconds[0] >= 0) || !is_fraction(seconds[1]) ||
      !same_size(elite.devices, like.devices) || !same_size(elite.starts, like.starts) ||
      !same_size(elite.groups, like.groups)) {
    throw InputError(
        fmt::format("{}: the arrays {}... are not those of one sample; the file was not written by "
                    "this training",
                    state.source(), prefix));
  }
  // It reads what it read when it was drawn.
  const double fraction = on.seen().memory_fraction;
  on.set_memory_fraction(seconds[1]);
  policy.complete(on.seen(), elite);
  on.restore_elite(std::move(elite), seconds[0]);
  on.set_memory_fraction(fraction);
}

[[noreturn]] void refuse_resuming(const std::string& source, const std::string& what,
                                  const std::string& found, const std::string& asked) {
  throw InputError(fmt::format("{}: cannot be resumed, since its {} is {} and {} is asked for now; "
                               "write to another file to start again",
                               source, what, found, asked),
                   {.code = ErrorCode::bad_option, .subject = "policy", .place = source});
}

bool holds_policy_alone(const PolicyFile& file) {
  return std::ranges::all_of(file.arrays, [](const StoredArray& array) {
    return array.name.starts_with(Trainer::kParameterPrefix);
  });
}

std::string complete(const std::string& method) {
  const place::Method parsed = place::parse_method(method);
  return place::complete_method(*place::find_learned(parsed.placer->name), parsed.options);
}

const Trainer::Setting& checked(const Trainer::Setting& setting, const std::string& source) {
  require_learned(setting.method, source);
  return setting;
}

}  // namespace

PolicyFile Trainer::save() const {
  PolicyFile file;
  file.method = complete(setting_.method);
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
  // The file has no unsigned numbers; the bits are the same.
  for (const std::uint64_t word : random_.state()) words.push_back(static_cast<std::int64_t>(word));
  file.arrays.push_back(stored("random", words));
  file.arrays.push_back(stored("entropy", std::vector<double>{entropy_}));
  for (std::size_t i = 0; i < cases_.size(); ++i) save_case(*cases_[i], case_prefix(i), file);
  return file;
}

void Trainer::load_parameters(const PolicyFile& file, const std::string& source) {
  const StoredState state(file, source);
  for (const auto& [name, tensor] : policy_->parameters()) {
    state.copy_into(tensor, kParameterPrefix + name);
  }
  // With a part left out, a policy would place by other rules than those it learned.
  const auto stored = std::ranges::count_if(file.arrays, [](const StoredArray& array) {
    return array.name.starts_with(kParameterPrefix);
  });
  const std::size_t known = policy_->parameters().size();
  if (static_cast<std::size_t>(stored) > known) {
    throw InputError(
        fmt::format("{}: the file has {} arrays of parameters, and the network of {} has {}; it "
                    "was written by a version of Berth with other default options; train again",
                    source, stored, place::brief_method(file.method), known),
        {.subject = "policy", .place = source});
  }
}

Trainer::Trainer(const Setting& setting, const PolicyFile& policy, const std::string& source)
    : Trainer(checked(setting, source), Vocabulary(policy.vocabulary)) {
  load_parameters(policy, source);
  choose_units();
  pretrain_ = false;
}

void Trainer::require_same_training(const PolicyFile& file, const std::string& source) const {
  require_learned(file.method, source);
  if (complete(file.method) != complete(setting_.method)) {
    refuse_resuming(source, "method", place::brief_method(file.method), setting_.method);
  }
  if (file.seed != setting_.seed) {
    refuse_resuming(source, "seed", fmt::format("{}", file.seed), fmt::format("{}", setting_.seed));
  }
  if (file.cases.size() != cases_.size()) {
    refuse_resuming(source, "number of cases", fmt::format("{}", file.cases.size()),
                    fmt::format("{}", cases_.size()));
  }
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    const place::TrainingCase& given = cases_[i]->given();
    // By content, since the file behind a name may have changed.
    if (file.cases[i].fingerprint == fingerprint(*given.problem)) continue;
    refuse_resuming(source, fmt::format("case {}", i + 1),
                    fmt::format("{} on {}", file.cases[i].model, file.cases[i].cluster),
                    fmt::format("{} on {}, which differs,", given.model, given.cluster));
  }
  if (file.vocabulary != vocabulary_.types()) {
    refuse_resuming(source, "vocabulary", fmt::format("of {} op types", file.vocabulary.size()),
                    fmt::format("another, of {},", vocabulary_.types().size()));
  }
}

void Trainer::require_resumable(const PolicyFile& file, const std::string& source) const {
  require_same_training(file, source);
  if (file.evaluations > setting_.budget.evaluations) {
    throw InputError(fmt::format(
        "{}: its training has taken {:.0f} evaluations already, more than the budget of "
        "{}; the budget counts from the beginning, so give a larger one to go on",
        source, file.evaluations, format_budget(setting_.budget)));
  }
  if (holds_policy_alone(file)) {
    throw InputError(fmt::format("{}: cannot be resumed, since it holds the policy alone, without "
                                 "the state of its training; write to another file to start again",
                                 source),
                     {.code = ErrorCode::bad_option, .subject = "policy", .place = source});
  }
}

void Trainer::restore_optimizer(const StoredState& state) {
  state.copy_into(adam_->first, "adam.first");
  state.copy_into(adam_->second, "adam.second");
  adam_->steps = state.numbers("adam.steps", 1)[0];
  if (adam_->steps < 0) state.refuse("adam.steps");
  const auto words = state.numbers("random", 4);
  random_.restore({static_cast<std::uint64_t>(words[0]), static_cast<std::uint64_t>(words[1]),
                   static_cast<std::uint64_t>(words[2]), static_cast<std::uint64_t>(words[3])});
  const auto entropy = state.reals("entropy");
  if (entropy.size() != 1) state.refuse("entropy");
  entropy_ = entropy[0];
}

void Trainer::restore_case(std::size_t number, const StoredState& state) {
  CaseTraining& on = *cases_[number];
  const Problem& problem = *on.given().problem;
  const std::string prefix = case_prefix(number);
  Plan best;
  for (const std::int64_t device : state.numbers(prefix + "best", problem.op_count())) {
    if (device < 0 || device >= static_cast<std::int64_t>(problem.device_count())) {
      state.refuse(prefix + "best");
    }
    best.placement.emplace_back(static_cast<std::size_t>(device));
  }
  // A valid number may still be a device that the op may not use.
  require_valid(problem, best, state.source());
  const std::vector<double> samples = state.reals(prefix + "last_samples");
  const bool times = std::ranges::all_of(samples, [](double seconds) { return seconds >= 0; });
  if (!times || samples.size() > CaseTraining::kLastSamples) {
    state.refuse(prefix + "last_samples");
  }
  on.restore(std::move(best), samples);
  if (!on.baseline().restore(state.reals(prefix + "baseline"))) state.refuse(prefix + "baseline");
  const std::vector<double> fraction = state.reals(prefix + "memory_fraction");
  if (fraction.size() != 1 || !is_fraction(fraction[0])) state.refuse(prefix + "memory_fraction");
  on.set_memory_fraction(fraction[0]);
  restore_elite(on, *policy_, policy_->greedy(on.seen()), state, prefix + "elite.");
}

void Trainer::restore(const PolicyFile& file, const std::string& source) {
  require_resumable(file, source);
  load_parameters(file, source);
  const StoredState state(file, source);
  restore_optimizer(state);
  for (std::size_t i = 0; i < cases_.size(); ++i) restore_case(i, state);
  evaluations_ = file.evaluations;
  updates_ = file.updates;
  earlier_seconds_ = file.train_seconds;
  begin_ = std::chrono::steady_clock::now();
}

}  // namespace berth::learn
