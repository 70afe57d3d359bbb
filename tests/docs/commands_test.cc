// Runs the commands of README.md and of the pages in docs/ as a reader would, page by page in one
// folder, and holds what they print to what the page shows.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "cli/berth_process.h"
#include "docs/document.h"

namespace berth::docs {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = fs::path(BERTH_TEST_DATA).parent_path().parent_path();

std::string text_of(const fs::path& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> pages_with_commands() {
  std::vector<std::string> pages = {"README.md", "CONTRIBUTING.md", "policies/README.md"};
  for (const auto& entry : fs::directory_iterator(kSource / "docs")) {
    if (entry.path().extension() == ".md")
      pages.push_back("docs/" + entry.path().filename().string());
  }
  std::erase_if(pages, [](const std::string& page) {
    return text_of(kSource / page).find("berth ") == std::string::npos;
  });
  std::sort(pages.begin(), pages.end());
  return pages;
}

struct Ran {
  int status = 0;
  std::string out, error;
};

Ran run(const std::string& command, const cli::TemporaryDirectory& folder) {
  folder.write("command.sh", command + "\n");
  const std::string call = "cd '" + folder.path() + "' && PATH='" +
                           fs::path(BERTH_BINARY).parent_path().string() +
                           "':$PATH sh command.sh >command.out 2>command.err </dev/null";
  const int status = std::system(call.c_str());
  return {.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
          .out = folder.read("command.out"),
          .error = folder.read("command.err")};
}

#ifdef BERTH_HAS_LEARNED
constexpr bool kHasLearnedMethods = true;
#else
constexpr bool kHasLearnedMethods = false;
#endif

bool can_run(const Command& command) {
  return command.not_run.empty() && (kHasLearnedMethods || !command.needs_learned_methods);
}

class DocumentedCommands : public testing::TestWithParam<std::string> {};

TEST_P(DocumentedCommands, DoWhatThePageSays) {
  const cli::TemporaryDirectory folder;
  fs::create_directory_symlink(kSource / "policies", folder.file("policies"));
  const Page page = read_page(text_of(kSource / GetParam()));
  for (const auto& [name, text] : page.files) folder.write(name, text);
  for (const Command& command : page.commands) {
    if (!can_run(command)) continue;
    const Ran ran = run(command.text, folder);
    SCOPED_TRACE(GetParam() + ":" + std::to_string(command.line) + ": " + command.text);
    ASSERT_EQ(ran.status, command.exit_status) << ran.error;
    if (command.shown.empty()) continue;
    EXPECT_EQ(difference(command.shown, ran.out).value_or(""), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Pages, DocumentedCommands, testing::ValuesIn(pages_with_commands()),
                         [](const testing::TestParamInfo<std::string>& page) {
                           std::string name = page.param;
                           std::replace_if(
                               name.begin(), name.end(), [](char c) { return !std::isalnum(c); },
                               '_');
                           return name;
                         });

TEST(Document, TellsCommandsFromOutput) {
  const auto commands =
      read_page(
          "text with `berth zoo`\n"
          "```\n$ berth zoo\nfirst\nnext: berth place\n$ berth version\n```\n"
          "```json\n{\"a\": \"berth place\"}\n```\n"
          "```\nberth place a \\\n  -o b\nno command\ncat x | berth place -\n```\n")
          .commands;
  ASSERT_EQ(commands.size(), 4u);
  EXPECT_EQ(commands[0].line, 3);
  EXPECT_EQ(commands[0].text, "berth zoo");
  EXPECT_EQ(commands[0].shown, (std::vector<std::string>{"first", "next: berth place"}));
  EXPECT_TRUE(commands[1].shown.empty());
  EXPECT_EQ(commands[2].text, "berth place a   -o b");
  EXPECT_EQ(commands[3].text, "cat x | berth place -");
}

TEST(Document, FollowsTheCommentsBeforeABlock) {
  const auto commands =
      read_page(
          "<!-- not run: takes an hour -->\n```\nberth a\n```\n"
          "<!-- needs: learned methods -->\n<!-- exit status: 3 -->\n"
          "<!-- run with: --budget 5evals -->\n```\nberth b --budget 10min -o c\nberth d\n```\n"
          "```\nberth e --budget 1s\n```\n")
          .commands;
  ASSERT_EQ(commands.size(), 4u);
  EXPECT_EQ(commands[0].not_run, "takes an hour");
  EXPECT_EQ(commands[1].text, "berth b --budget 5evals -o c");
  EXPECT_TRUE(commands[1].needs_learned_methods);
  EXPECT_EQ(commands[1].exit_status, 3);
  EXPECT_EQ(commands[2].text, "berth d");
  EXPECT_EQ(commands[3].text, "berth e --budget 1s");
  EXPECT_EQ(commands[3].exit_status, 0);
}

TEST(Document, HasFiles) {
  const auto files = read_page("<!-- file: a.json -->\n```json\n{\n}\n```\n```\nb\n```\n").files;
  ASSERT_EQ(files.size(), 1u);
  EXPECT_EQ(files[0], (std::pair<std::string, std::string>("a.json", "{\n}\n")));
}

TEST(Document, RefusesWhatItDoesNotUnderstand) {
  EXPECT_THROW(read_page("<!-- notrun: why -->\n```\nberth a\n```\n"), std::runtime_error);
  EXPECT_THROW(read_page("<!-- not run: why -->\n\n```\nberth a\n```\n"), std::runtime_error);
  EXPECT_THROW(read_page("```\nberth a\n"), std::runtime_error);
}

TEST(Document, ComparesAllButTheTimeOfTheSearch) {
  EXPECT_EQ(difference({"a  b", "found in 1 s with 2"}, "a b\nfound in 3.5 ms with 2\n"),
            std::nullopt);
  EXPECT_EQ(difference({"auto  2.1 s  4.43 ms  2"}, "auto 2.1 s 1 s 2\n"), std::nullopt);
  EXPECT_NE(difference({"auto  2.1 s  4.43 ms  2"}, "auto 2.2 s 4.43 ms 2\n"), std::nullopt);
  EXPECT_NE(difference({"a", "b"}, "a\n"), std::nullopt);
  EXPECT_NE(difference({"a"}, "a\nb\n"), std::nullopt);
  EXPECT_EQ(difference({"a", "...", "d"}, "a\nb\nc\nd\n"), std::nullopt);
  EXPECT_EQ(difference({"...", "c"}, "a\nb\nc\n"), std::nullopt);
  EXPECT_EQ(difference({"a", "..."}, "a\nb\n"), std::nullopt);
  EXPECT_NE(difference({"...", "d"}, "a\nb\n"), std::nullopt);
}

}  // namespace
}  // namespace berth::docs
