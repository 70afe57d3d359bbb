// Patterns of op names, compiled once and matched with many names. * matches any characters, ?
// matches one, [ab] or [a-c] one of these; everything else matches itself. A bracket that is never
// closed matches itself. A name always matches a pattern that is spelled like it, because names may
// contain brackets and stars of their own.
//
// A pattern is cut into pieces at its stars. The first and the last piece are tied to the ends of a
// name, and each of the others is taken where it is found first. A piece of plain characters is
// found by a search that is linear in the name. Any other piece is found by following all its
// possible beginnings at once, as bits of words (Baeza-Yates and Gonnet, Communications of the ACM
// 1992). So thousands of patterns over thousands of long names take little more time than reading
// them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

class Glob {
 public:
  explicit Glob(std::string_view pattern);

  bool matches(std::string_view name) const;

 private:
  struct Piece {
    std::string text;
    bool plain = true;               // no ? and no set
    std::vector<std::string> units;  // its characters, ? and sets
    // Of a piece that is not plain, by ASCII character: the units it matches, as bits.
    std::vector<std::uint64_t> masks;
  };
  enum class Where : std::uint8_t { here, anywhere, at_the_end };

  static void fill_masks(Piece& piece);
  // The end of the first match from `at` on of a piece that is not plain; npos if there is none.
  static std::size_t find_end(const Piece& piece, std::string_view name, std::size_t at,
                              Where where);

  std::string pattern_;
  std::vector<Piece> pieces_;  // at least one; stars stand between them
};

bool glob_matches(std::string_view pattern, std::string_view name);

}  // namespace berth
