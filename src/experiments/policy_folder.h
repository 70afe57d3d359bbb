// A folder of policy files, one per method: the user's, or one of its own that goes with it.
#pragma once

#include <filesystem>
#include <string>

namespace berth::experiments {

class PolicyFolder {
 public:
  // `named` is made if it is not there; empty for a temporary folder. Throws InputError.
  explicit PolicyFolder(const std::string& named);
  ~PolicyFolder();
  PolicyFolder(const PolicyFolder&) = delete;
  PolicyFolder& operator=(const PolicyFolder&) = delete;

  std::string file(const std::string& method) const;

 private:
  bool kept_;
  std::filesystem::path path_;
};

}  // namespace berth::experiments
