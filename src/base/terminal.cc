#include "base/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/utf8.h"

namespace berth {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

constexpr Range kZeroWidth[] = {
    {0x0300, 0x036f}, {0x0483, 0x0489}, {0x0591, 0x05bd}, {0x064b, 0x065f}, {0x1ab0, 0x1aff},
    {0x1dc0, 0x1dff}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x2069}, {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f}, {0xfe20, 0xfe2f}, {0xfeff, 0xfeff}};
constexpr Range kDoubleWidth[] = {{0x1100, 0x115f},   {0x2e80, 0x303e},   {0x3041, 0x33ff},
                                  {0x3400, 0x4dbf},   {0x4e00, 0x9fff},   {0xa000, 0xa4cf},
                                  {0xac00, 0xd7a3},   {0xf900, 0xfaff},   {0xfe30, 0xfe4f},
                                  {0xff00, 0xff60},   {0xffe0, 0xffe6},   {0x1f300, 0x1f64f},
                                  {0x1f680, 0x1f6ff}, {0x1f900, 0x1f9ff}, {0x20000, 0x3fffd}};

template <std::size_t Count>
bool contains(const Range (&ranges)[Count], char32_t c) {
  return std::any_of(std::begin(ranges), std::end(ranges),
                     [c](Range range) { return c >= range.first && c <= range.last; });
}

int width_of(char32_t c) {
  if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return 0;
  if (c < 0x300) return 1;
  if (contains(kZeroWidth, c)) return 0;
  return contains(kDoubleWidth, c) ? 2 : 1;
}

constexpr int kUsualWidth = 80;

constexpr int kUsualHeight = 24;

// Zeros when it is no terminal or does not know.
winsize size_behind(int descriptor) {
  winsize size{};
  return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size : winsize{};
}

int width_behind(int descriptor) { return size_behind(descriptor).ws_col; }

bool is_dumb() {
  const char* terminal = std::getenv("TERM");
  return !terminal || std::string_view(terminal) == "dumb";
}

struct Fit {
  std::size_t bytes = 0;
  int columns = 0;
};

// How much of the text fits into that many columns.
Fit fit(std::string_view text, int columns) {
  Fit result;
  while (result.bytes < text.size()) {
    const CodePoint point = decode_utf8(text, result.bytes);
    const int width = point.length == 0 ? 1 : width_of(point.value);
    if (width > columns - result.columns) break;
    result.columns += width;
    result.bytes += std::max<std::size_t>(point.length, 1);
  }
  return result;
}

}  // namespace

bool stdout_is_terminal() { return ::isatty(STDOUT_FILENO) == 1; }

bool stderr_is_terminal() { return ::isatty(STDERR_FILENO) == 1; }

int terminal_width() {
  const int width = width_behind(STDOUT_FILENO);
  return width > 0 ? width : stderr_width();
}

int stderr_width() {
  const int width = width_behind(STDERR_FILENO);
  return width > 0 ? width : kUsualWidth;
}

int terminal_height() {
  const int height = size_behind(STDOUT_FILENO).ws_row;
  return height > 0 ? height : kUsualHeight;
}

bool can_redraw() { return !is_dumb() && stdout_is_terminal(); }

bool use_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return !(no_color && *no_color) && can_redraw();
}

int display_width(std::string_view text) {
  return fit(text, std::numeric_limits<int>::max()).columns;
}

std::string_view cut_to_width(std::string_view text, int columns) {
  return text.substr(0, fit(text, columns).bytes);
}

}  // namespace berth
