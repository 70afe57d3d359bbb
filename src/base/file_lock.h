// A lock for an output that is written in many steps over a long time, so that two processes do not
// write it at the same time: a policy with its checkpoints, a training curve.
//
// The lock is flock(2) on the file FILE.lock next to the output, because a checkpoint replaces the
// output by a new file. The system releases the lock when the process ends, even if it is killed,
// so a FILE.lock that is left over blocks nobody. The file holds the process id, for the message.
#pragma once

#include <string>

namespace berth {

class FileLock {
 public:
  // `what` names the output in messages, as in `--output "x.policy"`. Throws InputError when
  // another process holds the lock, or when the lock file cannot be created. A device or a pipe is
  // not locked, nor is anything where the file system has no locks.
  FileLock(const std::string& path, const std::string& what);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  bool is_still_named() const;
  void write_process() const;

  std::string path_;  // of the lock
  int descriptor_ = -1;
};

}  // namespace berth
