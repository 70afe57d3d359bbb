// Small pieces of text that every report needs: names from files made safe to print,
// widths as a terminal sees them, ratios and bars. Nothing here prints.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "report/text_layout.h"

namespace berth::report {

// What a line of text may take: the width of a small terminal.
inline constexpr std::size_t kPageColumns = kTerminalColumns;

// Columns the text takes on a terminal when its colour codes are obeyed.
std::size_t visible_width(std::string_view text);

// A name without anything that could garble a terminal (control characters and broken UTF-8 become
// "?"), shortened in the middle to at most `most` columns: the ends of op names tell them apart.
std::string plain_name(std::string_view name, std::size_t most = 60);

// "4.1%", "0.03%", "93%": about two significant digits.
std::string format_percent(double fraction);
// "4.10 Gflop", on the scale of rates.
std::string format_work(double flops);
// "2.76x"; "1.00x" when both are the same.
std::string format_ratio(double ratio);
// "1 op", "12,345 ops".
std::string format_number_of(std::size_t count, std::string_view singular,
                             std::string_view plural = {});

// A bar of `width` columns, `fraction` of it filled; above 1 it is full.
std::string text_bar(double fraction, std::size_t width);

// Breaks a paragraph into lines of at most `width` columns, each after `indent` spaces.
std::string wrap_text(std::string_view paragraph, std::size_t width, std::size_t indent);

// "MODEL on CLUSTER, METHOD" in one line, its names shortened where they need it. No method: "".
std::string title_line(std::string_view model, std::string_view cluster, std::string_view method);

// The sentence as an item of a list, wrapped at the width of a page: "  - ...".
std::string list_item(std::string_view sentence);

// Colours for a terminal, or none. They only repeat what the words say.
class Ink {
 public:
  explicit Ink(bool color = false) : color_(color) {}

  std::string bold(std::string_view text) const { return wrap("1", text); }
  std::string dim(std::string_view text) const { return wrap("2", text); }
  std::string good(std::string_view text) const { return wrap("32", text); }
  std::string caution(std::string_view text) const { return wrap("33", text); }
  std::string bad(std::string_view text) const { return wrap("31", text); }

 private:
  std::string wrap(std::string_view code, std::string_view text) const;
  bool color_;
};

}  // namespace berth::report
