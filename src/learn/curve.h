// The training curve: a file with one JSON object per line and per update. It is written while
// training runs, so that it can be watched and plotted.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>

#include "learn/trainer.h"

namespace berth::learn {

class Curve {
 public:
  Curve() = default;  // writes nothing
  // Cuts the file to `keep_bytes` (0 for a new one) and goes on behind them. Throws InputError.
  Curve(const std::string& path, std::uint64_t keep_bytes);

  void add(const UpdateRecord& record, const Trainer& trainer);
  // Returns the length once all of it is in the file.
  std::uint64_t flush();
  // Why it ended before training did, or empty. Training continues without its curve.
  const std::string& remark() const { return remark_; }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  void give_up();

  std::string path_;
  std::string remark_;
  std::unique_ptr<std::FILE, Close> file_;
  std::uint64_t bytes_ = 0;
};

}  // namespace berth::learn
