// An output that is written bit by bit over a long time, and that two processes must not write at
// once: a policy with its checkpoints, a training curve.
//
// The lock is that of flock(2) on FILE.lock beside the output, since a checkpoint puts a new file
// in the place of the old one. It ends with the process whatever becomes of that, so a FILE.lock
// that a killed one has left keeps nobody away. It holds the number of the process, for the
// message.
#pragma once

#include <string>

namespace berth {

class FileLock {
 public:
  // `what` names the output in messages, as in `--output "x.policy"`. Throws InputError when
  // another process holds it, or the file beside cannot be made. A device or a pipe is not locked,
  // nor is anything where the file system has no locks.
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
