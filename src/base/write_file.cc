#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <random>
#include <thread>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file.h"
#include "base/file_error.h"

namespace berth {
namespace {

constexpr std::string_view kPrefix = ".berth-";
constexpr std::string_view kSuffix = ".tmp";
constexpr std::size_t kDigits = 16;
constexpr std::time_t kAbandonedSeconds = 24 * 60 * 60;

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = ::write(descriptor, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

// Waits some seconds for a pipe to be read, but not forever: there may be no reader.
int open_directly(const std::string& path) {
  constexpr int kTries = 300;
  for (int i = 0;; ++i) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor >= 0 || errno != ENXIO || i == kTries) return descriptor;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

void write_directly(const std::string& path, std::string_view content) {
  const Descriptor file(open_directly(path));
  if (file.number() >= 0) ::fcntl(file.number(), F_SETFL, 0);
  if (file.number() < 0 || !write_all(file.number(), content)) fail_on_file("write", path, errno);
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// From the system and not from a seed: it must not be predictable.
std::string random_name() {
  std::random_device device;
  return fmt::format("{}{:08x}{:08x}{}", kPrefix, device(), device(), kSuffix);
}

bool is_temporary(std::string_view name) {
  if (name.size() != kPrefix.size() + kDigits + kSuffix.size()) return false;
  if (!name.starts_with(kPrefix) || !name.ends_with(kSuffix)) return false;
  const std::string_view digits = name.substr(kPrefix.size(), kDigits);
  return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Temporary files that killed processes of this user left, once they are old enough not to be in
// use.
void remove_abandoned(const std::string& directory) {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(directory.c_str()), ::closedir);
  if (!folder) return;
  const int descriptor = ::dirfd(folder.get());
  const std::time_t latest = std::time(nullptr) - kAbandonedSeconds;
  while (const dirent* entry = ::readdir(folder.get())) {
    if (!is_temporary(entry->d_name)) continue;
    struct stat status {};
    if (::fstatat(descriptor, entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
    if (!S_ISREG(status.st_mode) || status.st_uid != ::geteuid()) continue;
    if (status.st_mtime < latest) ::unlinkat(descriptor, entry->d_name, 0);
  }
}

// A file with a new name that is removed again unless it was renamed. The name cannot be guessed,
// and an existing file is never used: in a folder that others may write to, it could be theirs.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& directory, mode_t mode) {
    do {
      path_ = fmt::format("{}/{}", directory, random_name());
      descriptor_ =
          ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) path_.clear();
  }
  ~TemporaryFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  int descriptor() const { return descriptor_; }
  bool rename_to(const std::string& target) {
    if (::rename(path_.c_str(), target.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

 private:
  std::string path_;
  int descriptor_ = -1;
};

}  // namespace

std::string resolve_links(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (!resolved) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

void write_file(const std::string& path, std::string_view content) {
  if (path.empty()) throw InputError("cannot write a file with an empty name; give it a name");
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail_on_file("write", path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_directly(path, content);
  // The rename would succeed on a file its owner has made read-only.
  if (exists && ::access(path.c_str(), W_OK) != 0) fail_on_file("write", path, errno);

  const std::string target = resolve_links(path);
  const std::string directory = directory_of(target);
  remove_abandoned(directory);
  TemporaryFile temporary(directory, exists ? status.st_mode & 0777 : 0666);
  const int file = temporary.descriptor();
  if (file < 0) fail_on_file("write", path, errno);
  if (exists) (void)!::fchmod(file, status.st_mode & 0777);
  if (!write_all(file, content) || ::fsync(file) != 0) fail_on_file("write", path, errno);
  if (!temporary.rename_to(target)) fail_on_file("write", path, errno);

  // The rename itself must survive a power cut too. Some file systems cannot sync a directory;
  // the file is complete all the same.
  const Descriptor folder(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0) (void)!::fsync(folder.number());
}

}  // namespace berth
