#include "place/learned/own_folders.h"

#include <dlfcn.h>

#include <algorithm>

namespace berth::place {

namespace fs = std::filesystem;

std::vector<fs::path> own_folders() {
  std::vector<fs::path> folders;
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  if (!error) folders.push_back(program.parent_path());
  Dl_info self{};
  if (dladdr(reinterpret_cast<const void*>(&own_folders), &self) == 0) return folders;
  const fs::path library = fs::canonical(self.dli_fname, error);
  if (!error && std::ranges::find(folders, library.parent_path()) == folders.end()) {
    folders.push_back(library.parent_path());
  }
  return folders;
}

}  // namespace berth::place
