// The small change of writing HTML and SVG: names made safe, numbers made short.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// Safe as text and inside a quoted attribute; control characters and broken UTF-8 are gone.
std::string html_escaped(std::string_view text, std::size_t most_columns = 80);

// Two decimals at most, no trailing zeros: coordinates of a picture, thousands of them.
std::string short_number(double value);

}  // namespace berth
