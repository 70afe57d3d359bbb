// Finds the file of a policy that the user names. A policy is a file, and an existing file of that
// name always takes precedence. A word that is not a file and has neither a slash nor a dot is
// looked for as WORD.policy in the folders of policies, so that `--policy general` finds the
// installed one:
//
//   the folders of BERTH_POLICY_PATH, separated by colons
//   ../share/berth/policies from the folder of the program (an installation)
//   ../policies from the folder of the program (a build directory in the source tree)
//   the same two from the folder of the shared library, for programs that use it
//
// Only the file system is asked; whether the file is a policy is found out when it is read.
#pragma once

#include <string>
#include <vector>

namespace berth::place {

// The path to open. Throws InputError listing the known names when such a word is not among them.
// Anything else is returned as it is; opening it will report what is wrong.
std::string find_policy(const std::string& named);

// The names that find_policy() finds in the folders, sorted.
std::vector<std::string> policy_names();

}  // namespace berth::place
