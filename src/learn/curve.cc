#include "learn/curve.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/json_writer.h"

namespace berth::learn {
namespace {

[[noreturn]] void fail(const std::string& path) {
  throw InputError(fmt::format("cannot write the curve to {}: {}", path, std::strerror(errno)));
}

}  // namespace

Curve::Curve(const std::string& path, std::uint64_t keep_bytes) : path_(path) {
  std::error_code error;
  const std::uintmax_t there = std::filesystem::file_size(path, error);
  // A curve that was taken away meanwhile begins anew; training does not need it.
  const std::uint64_t keep = error || there < keep_bytes ? 0 : keep_bytes;
  file_.reset(std::fopen(path.c_str(), keep > 0 ? "r+b" : "wb"));
  if (!file_) fail(path);
  if (keep == 0) return;
  if (ftruncate(fileno(file_.get()), static_cast<off_t>(keep)) != 0) fail(path);
  if (std::fseek(file_.get(), 0, SEEK_END) != 0) fail(path);
  bytes_ = keep;
}

void Curve::add(const UpdateRecord& record, const Trainer& trainer) {
  if (!file_) return;
  const CaseTraining& of = *trainer.cases()[record.case_number];
  JsonWriter json;
  json.begin_flat_object().field("case", record.case_number);
  json.field("evaluations", trainer.evaluations()).field("updates", trainer.updates());
  json.field("seconds", trainer.seconds());
  json.field("best_step_seconds", of.best().step_seconds);
  json.field("best_feasible", of.any_feasible());
  json.field("mean_step_seconds", of.sample_mean());
  json.field("feasible_share", record.feasible_share).field("entropy", record.entropy);
  json.field("reward", record.reward).field("baseline", record.baseline);
  json.field("gradient_norm", record.gradient_norm).end_object();
  std::string line = json.take();
  while (!line.empty() && line.back() == '\n') line.pop_back();
  line += '\n';
  if (std::fwrite(line.data(), 1, line.size(), file_.get()) != line.size()) return give_up();
  bytes_ += line.size();
}

void Curve::give_up() {
  remark_ = fmt::format("the curve in {} ends early: {}", path_, std::strerror(errno));
  file_.reset();
}

std::uint64_t Curve::flush() {
  if (file_ && std::fflush(file_.get()) != 0) give_up();
  return bytes_;
}

}  // namespace berth::learn
