#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <system_error>

#include "base/error.h"
#include "base/sha256.h"

namespace berth {
namespace {

[[noreturn]] void fail(std::string_view action, const std::string& path, int error) {
  throw InputError(fmt::format("cannot {} {}: {}", action, quoted(path),
                               std::generic_category().message(error)));
}

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const { return number_; }

 private:
  int number_;
};

std::string read_all(int descriptor, const std::string& path) {
  std::string content;
  std::size_t size = 0;
  for (;;) {
    constexpr std::size_t kChunk = 1 << 16;
    if (content.size() < size + kChunk) content.resize(2 * size + kChunk);
    const ssize_t count = ::read(descriptor, content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("read", path, errno);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  content.resize(size);
  return content;
}

bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t count = ::write(descriptor, content.data(), content.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

void write_directly(const std::string& path, std::string_view content) {
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.number() < 0 || !write_all(file.number(), content)) fail("write", path, errno);
}

// Where the bytes really go: renaming over a symbolic link would replace the link itself.
std::string resolve_links(const std::string& path) {
  char* resolved = ::realpath(path.c_str(), nullptr);
  if (!resolved) return path;
  std::string result = resolved;
  std::free(resolved);
  return result;
}

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// A temporary file that is gone again unless it was renamed.
//
// Its name follows from the target's, so that the one a killed process leaves behind is taken over
// by the next who writes there and they do not pile up. A lock says who is at it; a second writer
// at the same time takes a name of its own.
class TemporaryFile {
 public:
  TemporaryFile(const std::string& directory, const std::string& target, mode_t mode) {
    const std::string name = target.substr(target.rfind('/') + 1);
    path_ = fmt::format("{}/.berth-{}.tmp", directory, sha256_hex(name).substr(0, 16));
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, mode);
    if (is_mine() && ::ftruncate(descriptor_, 0) == 0) return;
    if (descriptor_ >= 0) ::close(descriptor_);
    open_unique(directory, mode);
  }
  ~TemporaryFile() {
    if (!path_.empty()) ::unlink(path_.c_str());
    // Closing gives the lock away, so only when the name is no longer there to be taken.
    if (descriptor_ >= 0) ::close(descriptor_);
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
  // Between opening and locking another may have renamed the file, and it is the target by now.
  bool is_mine() const {
    struct stat opened {};
    struct stat named {};
    return descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 &&
           ::fstat(descriptor_, &opened) == 0 && S_ISREG(opened.st_mode) && opened.st_nlink == 1 &&
           ::lstat(path_.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
  }

  void open_unique(const std::string& directory, mode_t mode) {
    static std::atomic<unsigned> counter{0};
    do {
      path_ = fmt::format("{}/.berth-{}-{}.tmp", directory, ::getpid(), counter++);
      descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    } while (descriptor_ < 0 && errno == EEXIST);
    if (descriptor_ < 0) path_.clear();
  }

  std::string path_;
  int descriptor_ = -1;
};

}  // namespace

InputFile::InputFile(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.number() < 0) fail("open", path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail("read", path, errno);
  if (S_ISDIR(status.st_mode)) fail("read", path, EISDIR);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (S_ISREG(status.st_mode) && size > 0) {
    void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (mapping != MAP_FAILED) {
      mapping_ = mapping;
      text_ = {static_cast<const char*>(mapping), size};
      return;
    }
  }
  owned_ = read_all(file.number(), path);
  text_ = owned_;
}

InputFile::~InputFile() {
  if (mapping_) ::munmap(mapping_, text_.size());
}

void write_file(const std::string& path, std::string_view content) {
  if (path.empty()) throw InputError("cannot write a file without a name");
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode)) fail("write", path, EISDIR);
  if (exists && !S_ISREG(status.st_mode)) return write_directly(path, content);
  // The rename would succeed on a file its owner has made read-only.
  if (exists && ::access(path.c_str(), W_OK) != 0) fail("write", path, errno);

  const std::string target = resolve_links(path);
  const std::string directory = directory_of(target);
  TemporaryFile temporary(directory, target, exists ? status.st_mode & 07777 : 0666);
  const int file = temporary.descriptor();
  if (file < 0) fail("write", path, errno);
  if (exists) (void)!::fchmod(file, status.st_mode & 07777);
  if (!write_all(file, content) || ::fsync(file) != 0) fail("write", path, errno);
  if (!temporary.rename_to(target)) fail("write", path, errno);

  // The rename itself must survive a power cut too. Some file systems cannot sync a directory;
  // the file is complete all the same.
  const Descriptor folder(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.number() >= 0) (void)!::fsync(folder.number());
}

}  // namespace berth
