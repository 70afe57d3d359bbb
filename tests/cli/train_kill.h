// Training that is killed again and again, and resumed every time.
#pragma once

#include <cstdint>

namespace berth::cli {

struct KillRecord {
  int kills = 0;
  int while_writing = 0;  // of them those that left a half-written file behind
  int resumptions = 0;    // from a policy that was there
};

// Kills `kills` runs of one small training by SIGKILL, most of them about the moment when a
// checkpoint is written. Expects that the policy file is whole whenever it is there, that a kill
// leaves one temporary file at most, and that policy and curve are in the end those of a training
// that was never killed.
KillRecord kill_training(int kills, std::uint64_t seed);

}  // namespace berth::cli
