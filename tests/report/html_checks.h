// What tests ask of a page: that it is well-formed, and how often something is in it.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace berth::report {

// Every tag that is opened is closed, in order; void elements apart.
inline std::string first_unbalanced_tag(const std::string& html) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-zA-Z0-9]+)((?:[^>\"]|\"[^\"]*\")*)>");
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    std::smatch match;
    const auto begin = html.begin() + static_cast<std::ptrdiff_t>(at);
    const auto flags = std::regex_constants::match_continuous;
    if (!std::regex_search(begin, html.end(), match, tag, flags)) continue;
    const std::string name = match[2];
    if (name == "meta" || name == "wbr" || match[3].str().ends_with('/')) continue;
    if (match[1].length() == 0) {
      open.push_back(name);
      // Nothing inside a style or script is a tag.
      if (name == "style" || name == "script") at = html.find("</" + name, at) - 1;
    } else {
      if (open.empty() || open.back() != name) return "</" + name + ">";
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

// How often the part is in the text.
inline std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

}  // namespace berth::report
