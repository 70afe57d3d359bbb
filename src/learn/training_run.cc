#include "learn/training_run.h"

#include <algorithm>
#include <chrono>
#include <filesystem>

namespace berth::learn {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kLeastSeconds = 0.2;
constexpr double kCostFactor = 20;
// Often enough for a line that moves and a curve that can be watched.
constexpr double kReportSeconds = 0.1;

class Checkpoints {
 public:
  Checkpoints(const Trainer& trainer, Curve& curve, std::string path)
      : trainer_(trainer), curve_(curve), path_(std::move(path)), next_(Clock::now()) {
    next_ += std::chrono::duration_cast<Clock::duration>(Seconds(kLeastSeconds));
  }

  void save_if_due() {
    if (!path_.empty() && Clock::now() >= next_) save(false);
  }

  void save(bool slim) {
    if (path_.empty()) return;
    const Clock::time_point begin = Clock::now();
    PolicyFile file = trainer_.save();
    if (slim) {
      std::erase_if(file.arrays, [](const StoredArray& array) {
        return !array.name.starts_with(Trainer::kParameterPrefix);
      });
    }
    file.curve_bytes = curve_.flush();
    write_policy(path_, file);
    const Clock::time_point end = Clock::now();
    const Seconds pause(std::max(kLeastSeconds, kCostFactor * Seconds(end - begin).count()));
    next_ = end + std::chrono::duration_cast<Clock::duration>(pause);
  }

 private:
  const Trainer& trainer_;
  Curve& curve_;
  std::string path_;
  Clock::time_point next_;
};

}  // namespace

std::string run_training(Trainer& trainer, const RunOutputs& outputs) {
  std::uint64_t curve_bytes = 0;
  if (outputs.resume && std::filesystem::exists(outputs.policy_path)) {
    const PolicyFile file = read_policy(outputs.policy_path);
    trainer.restore(file, outputs.policy_path);
    curve_bytes = file.curve_bytes;
  }
  Curve curve;
  if (!outputs.curve_path.empty()) curve = Curve(outputs.curve_path, curve_bytes);
  Checkpoints checkpoints(trainer, curve, outputs.policy_path);
  Clock::time_point reported = Clock::now();
  while (!trainer.finished()) {
    const std::optional<UpdateRecord> update = trainer.update();
    if (!update) continue;  // and that was it
    curve.add(*update, trainer);
    checkpoints.save_if_due();
    if (Seconds(Clock::now() - reported).count() < kReportSeconds) continue;
    reported = Clock::now();
    curve.flush();
    if (outputs.progress) outputs.progress(trainer.progress());
  }
  // First, since a greedy plan that is the best seen is no part of training either.
  checkpoints.save(outputs.slim && !trainer.interrupted());
  curve.flush();
  trainer.price_greedy();
  return curve.remark();
}

}  // namespace berth::learn
