// A message instead of a crash when a mapped file becomes shorter.
//
// Another program can truncate a mapped file at any time. Reading a byte that is gone then raises
// SIGBUS, which ends the process without a message. Reading the whole file into memory instead is
// too expensive when it holds gigabytes of weights that nobody looks at.
//
// So every mapping is registered here, and a program calls install_map_guard() once. For an address
// in a registered mapping the handler prints the sentence and exits with status 1. Any other SIGBUS
// ends the process as before. Like the flag of Interrupt this state belongs to the process, since
// signals do.
#pragma once

#include <string>
#include <string_view>

namespace berth {

// Once, by the program; a library leaves signals alone.
void install_map_guard();

// Beyond a fixed number of simultaneous mappings, further ones are not guarded.
void guard_mapping(std::string_view mapping, const std::string& path);
void release_mapping(std::string_view mapping);

// "the file became shorter while it was read", for callers that find out in another way.
std::string shortened_sentence(const std::string& path);

}  // namespace berth
