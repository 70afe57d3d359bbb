// Patterns of op names, compiled once and matched with many names: * stands for any characters, ?
// for one, [ab] or [a-c] for one of these; everything else for itself. A bracket that is never
// closed is itself. A name always matches the pattern that is spelled like it, for names may hold
// brackets and stars of their own.
//
// A pattern falls into pieces between its stars. The first and the last piece are tied to the ends
// of a name, and each of the others is best where it is found first. A piece of plain characters is
// found by a search that is linear in the name, another by one that follows all its beginnings at
// once, 64 to a word (Baeza-Yates and Gonnet, Communications of the ACM 1992), so thousands of
// patterns over thousands of long names take little more than reading them.
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
  // Behind the first place from `at` on where a piece that is not plain matches; npos if none.
  static std::size_t find_end(const Piece& piece, std::string_view name, std::size_t at,
                              Where where);

  std::string pattern_;
  std::vector<Piece> pieces_;  // at least one; stars stand between them
};

bool glob_matches(std::string_view pattern, std::string_view name);

}  // namespace berth
