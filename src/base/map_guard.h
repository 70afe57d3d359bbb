// A file that is mapped and not read can be cut short by another program at any time, and whoever
// then touches a byte that is gone gets SIGBUS, which ends the process without a word. Reading the
// whole file instead is no way out where it holds gigabytes of weights nobody looks at.
//
// So maps are made known here, and a program that wants a sentence instead of a death calls
// install_map_guard(): for an address in a known map the signal prints the sentence and exits with
// status 1. Anything else that raises SIGBUS ends the process as before. Like the flag of Interrupt
// this belongs to the process, since signals do.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// Once, by the program; a library leaves signals alone.
void install_map_guard();

// Past a fixed number of maps at once, a further one is not guarded.
void guard_mapping(std::string_view mapping, const std::string& path);
void release_mapping(std::string_view mapping);

// "the file became shorter while it was read", for those who find out by other means.
std::string shortened_sentence(const std::string& path);

}  // namespace berth
