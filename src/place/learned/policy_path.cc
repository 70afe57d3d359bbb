#include "place/learned/policy_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/error.h"
#include "place/learned/own_folders.h"

namespace berth::place {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnding = ".policy";

std::vector<fs::path> policy_folders() {
  std::vector<fs::path> folders;
  if (const char* named = std::getenv("BERTH_POLICY_PATH")) {
    std::string_view rest = named;
    while (!rest.empty()) {
      const std::string_view folder = rest.substr(0, rest.find(':'));
      rest.remove_prefix(std::min(folder.size() + 1, rest.size()));
      if (!folder.empty()) folders.emplace_back(folder);
    }
  }
  for (const fs::path& own : own_folders()) {
    const fs::path parent = own.parent_path();
    folders.push_back(parent / "share" / "berth" / "policies");
    folders.push_back(parent / "policies");
    // A library may be two folders below its prefix, as in lib/x86_64-linux-gnu.
    constexpr std::string_view kLibraries = "/" BERTH_INSTALL_LIBDIR;
    const std::string text = own.string();
    if (!text.ends_with(kLibraries)) continue;
    const fs::path prefix = text.substr(0, text.size() - kLibraries.size());
    if (prefix != parent) folders.push_back(prefix / "share" / "berth" / "policies");
  }
  return folders;
}

bool is_name(std::string_view word) {
  return !word.empty() && word != "-" && word.find_first_of("/.") == std::string_view::npos;
}

}  // namespace

std::vector<std::string> policy_names() {
  std::vector<std::string> names;
  for (const fs::path& folder : policy_folders()) {
    std::error_code error;
    // A folder that is missing or closed to the user has no policies for them.
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      const fs::path& path = entry->path();
      if (path.extension() == kEnding && is_name(path.stem().string())) {
        names.push_back(path.stem().string());
      }
    }
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string find_policy(const std::string& named) {
  std::error_code error;
  if (!is_name(named) || fs::exists(named, error)) return named;
  for (const fs::path& folder : policy_folders()) {
    const fs::path path = folder / (named + kEnding);
    if (fs::exists(path, error)) return path.string();
  }
  const std::vector<std::string> known = policy_names();
  const std::string others = known.empty()
                                 ? "no policy is installed either"
                                 : fmt::format("the installed policies are {}", join_names(known));
  throw InputError(fmt::format("there is no policy {}: no file has that name, and {}{}",
                               quoted(named), others, did_you_mean(named, known)),
                   {.code = ErrorCode::unknown_name, .subject = named});
}

}  // namespace berth::place
