// A pull parser for JSON (RFC 8259) over text that is already in memory. It builds no tree: the
// caller asks for what the format expects next, so a graph of a million ops costs only what the
// graph itself stores. Every error carries file, line and column. Nesting is limited, so hostile
// input cannot exhaust the stack; numbers are kept as written, so 63-bit integers stay exact.
//
//   reader.begin_object();
//   while (auto key = reader.next_key()) {
//     if (*key == "name") name = reader.read_string(); else reader.skip();
//   }
//   reader.expect_end();
//
// What it does not do: duplicate keys are reported by the caller if it cares; no comments, no
// trailing commas, no NaN or Infinity; UTF-8 in strings is validated.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/quantity.h"

namespace berth {

class JsonReader {
 public:
  enum class Kind { object, array, string, number, boolean, null };
  static constexpr std::size_t kMaxDepth = 64;

  // `source` names the text in messages; both must outlive the reader.
  JsonReader(std::string_view text, std::string_view source);

  Kind peek();

  void begin_object();
  std::optional<std::string_view> next_key();  // nullopt once the object has ended
  void begin_array();
  bool next_element();  // false once the array has ended

  // The view stays valid as long as the reader and its text.
  std::string_view read_string();
  double read_double();  // finite
  bool read_bool();
  void read_null();
  void skip();        // any one value
  void expect_end();  // nothing but white space may follow

  // A number, or a string with a unit of the dimension. Finite and not negative; else fails, `what`
  // naming the quantity in the message ("flops of op \"mm\"").
  double read_quantity(Dimension dimension, std::string_view what);
  // Bytes exactly: integers are never passed through a double.
  std::int64_t read_bytes(std::string_view what);
  // A whole number (written as an integer, or as a double without fraction) within [low, high].
  std::int64_t read_integer(std::int64_t low, std::int64_t high, std::string_view what);

  // Where the last value or key began, for messages about it, also later.
  std::size_t position() const { return token_start_; }
  // Throws InputError "SOURCE:LINE:COLUMN: sentence".
  [[noreturn]] void fail(const std::string& sentence) const { fail_at(token_start_, sentence); }
  [[noreturn]] void fail_at(std::size_t position, const std::string& sentence) const;
  // The place in the facts is filled in here.
  [[noreturn]] void fail_at(std::size_t position, const std::string& sentence,
                            ErrorFacts facts) const;
  // "SOURCE:LINE:COLUMN"
  std::string locate(std::size_t position) const;

 private:
  struct Container {
    char bracket;  // '{' or '['
    std::size_t position;
  };

  void skip_space();
  void begin_value(std::string_view expected);
  void open(char bracket, std::string_view expected);
  void close();
  bool at_separator_or_end(char closing);
  void expect_word(std::string_view word);
  void skip_scalar_or_open();
  // All of these start at at_ and move it past what they read.
  std::string_view number_token();
  void skip_digits();
  std::string_view string_token();
  std::string_view unescape(std::size_t begin);
  void append_escape(std::string& out);
  void append_unicode_escape(std::string& out);
  unsigned read_hex4();

  void validate_utf8(std::size_t begin, std::size_t end) const;
  double to_double(std::string_view number) const;
  std::string line_and_column(std::size_t position, std::string_view separator) const;
  std::string describe_here() const;
  [[noreturn]] void fail_expected(std::string_view expected) const;

  std::string_view text_;
  std::string_view source_;
  std::size_t at_ = 0;
  std::size_t token_start_ = 0;
  std::vector<Container> open_;        // every enclosing value, outermost first
  bool first_in_container_ = true;     // no comma is due yet
  std::deque<std::string> unescaped_;  // backs views of strings that held escapes
};

}  // namespace berth
