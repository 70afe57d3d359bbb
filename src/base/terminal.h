// What is known about the terminal, if there is one.
#pragma once

#include <cstddef>
#include <string_view>

namespace berth {

bool stdout_is_terminal();
bool stderr_is_terminal();

// Columns of the terminal of stdout, else of stderr, else 80.
int terminal_width();
// Lines of the terminal of stdout, else 24.
int terminal_height();
// The width for what is written to stderr, which may be another terminal.
int stderr_width();

// Whether text on stdout can be erased again: it is a terminal that can move its cursor.
bool can_redraw();

// Whether output to stdout may hold colours: it is a terminal that understands them, and the user
// has not set NO_COLOR (https://no-color.org).
bool use_color();

// Columns the text takes on a screen: East Asian wide characters and emoji count 2, combining marks
// and control characters 0, a byte that is not UTF-8 counts 1. The ranges are coarse; good for
// lining up tables, not for typesetting.
int display_width(std::string_view text);

// The longest beginning of the text that takes at most `columns`.
std::string_view cut_to_width(std::string_view text, int columns);

}  // namespace berth
