#include "docs/document.h"

#include <fmt/format.h>

#include <regex>
#include <sstream>
#include <stdexcept>

namespace berth::docs {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

// How the commands of one block are to be run.
struct Manner {
  Command command;                 // everything but line, text and output
  std::vector<std::string> words;  // options and the values they get, by turns
  std::string file;                // the name of the file that the block is
};

void read_comment(const std::string& line, int number, Manner& manner) {
  static const std::regex kComment(
      "<!-- (not run|needs|run with|exit status|file|quote): (.+) -->");
  std::smatch found;
  if (!std::regex_match(line, found, kComment)) {
    throw std::runtime_error(fmt::format("line {}: unknown comment {}", number, line));
  }
  const std::string kind = found[1], value = found[2];
  if (kind == "not run") manner.command.not_run = value;
  if (kind == "file") manner.file = value;
  if (kind == "exit status") manner.command.exit_status = std::stoi(value);
  if (kind == "needs") {
    if (value != "learned methods") {
      throw std::runtime_error(fmt::format("line {}: unknown need {}", number, value));
    }
    manner.command.needs_learned_methods = true;
  }
  if (kind == "run with") {
    std::istringstream stream(value);
    for (std::string word; stream >> word;) manner.words.push_back(word);
  }
}

std::string with_values(std::string text, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
    text = std::regex_replace(text, std::regex(words[i] + " \\S+"), words[i] + " " + words[i + 1]);
  }
  return text;
}

bool calls_berth(const std::string& line) {
  static const std::regex kCall("(^|.*[|;&] *)berth .*");
  return std::regex_match(line, kCall);
}

bool has_prompt(const std::string& line) { return line.rfind("$ ", 0) == 0; }

struct Block {
  int first_line = 0;  // of its text
  std::vector<std::string> lines;
  Manner manner;
};

void read_block(const Block& block, std::vector<Command>& commands) {
  bool prompts = false;
  for (const std::string& line : block.lines) prompts |= has_prompt(line);
  bool shows = false;  // the lines at hand are output of the last command
  for (std::size_t i = 0; i < block.lines.size(); ++i) {
    const int number = block.first_line + static_cast<int>(i);
    std::string text = block.lines[i];
    if (prompts ? !has_prompt(text) : !calls_berth(text)) {
      if (prompts && shows) commands.back().shown.push_back(text);
      continue;
    }
    if (prompts) text = text.substr(2);
    while (text.back() == '\\' && i + 1 < block.lines.size()) {
      text.pop_back();
      text += block.lines[++i];
    }
    Command command = block.manner.command;
    command.line = number;
    command.text = with_values(text, block.manner.words);
    commands.push_back(std::move(command));
    shows = true;
  }
}

std::string normal(const std::string& line) {
  static const std::regex kSpaces("\\s+"), kEnds("^ | $");
  static const std::regex kFound("found in [0-9.]+ (us|ms|s|min)");
  // The last two columns of a comparison.
  static const std::regex kSearch("[0-9.]+ (us|ms|s|min) ([0-9,]+)$");
  std::string result = std::regex_replace(line, kSpaces, " ");
  result = std::regex_replace(result, kEnds, "");
  result = std::regex_replace(result, kFound, "found in TIME");
  return std::regex_replace(result, kSearch, "TIME $2");
}

}  // namespace

Page read_page(const std::string& text) {
  const std::vector<std::string> lines = lines_of(text);
  Page page;
  Manner manner;
  bool commented = false;  // the line before was a comment
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const int number = static_cast<int>(i) + 1;
    if (lines[i].rfind("<!--", 0) == 0) {
      read_comment(lines[i], number, manner);
      commented = true;
      continue;
    }
    if (lines[i].rfind("```", 0) != 0) {
      if (commented) throw std::runtime_error(fmt::format("line {}: no block follows", number));
      continue;
    }
    Block block{.first_line = number + 1, .lines = {}, .manner = manner};
    while (++i < lines.size() && lines[i] != "```") block.lines.push_back(lines[i]);
    if (i == lines.size()) throw std::runtime_error(fmt::format("line {}: no end", number));
    const std::string language = lines[static_cast<std::size_t>(number - 1)].substr(3);
    if (!manner.file.empty()) page.files.emplace_back(manner.file, joined(block.lines));
    if (language != "cpp" && language != "json") read_block(block, page.commands);
    manner = {};
    commented = false;
  }
  return page;
}

std::optional<std::string> difference(const std::vector<std::string>& shown,
                                      const std::string& printed) {
  const std::vector<std::string> lines = lines_of(printed);
  std::size_t at = 0;
  bool anything = false;  // lines may come before the one at hand
  for (const std::string& line : shown) {
    if (line == "...") {
      anything = true;
      continue;
    }
    const std::size_t from = at;
    while (anything && at < lines.size() && normal(lines[at]) != normal(line)) ++at;
    if (at == lines.size() && anything) return fmt::format("no such line after {}: {}", from, line);
    if (at == lines.size()) return fmt::format("nothing was printed for the line: {}", line);
    if (normal(lines[at]) != normal(line)) {
      return fmt::format("the page shows: {}\nprinted was:    {}", line, lines[at]);
    }
    ++at;
    anything = false;
  }
  // The last lines may be blank, as the end of a block is.
  for (; !anything && at < lines.size(); ++at) {
    if (!normal(lines[at]).empty()) return "the page does not show: " + lines[at];
  }
  return std::nullopt;
}

}  // namespace berth::docs
