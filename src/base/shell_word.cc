#include "base/shell_word.h"

#include "base/utf8.h"

namespace berth {

std::string shell_word(std::string_view word) {
  constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  if (!word.empty() && word.find_first_not_of(kSafe) == std::string_view::npos) {
    return std::string(word);
  }
  std::string out = "'";
  for (std::size_t at = 0; at < word.size();) {
    const CodePoint point = decode_utf8(word, at);
    const std::size_t length = point.length == 0 ? 1 : point.length;
    if (word[at] == '\'') {
      out += "'\\''";
    } else if (point.length > 0 && !is_control(point.value)) {
      out += word.substr(at, length);
    }
    at += length;
  }
  return out + "'";
}

}  // namespace berth
