// Files, in the two ways Berth touches them: the whole of an input seen as one piece of text, and
// an output that is either there complete or not there at all.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// A whole file, read-only, memory-mapped where that is possible (pipes and the like are read).
// Throws InputError when it cannot be opened, is a directory, and so on.
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

// Writes to a temporary file beside `path`, flushes it to the disk and renames it: a reader or a
// power cut sees the old file or the new one, never half of one. A device or pipe such as
// /dev/stdout is written to directly. Throws InputError naming the path and the cause.
void write_file(const std::string& path, std::string_view content);

}  // namespace berth
