// The messages of JsonReader: where, what was expected, what was found. Lines are counted only when
// a message is made.
#include <fmt/format.h>

#include "base/error.h"
#include "base/json_reader.h"

namespace berth {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

// The raw text between the quotes, as far as it goes: it may well be broken.
std::string_view raw_string(std::string_view text, std::size_t begin) {
  std::size_t end = begin;
  while (end < text.size() && text[end] != '"' && end - begin < 200) {
    end += text[end] == '\\' ? 2 : 1;
  }
  return text.substr(begin, end - begin);
}

}  // namespace

std::string JsonReader::line_and_column(std::size_t position, std::string_view separator) const {
  std::size_t line = 1;
  std::size_t line_begin = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  for (std::size_t at = 0; at < position && at < text_.size(); ++at) {
    if (text_[at] != '\n') continue;
    ++line;
    line_begin = at + 1;
  }
  // Columns count characters, as editors do, not bytes.
  std::size_t column = 1;
  for (std::size_t at = line_begin; at < position && at < text_.size(); ++at) {
    if ((static_cast<unsigned char>(text_[at]) & 0xc0) != 0x80) ++column;
  }
  return fmt::format("{}{}{}", line, separator, column);
}

std::string JsonReader::locate(std::size_t position) const {
  return fmt::format("{}:{}", source_, line_and_column(position, ":"));
}

void JsonReader::fail_at(std::size_t position, const std::string& sentence) const {
  fail_at(position, sentence, {.code = ErrorCode::bad_file});
}

void JsonReader::fail_at(std::size_t position, const std::string& sentence,
                         ErrorFacts facts) const {
  facts.place = locate(position);
  const std::string located = fmt::format("{}: {}", facts.place, sentence);
  throw InputError(located, std::move(facts));
}

std::string JsonReader::describe_here() const {
  if (at_ >= text_.size()) return "the end of the text";
  const char c = text_[at_];
  const auto byte = static_cast<unsigned char>(c);
  if (c == '{') return "an object";
  if (c == '[') return "an array";
  if (c == '"') return "the string " + quoted(raw_string(text_, at_ + 1));
  if (c == '-' || (c >= '0' && c <= '9')) {
    const std::size_t end = std::min(text_.find_first_not_of("+-.0123456789eE", at_), text_.size());
    return fmt::format("the number {}", text_.substr(at_, std::min<std::size_t>(end - at_, 40)));
  }
  if (is_letter(c)) {
    std::size_t end = at_;
    while (end < text_.size() && is_letter(text_[end])) ++end;
    const std::string_view word = text_.substr(at_, end - at_);
    if (word == "true" || word == "false" || word == "null") return std::string(word);
    return "the word " + quoted(word);
  }
  if (byte > 0x20 && byte < 0x7f) return fmt::format("'{}'", c);
  return fmt::format("the byte 0x{:02x}", byte);
}

void JsonReader::fail_expected(std::string_view expected) const {
  const std::string_view before = text_.substr(0, at_);
  const bool nothing_before = before.find_first_not_of(" \t\r\n\xef\xbb\xbf") == before.npos;
  if (at_ < text_.size()) {
    const auto byte = static_cast<unsigned char>(text_[at_]);
    if (text_.starts_with("\xff\xfe") || text_.starts_with("\xfe\xff")) {
      fail_at(at_, "the text is in UTF-16; JSON is written in UTF-8");
    }
    const bool binary = nothing_before && (byte < 0x20 || byte >= 0x7f);
    fail_at(at_, fmt::format("expected {} but found {}{}", expected, describe_here(),
                             binary ? "; this is not a JSON text" : ""));
  }
  if (nothing_before) fail_at(at_, fmt::format("expected {} but the text is empty", expected));
  if (open_.empty()) fail_at(at_, fmt::format("expected {} but the text ends here", expected));
  fail_at(at_, fmt::format("the text ends inside the {} that was opened at line {}",
                           open_.back().bracket == '{' ? "object" : "array",
                           line_and_column(open_.back().position, ", column ")));
}

}  // namespace berth
