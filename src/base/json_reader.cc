#include "base/json_reader.h"

#include <fmt/format.h>

#include <cassert>

#include "base/error.h"

namespace berth {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

JsonReader::JsonReader(std::string_view text, std::string_view source)
    : text_(text), source_(source) {
  // Editors on Windows write the mark; it has no meaning, and the rest of the text is fine.
  if (text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  token_start_ = at_;
  open_.reserve(kMaxDepth);
}

void JsonReader::skip_space() {
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
    ++at_;
  }
}

void JsonReader::begin_value(std::string_view expected) {
  skip_space();
  token_start_ = at_;
  if (at_ == text_.size()) fail_expected(expected);
}

JsonReader::Kind JsonReader::peek() {
  begin_value("a value");
  switch (text_[at_]) {
    case '{':
      return Kind::object;
    case '[':
      return Kind::array;
    case '"':
      return Kind::string;
    case 't':
    case 'f':
      return Kind::boolean;
    case 'n':
      return Kind::null;
    default:
      if (text_[at_] == '-' || is_digit(text_[at_])) return Kind::number;
      fail_expected("a value");
  }
}

void JsonReader::open(char bracket, std::string_view expected) {
  begin_value(expected);
  if (text_[at_] != bracket) fail_expected(expected);
  if (open_.size() == kMaxDepth) {
    fail(fmt::format("objects and arrays are nested more than {} deep", kMaxDepth));
  }
  open_.push_back({bracket, at_});
  ++at_;
  first_in_container_ = true;
}

void JsonReader::close() {
  ++at_;
  open_.pop_back();
  first_in_container_ = false;
}

void JsonReader::begin_object() { open('{', "an object"); }

void JsonReader::begin_array() { open('[', "an array"); }

// Moves to the next entry of the container (false), or past its end (true).
bool JsonReader::at_separator_or_end(char closing) {
  skip_space();
  const bool object = closing == '}';
  if (at_ < text_.size() && text_[at_] == closing) {
    close();
    return true;
  }
  if (first_in_container_) {
    first_in_container_ = false;
    return false;
  }
  if (at_ == text_.size() || text_[at_] != ',') fail_expected(object ? "',' or '}'" : "',' or ']'");
  const std::size_t comma = at_++;
  skip_space();
  if (at_ < text_.size() && text_[at_] == closing) {
    fail_at(comma, object ? "a comma may not be followed by the end of the object"
                          : "a comma may not be followed by the end of the array");
  }
  return false;
}

std::optional<std::string_view> JsonReader::next_key() {
  assert(!open_.empty() && open_.back().bracket == '{');
  if (at_separator_or_end('}')) return std::nullopt;
  token_start_ = at_;
  if (at_ == text_.size() || text_[at_] != '"') fail_expected("a key in double quotes");
  const std::string_view key = string_token();
  skip_space();
  if (at_ == text_.size() || text_[at_] != ':') fail_expected("':' after the key " + quoted(key));
  ++at_;
  return key;
}

bool JsonReader::next_element() {
  assert(!open_.empty() && open_.back().bracket == '[');
  return !at_separator_or_end(']');
}

std::string_view JsonReader::read_string() {
  begin_value("a string");
  if (text_[at_] != '"') fail_expected("a string");
  return string_token();
}

bool JsonReader::read_bool() {
  begin_value("true or false");
  const bool value = text_[at_] == 't';
  if (!value && text_[at_] != 'f') fail_expected("true or false");
  expect_word(value ? "true" : "false");
  return value;
}

void JsonReader::read_null() {
  begin_value("null");
  expect_word("null");
}

void JsonReader::expect_word(std::string_view word) {
  const bool found = text_.substr(at_).starts_with(word);
  const std::size_t end = at_ + word.size();
  const bool longer = found && end < text_.size() && text_[end] >= 'a' && text_[end] <= 'z';
  if (!found || longer) fail_expected(word);
  at_ = end;
}

void JsonReader::skip_scalar_or_open() {
  switch (peek()) {
    case Kind::object:
      begin_object();
      return;
    case Kind::array:
      begin_array();
      return;
    case Kind::string:
      string_token();
      return;
    case Kind::number:
      number_token();
      return;
    case Kind::boolean:
      read_bool();
      return;
    case Kind::null:
      read_null();
      return;
  }
}

void JsonReader::skip() {
  const std::size_t outer_depth = open_.size();
  const std::size_t views_in_use = unescaped_.size();
  skip_scalar_or_open();
  const std::size_t start = token_start_;
  while (open_.size() > outer_depth) {
    const bool more = open_.back().bracket == '{' ? next_key().has_value() : next_element();
    if (more) skip_scalar_or_open();
  }
  token_start_ = start;
  unescaped_.resize(views_in_use);
}

void JsonReader::expect_end() {
  skip_space();
  if (at_ == text_.size()) return;
  token_start_ = at_;
  fail_expected("the end of the text");
}

}  // namespace berth
