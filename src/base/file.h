// Files, in the two ways Berth uses them: an input is read as one piece of text, and an output is
// either written completely or not at all.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace berth {

// A whole file, read-only. Small files are read; large ones are memory-mapped, so that an ONNX file
// costs only what is looked at and not its weights (map_guard.h is about what may happen to a
// mapping). Standard input is read once, up to kMostStreamBytes, and has the same text whenever it
// is asked for. Anything else, a device or a pipe, has no reliable end and is refused. Throws
// InputError when it cannot be opened, is a directory, and so on; OutsideError when it changes
// while it is read or there is no memory for it.
class InputFile {
 public:
  explicit InputFile(const std::string& path);
  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  void* mapping_ = nullptr;
  std::string owned_;
};

// Reads a regular file piece by piece, for optional uses: returns false, and never throws, where it
// cannot be read to its end.
bool read_in_pieces(const std::string& path, const std::function<void(std::string_view)>& use);

inline constexpr std::size_t kMostStreamBytes = std::size_t{1} << 30;

// "-", and the names the system has for the same.
bool is_standard_input(std::string_view path);
// What messages call an input: its path, or "standard input".
std::string input_name(const std::string& path);

// Writes to a temporary file beside `path`, flushes it to the disk and renames it: a reader or a
// power cut sees the old file or the new one, never half of one. A device or pipe such as
// /dev/stdout is written to directly. Throws as fail_on_file (file_error.h) does.
void write_file(const std::string& path, std::string_view content);

// Where the bytes of a file really go: renaming over a symbolic link would replace the link itself.
std::string resolve_links(const std::string& path);

}  // namespace berth
