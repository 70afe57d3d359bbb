// The manual page and the completions: they hold all that the commands take, and real shells
// complete by them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <regex>
#include <set>

#include "cli/berth_process.h"

namespace berth::cli {
namespace {

class Documents : public testing::Test {
 protected:
  std::string berth(const std::vector<std::string>& words) const {
    const ProcessResult result = run_berth(directory, words);
    EXPECT_EQ(result.status, 0) << result.error;
    return result.out;
  }

  // What a shell's script prints, run in the directory.
  std::string run(const std::string& shell, const std::string& script) const {
    directory.write("script", script);
    const std::string line =
        "cd '" + directory.path() + "' && " + shell + " script > printed 2>&1 </dev/null";
    EXPECT_EQ(std::system(line.c_str()), 0) << line;
    return directory.read("printed");
  }

  // Every command with a help of its own, as words.
  std::vector<std::vector<std::string>> all_commands() const {
    std::vector<std::vector<std::string>> all = {
        {"bench", "search"}, {"bench", "generalize"}, {"bench", "learn"}};
    const std::string overview = berth({});
    const std::regex row("\n  ([a-z]+) {2,}");
    for (std::sregex_iterator match(overview.begin(), overview.end(), row), end; match != end;
         ++match) {
      all.push_back({(*match)[1]});
    }
    EXPECT_GE(all.size(), 15u) << overview;
    return all;
  }

  std::set<std::string> flags_in_help(std::vector<std::string> command) const {
    command.emplace_back("--help");
    const std::string help = berth(command);
    const std::regex option("\n  (-[a-z], |    )(--[a-z-]+)");
    std::set<std::string> flags;
    for (std::sregex_iterator match(help.begin(), help.end(), option), end; match != end; ++match) {
      flags.insert((*match)[2]);
      const std::string brief = (*match)[1];
      if (brief.front() == '-') flags.insert(brief.substr(0, 2));
    }
    EXPECT_FALSE(flags.empty()) << help;
    return flags;
  }

