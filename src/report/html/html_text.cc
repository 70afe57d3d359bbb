#include "report/html/html_text.h"

#include <fmt/format.h>

#include "report/text.h"

namespace berth::report {

namespace {

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '&':
      out += "&amp;";
      break;
    case '<':
      out += "&lt;";
      break;
    case '>':
      out += "&gt;";
      break;
    case '"':
      out += "&quot;";
      break;
    default:
      out += c;
  }
}

}  // namespace

std::string html_escaped(std::string_view text, std::size_t most_columns) {
  std::string out;
  for (const char c : plain_name(text, most_columns)) append_escaped(out, c);
  return out;
}

std::string html_name(std::string_view text, std::size_t most_columns) {
  std::string out;
  for (const char c : plain_name(text, most_columns)) {
    append_escaped(out, c);
    if (std::string_view("/._:-").find(c) != std::string_view::npos) out += "<wbr>";
  }
  return out;
}

std::string number_cell(double value, std::string_view text) {
  return fmt::format("<td class=\"number\" data-value=\"{}\">{}</td>", value, text);
}

std::string short_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace berth::report
