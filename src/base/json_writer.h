// Writes JSON straight to a string: two-space indentation for people, or one line. Doubles are
// written in the shortest form that reads back as the same double, so a round trip is exact.
//
//   JsonWriter json;
//   json.begin_object().key("step_seconds").value(0.25).end_object();
//   write_file(path, json.take());
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace berth {

class JsonWriter {
 public:
  enum class Style { indented, compact };
  explicit JsonWriter(Style style = Style::indented) : style_(style) {}

  JsonWriter& begin_object();
  JsonWriter& end_object();
  // A `flat` container is written on one line even when the style is indented: rows of a table, one
  // op per line.
  JsonWriter& begin_flat_object();
  JsonWriter& begin_array();
  JsonWriter& begin_flat_array();
  JsonWriter& end_array();
  JsonWriter& key(std::string_view name);

  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view(text)); }
  JsonWriter& value(double number);  // infinite or NaN becomes null
  JsonWriter& value(const std::optional<double>& number) {
    return number ? value(*number) : null();
  }
  JsonWriter& value(bool flag);
  JsonWriter& null();
  template <class Integer>
  requires std::is_integral_v<Integer> JsonWriter& value(Integer number) {
    if constexpr (std::is_signed_v<Integer>)
      return signed_value(number);
    else
      return unsigned_value(number);
  }

  template <class T>
  JsonWriter& field(std::string_view name, const T& content) {
    return key(name).value(content);
  }

  // The finished text with a final newline; the writer is empty afterwards.
  std::string take();

 private:
  struct Level {
    bool flat;
    bool empty;
  };
  JsonWriter& open(char bracket, bool flat);
  JsonWriter& close(char bracket);
  JsonWriter& signed_value(std::int64_t number);
  JsonWriter& unsigned_value(std::uint64_t number);
  void separate();
  void new_line();
  void append_quoted(std::string_view text);

  Style style_;
  std::string out_;
  std::vector<Level> levels_;
  bool after_key_ = false;
};

}  // namespace berth