  TemporaryDirectory directory;
};

std::string title_of(const std::vector<std::string>& command) {
  std::string title = "berth";
  for (const std::string& word : command) title += " " + word;
  return title;
}

TEST_F(Documents, TheManualHasEveryFlagOfEveryCommand) {
  const std::string page = berth({"manual"});
  for (const auto& command : all_commands()) {
    const std::string heading = ".SS " + title_of(command) + "\n";
    const std::size_t begin = page.find(heading);
    ASSERT_NE(begin, std::string::npos) << heading;
    const std::string section = page.substr(begin, page.find("\n.S", begin + 1) - begin);
    for (const std::string& flag : flags_in_help(command)) {
      const std::string escaped = std::regex_replace(flag, std::regex("-"), "\\-");
      EXPECT_NE(section.find("\\fB" + escaped + "\\fR"), std::string::npos)
          << heading << flag << '\n'
          << section;
    }
  }
}

TEST_F(Documents, TheManualIsPlainRoff) {
  const std::string page = berth({"manual"});
  EXPECT_EQ(page.find(".\\\" Made"), 0u);
  // Requests are those of man(7); a sentence that began with a point would be one that is not.
  const std::regex request("\n\\.([A-Za-z]+)");
  const std::set<std::string> known = {"TH", "SH", "SS", "TP", "PP", "nf", "fi", "RS", "RE"};
  for (std::sregex_iterator match(page.begin(), page.end(), request), end; match != end; ++match) {
    EXPECT_TRUE(known.contains((*match)[1])) << (*match)[0];
  }
}

TEST_F(Documents, HiddenCommandsAreNotInTheOverview) {
  EXPECT_EQ(berth({}).find("completion"), std::string::npos);
  EXPECT_EQ(berth({"manual"}).find("berth completion"), std::string::npos);
  expect_refused(run_berth(directory, {"completion", "fish"}), {"bash and zsh", "\"fish\""});
  expect_refused(run_berth(directory, {"completion"}), {"berth completion needs SHELL"});
}

TEST_F(Documents, BashCompletesAllFlags) {
  directory.write("berth.bash", berth({"completion", "bash"}));
  for (const auto& command : all_commands()) {
    const std::string line = title_of(command) + " -";
    const std::string printed =
        run("bash", "source ./berth.bash\nCOMP_LINE='" + line +
                        "' COMP_POINT=${#COMP_LINE}\n_berth\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    std::set<std::string> completed;
    for (std::size_t at = 0; at < printed.size(); at = printed.find('\n', at) + 1) {
      completed.insert(printed.substr(at, printed.find('\n', at) - at));
    }
    EXPECT_EQ(completed, flags_in_help(command)) << line;
  }
}

// Lines as they are typed, and what bash puts in place of their last word.
TEST_F(Documents, BashCompletesValues) {
  directory.write("berth.bash", berth({"completion", "bash"}));
  directory.write("model.onnx", "");
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"berth pl", "place"},
      {"berth bench gen", "generalize"},
      {"berth place zoo:gp", "gpt"},  // bash has "zoo:" already
      {"berth place --seed 1 --json zoo:gp", "gpt"},
      {"berth place zoo:gpt -c 2xP1", "2xP100"},
      {"berth place zoo:gpt --cluster=2xP1", "2xP100"},
      {"berth place zoo:gpt -c 2xP100 -m hef", "heft"},
      {"berth compare zoo:gpt -m topo,hef", "topo,heft"},
      {"berth sweep zoo:gpt -c 2xP100,lap", "2xP100,laptop"},
      {"berth train -m heft", ""},  // which does not learn
      {"berth train --on zoo:gp", "gpt"},
      {"berth place model.onnx --mode inf", "inference"},
      {"berth place zoo:gpt --seed m", ""},
      {"berth zoo rnn", "rnnlm"},
      {"berth convert lap", "laptop"},
      {"berth nonsense --clus", ""}};
  std::string script = "source ./berth.bash\ncomplete -p berth\n";
  std::string expected = "complete -o default -F _berth berth\n";
  for (const auto& [line, completed] : cases) {
    script += "COMP_LINE='" + line +
              "' COMP_POINT=${#COMP_LINE}\n_berth\necho \"$COMP_LINE => ${COMPREPLY[*]}\"\n";
    expected += fmt::format("{} => {}\n", line, completed);
  }
  EXPECT_EQ(run("bash", script), expected);
}

// Types into a zsh on a terminal of its own, where `berth` prints the words it was called with.
TEST_F(Documents, ZshCompletes) {
  if (std::system("command -v zsh >/dev/null") != 0) GTEST_SKIP() << "zsh is not installed";
  directory.write("_berth", berth({"completion", "zsh"}));
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"berth pla", "place"},
      {"berth place zoo:gp\\t --clus", "place zoo:gpt --cluster"},
      {"berth place zoo:gpt --cluster 4xP100-", "place zoo:gpt --cluster 4xP100-12GB"},
      {"berth train -m col", "train -m colocrl"},
      {"berth bench gen\\t --tra", "bench generalize --train"},
      {"berth compare zoo:bert -m topo,rou", "compare zoo:bert -m topo,round_robin"}};
  std::string script =
      "zmodload zsh/zpty\nzpty shell TERM=dumb zsh -f -i\n"
      "zpty -w shell 'fpath=($PWD $fpath); autoload -Uz compinit; compinit -u -D'\n"
      "zpty -w shell 'berth() { print -r -- \"ran:$*:\" }; bindkey \"^I\" complete-word'\n";
  for (const auto& [line, ran] : cases) script += "zpty -w shell $'" + line + "\\t'\n";
  script += "zpty -w shell exit\nwhile zpty -r shell text; do print -rn -- \"$text\"; done\n";
  const std::string printed = run("zsh -f", script);
  for (const auto& [line, ran] : cases) {
    EXPECT_NE(printed.find("ran:" + ran + ":"), std::string::npos) << line << '\n' << printed;
  }
}

}  // namespace
}  // namespace berth::cli
