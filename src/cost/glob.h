// Patterns of op names, compiled once and held against many names: * stands for any characters, ?
// for one, [ab] or [a-c] for one of these; everything else for itself. A bracket that is never
// closed is itself. A name always matches the pattern that is spelled like it, for names may hold
// brackets and stars of their own.
//
// A pattern falls into pieces between its stars. The first and the last piece are tied to the ends
// of a name, and each of the others is best where it is found first. A piece of plain characters is
// found by a search that is linear in the name, so thousands of patterns over thousands of long
// names take no more than reading them.
#pragma once

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
    bool plain = true;  // no ? and no set
  };

  std::string pattern_;
  std::vector<Piece> pieces_;  // at least one; stars stand between them
};

bool glob_matches(std::string_view pattern, std::string_view name);

}  // namespace berth
