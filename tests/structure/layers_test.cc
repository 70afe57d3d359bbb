// The folders of src/ keep to the order in which src/README.md lists them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace berth {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// First groups of all matches.
std::vector<std::string> all_matches(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern, std::regex::multiline);
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), regex), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

std::map<std::string, std::size_t> layer_order(const fs::path& source) {
  std::map<std::string, std::size_t> order;
  for (const std::string& name : all_matches(text_of(source / "README.md"), "^## (\\w+)$")) {
    order.emplace(name, order.size());
  }
  return order;
}

std::vector<std::string> folders_of(const fs::path& source) {
  std::vector<std::string> folders;
  for (const auto& entry : fs::directory_iterator(source)) {
    if (entry.is_directory()) folders.push_back(entry.path().filename());
  }
  return folders;
}

// "sim/program.cc includes place/placer.h", for every include of a folder further down.
std::vector<std::string> edges_against_order(const fs::path& source) {
  const std::map<std::string, std::size_t> order = layer_order(source);
  std::vector<std::string> wrong;
  for (const std::string& folder : folders_of(source)) {
    for (const auto& entry : fs::recursive_directory_iterator(source / folder)) {
      const std::string extension = entry.path().extension();
      if (extension != ".h" && extension != ".cc") continue;
      for (const std::string& header :
           all_matches(text_of(entry.path()), "^#include \"([^\"]+)\"")) {
        const auto included = order.find(header.substr(0, header.find('/')));
        if (included != order.end() && included->second <= order.at(folder)) continue;
        if (header.rfind("berth/", 0) == 0 && folder == "api") continue;  // what it implements
        wrong.push_back(fs::relative(entry.path(), source).string() + " includes " + header);
      }
    }
  }
  return wrong;
}

TEST(Layers, EveryFolderIsListed) {
  const auto order = layer_order(fs::path(BERTH_SOURCE) / "src");
  const std::string map = text_of(fs::path(BERTH_SOURCE) / "CONTRIBUTING.md");
  ASSERT_GT(order.size(), 10u);
  for (const std::string& folder : folders_of(fs::path(BERTH_SOURCE) / "src")) {
    EXPECT_TRUE(order.count(folder)) << "src/README.md has no section on " << folder;
    EXPECT_NE(map.find("src/" + folder), std::string::npos) << "CONTRIBUTING.md lacks " << folder;
  }
}

TEST(Layers, FoldersIncludeOnlyWhatStandsAboveThem) {
  EXPECT_EQ(edges_against_order(fs::path(BERTH_SOURCE) / "src"), std::vector<std::string>{});
}

TEST(Layers, AnEdgeAgainstTheOrderIsFound) {
  const fs::path source = fs::path(testing::TempDir()) / "layers";
  fs::create_directories(source / "low");
  fs::create_directories(source / "high");
  std::ofstream(source / "README.md") << "## low\n\n## high\n";
  std::ofstream(source / "low" / "a.h") << "#include \"high/b.h\"\n";
  std::ofstream(source / "high" / "b.h") << "#include \"low/c.h\"\n#include <vector>\n";
  EXPECT_EQ(edges_against_order(source), std::vector<std::string>{"low/a.h includes high/b.h"});
  fs::remove_all(source);
}

}  // namespace
}  // namespace berth
