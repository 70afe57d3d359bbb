// Errors of the user. The message is one whole sentence (or a few) for a person: it names the file
// and place, what was found and what would be right. The command line prints it and exits with 2.
// Our own bugs are assertions, and what was found (infeasible, budget spent) is data, not an error.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

class [[gnu::visibility("default")]] InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// "a, b and c", for messages that list what would be right. Past `most` names the rest is counted.
std::string join_names(const std::vector<std::string>& names, std::size_t most = 20);

// `; did you mean "x"?` for the known name nearest in spelling, or else one that is abbreviated or
// drawn out; an empty string if none is near.
std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& known);

// The text in double quotes, control characters and broken UTF-8 escaped, long text shortened, so
// that a hostile name in a file cannot garble the terminal.
std::string quoted(std::string_view text);
// Exact matches, or a std::string would find std::quoted of <iomanip> instead.
inline std::string quoted(const std::string& text) { return quoted(std::string_view(text)); }
inline std::string quoted(const char* text) { return quoted(std::string_view(text)); }

}  // namespace berth
