// Helpers for writing HTML and SVG: names made safe, numbers made short.
#pragma once

#include <string>
#include <string_view>

namespace berth::report {

// Safe as text and inside a quoted attribute; control characters and broken UTF-8 are gone.
std::string html_escaped(std::string_view text, std::size_t most_columns = 80);

// The same, with places for a line to break behind what separates the parts of a name: / . _ : -
std::string html_name(std::string_view text, std::size_t most_columns = 80);

// A cell of a sortable table: sorted by the value that the text shows.
std::string number_cell(double value, std::string_view text);

// Two decimals at most, no trailing zeros: coordinates of a picture, thousands of them.
std::string short_number(double value);

}  // namespace berth::report
