#include "experiments/policy_folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/error.h"
#include "report/text.h"

namespace berth::experiments {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestName = 100;

}  // namespace

PolicyFolder::PolicyFolder(const std::string& named) : kept_(!named.empty()), path_(named) {
  std::error_code error;
  if (kept_) {
    fs::create_directories(path_, error);
    if (!error) return;
    throw InputError(fmt::format("cannot make the folder {}: {}", quoted(named), error.message()),
                     {.code = ErrorCode::bad_option, .subject = "policies"});
  }
  std::string pattern = (fs::temp_directory_path() / "berth-policies-XXXXXX").string();
  if (!mkdtemp(pattern.data())) {
    throw InputError(fmt::format("cannot make a folder in {}; name one for the policies",
                                 quoted(fs::temp_directory_path().string())),
                     {.code = ErrorCode::bad_option, .subject = "policies"});
  }
  path_ = pattern;
}

PolicyFolder::~PolicyFolder() {
  std::error_code ignored;
  if (!kept_) fs::remove_all(path_, ignored);
}

std::string PolicyFolder::file(const std::string& method) const {
  std::string name = report::plain_name(method, kLongestName);
  std::ranges::replace(name, '/', '_');  // a start or a policy may be named by its path
  return (path_ / (name + ".policy")).string();
}

}  // namespace berth::experiments
