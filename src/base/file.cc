#include "base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/file_error.h"
#include "base/map_guard.h"
#include "base/outside_error.h"

namespace berth {
namespace {

constexpr std::size_t kMostReadBytes = std::size_t{16} << 20;  // larger files are mapped

// Reads to the end, which may be elsewhere than the file system says; a device may have none.
std::string read_all(int descriptor, const std::string& path) {
  std::string content;
  std::size_t size = 0;
  for (;;) {
    constexpr std::size_t kChunk = 1 << 16;
    if (size > kMostStreamBytes) {
      throw InputError(
          fmt::format("{} is larger than {} GiB, the limit for standard input; name a file instead",
                      input_name(path), kMostStreamBytes >> 30));
    }
    if (content.size() < size + kChunk) {
      content.resize(std::min(2 * size + kChunk, kMostStreamBytes + kChunk));
    }
    const ssize_t count = ::read(descriptor, content.data() + size, content.size() - size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_on_file("read", path, errno);
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  content.resize(size);
  return content;
}

// It can be read only once, and a command may use one model for several cases.
const std::string& standard_input() {
  static const std::string text = read_all(STDIN_FILENO, "-");
  return text;
}

void require_regular(const struct stat& status, const std::string& path) {
  if (S_ISREG(status.st_mode)) return;
  if (S_ISDIR(status.st_mode)) fail_on_file("read", path, EISDIR);
  throw InputError(fmt::format(
      "{} is a {}; name a regular file, or - for standard input (at most {} GiB)", quoted(path),
      S_ISFIFO(status.st_mode) ? "pipe" : "device", kMostStreamBytes >> 30));
}

}  // namespace

bool is_standard_input(std::string_view path) {
  constexpr std::array<std::string_view, 4> kNames = {"-", "/dev/stdin", "/dev/fd/0",
                                                      "/proc/self/fd/0"};
  return std::find(kNames.begin(), kNames.end(), path) != kNames.end();
}

std::string input_name(const std::string& path) {
  return is_standard_input(path) ? "standard input" : path;
}

InputFile::InputFile(const std::string& path) {
  if (is_standard_input(path)) {
    text_ = standard_input();
    return;
  }
  // Non-blocking: opening a pipe would otherwise wait for a writer.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  if (file.number() < 0) fail_on_file("open", path, errno);
  struct stat status {};
  if (::fstat(file.number(), &status) != 0) fail_on_file("read", path, errno);
  require_regular(status, path);
  const auto size = static_cast<std::size_t>(status.st_size);
  if (size > kMostReadBytes) {
    void* mapping = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.number(), 0);
    if (mapping != MAP_FAILED) {
      mapping_ = mapping;
      text_ = {static_cast<const char*>(mapping), size};
      guard_mapping(text_, path);
      return;
    }
    if (errno != ENODEV) fail_on_file("read", path, errno);  // else a file system without maps
  }
  owned_ = read_all(file.number(), path);
  text_ = owned_;
  if (owned_.size() < size) throw OutsideError(shortened_sentence(path));
}

bool read_in_pieces(const std::string& path, const std::function<void(std::string_view)>& use) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (file.number() < 0 || ::fstat(file.number(), &status) != 0) return false;
  if (!S_ISREG(status.st_mode)) return false;
  std::string piece(std::size_t{1} << 20, '\0');
  for (;;) {
    const ssize_t count = ::read(file.number(), piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return count == 0;
    use(std::string_view(piece).substr(0, static_cast<std::size_t>(count)));
  }
}

InputFile::~InputFile() {
  if (!mapping_) return;
  release_mapping(text_);
  ::munmap(mapping_, text_.size());
}

}  // namespace berth
