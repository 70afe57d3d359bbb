#include "base/file_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <system_error>
#include <thread>

#include "base/error.h"
#include "base/file.h"

namespace berth {
namespace {

// The holder of a lock writes its process id shortly after it got the lock.
constexpr int kTries = 20;
constexpr std::chrono::milliseconds kPause{5};

// 0 when the file does not say.
long process_in(int descriptor) {
  for (int tries = 0; tries < kTries; ++tries) {
    char text[32];
    const ssize_t length = ::pread(descriptor, text, sizeof text, 0);
    long process = 0;
    if (length > 0 && std::from_chars(text, text + length, process).ec == std::errc()) {
      return process;
    }
    std::this_thread::sleep_for(kPause);
  }
  return 0;
}

// Empty, or a number and a newline. Any other file of that name belongs to somebody.
bool is_lock(int descriptor) {
  struct stat status {};
  char text[32];
  if (::fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink > 1) {
    return false;
  }
  const ssize_t length = ::pread(descriptor, text, sizeof text, 0);
  if (length < 0 || length == static_cast<ssize_t>(sizeof text)) return false;
  const std::string_view found(text, static_cast<std::size_t>(length));
  return found.find_first_not_of("0123456789\n") == std::string_view::npos;
}

[[noreturn]] void refuse(const std::string& what, long process) {
  const std::string who = process > 0 ? fmt::format("process {}", process) : "another process";
  throw InputError(fmt::format(
      "{} is being written by {}; wait until it ends, or choose another name", what, who));
}

}  // namespace

FileLock::FileLock(const std::string& path, const std::string& what) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) return;
  path_ = resolve_links(path) + ".lock";
  do {
    if (descriptor_ >= 0) ::close(descriptor_);
    descriptor_ =
        ::open(path_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0666);
    if (descriptor_ < 0) {
      throw InputError(fmt::format("{} cannot be locked: {}: {}", what, quoted(path_),
                                   std::generic_category().message(errno)));
    }
    if (!is_lock(descriptor_)) {
      ::close(descriptor_);
      throw InputError(fmt::format("{} cannot be locked: {} exists and is not a lock file; move it",
                                   what, quoted(path_)));
    }
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) continue;
    const int error = errno;
    const long process = error == EWOULDBLOCK ? process_in(descriptor_) : 0;
    ::close(descriptor_);
    descriptor_ = -1;
    if (error == EWOULDBLOCK) refuse(what, process);
    return;  // this file system has no locks
  } while (!is_still_named());
  write_process();
}

FileLock::~FileLock() {
  if (descriptor_ < 0) return;
  // While the lock is still held: afterwards the file may be that of the next holder.
  ::unlink(path_.c_str());
  ::close(descriptor_);
}

// Whoever held the lock before may have removed the file between opening and locking.
bool FileLock::is_still_named() const {
  struct stat opened {};
  struct stat named {};
  return ::fstat(descriptor_, &opened) == 0 && ::lstat(path_.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

void FileLock::write_process() const {
  const std::string text = fmt::format("{}\n", ::getpid());
  // Only for the message; the lock holds without it.
  (void)!::ftruncate(descriptor_, 0);
  (void)!::pwrite(descriptor_, text.data(), text.size(), 0);
}

}  // namespace berth
