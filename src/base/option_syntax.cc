// The syntax of calls and lists; what the options mean is in options.cc.
#include <fmt/format.h>

#include "base/decimal.h"
#include "base/error.h"
#include "base/options.h"

namespace berth {
namespace {

bool is_name_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '+' || c == '.' || c == '-';
}

std::size_t name_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && is_name_letter(text[length])) ++length;
  return length;
}

// The pieces between separators outside parentheses, trimmed. `whole` is what the user wrote, for
// messages.
std::vector<std::string_view> split_outside(std::string_view text, char separator,
                                            std::string_view whole) {
  std::vector<std::string_view> pieces;
  std::size_t begin = 0;
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '(') ++depth;
    if (c == ')' && depth-- == 0) {
      throw InputError(
          fmt::format("{} has a closing parenthesis without an opening one", quoted(whole)));
    }
    if (c != separator || depth > 0) continue;
    pieces.push_back(trimmed(text.substr(begin, at - begin)));
    begin = at + 1;
  }
  if (depth > 0) {
    throw InputError(fmt::format("{} is missing a closing parenthesis", quoted(whole)));
  }
  pieces.push_back(trimmed(text.substr(begin)));
  return pieces;
}

// Adds NAME=VALUE; false if the piece is not of that form.
bool add_option(std::string_view piece, Call& call) {
  const std::size_t length = name_length(piece);
  const std::string_view rest = trimmed(piece.substr(length));
  if (length == 0 || !rest.starts_with('=')) return false;
  call.options.emplace_back(piece.substr(0, length), trimmed(rest.substr(1)));
  return true;
}

[[noreturn]] void fail_option(std::string_view whole, std::string_view piece) {
  throw InputError(fmt::format("{} in {} is not an option; write NAME=VALUE",
                               piece.empty() ? "an empty piece" : quoted(piece), quoted(whole)));
}

}  // namespace

Call parse_call(std::string_view text) {
  const std::string_view whole = trimmed(text);
  if (whole.empty()) throw InputError("a name is expected but the text is empty");
  Call call;
  const std::size_t length = name_length(whole);
  call.name = whole.substr(0, length);
  const std::string_view rest = trimmed(whole.substr(length));
  if (length == 0 || (!rest.empty() && rest[0] != '(' && rest[0] != ':')) {
    throw InputError(
        fmt::format("{} is not a name with options; write NAME, NAME(option=value,...) or "
                    "NAME:option=value:...",
                    quoted(whole)));
  }
  if (rest.empty()) return call;
  if (rest[0] == ':') {
    for (const std::string_view piece : split_outside(rest.substr(1), ':', whole)) {
      if (add_option(piece, call)) continue;
      if (piece.empty() || call.options.empty()) fail_option(whole, piece);
      call.options.back().second += ':';
      call.options.back().second += piece;
    }
    return call;
  }
  // One piece, for the check that parentheses pair up.
  split_outside(rest, '\0', whole);
  std::size_t depth = 0;
  std::size_t close = 0;
  for (; close < rest.size(); ++close) {
    if (rest[close] == '(') ++depth;
    if (rest[close] == ')' && --depth == 0) break;
  }
  if (close + 1 < rest.size()) {
    throw InputError(fmt::format("{} follows the closing parenthesis in {}",
                                 quoted(trimmed(rest.substr(close + 1))), quoted(whole)));
  }
  const std::string_view inside = trimmed(rest.substr(1, close - 1));
  if (inside.empty()) return call;
  for (const std::string_view piece : split_outside(inside, ',', whole)) {
    if (!add_option(piece, call)) fail_option(whole, piece);
  }
  return call;
}

std::vector<std::string> split_list(std::string_view text) {
  std::vector<std::string> items;
  for (const std::string_view piece : split_outside(text, ',', text)) {
    if (piece.empty()) {
      throw InputError(fmt::format("the list {} has an empty item", quoted(text)));
    }
    items.emplace_back(piece);
  }
  return items;
}

}  // namespace berth
