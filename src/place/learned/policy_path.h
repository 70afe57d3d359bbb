// Which file a policy is when the user names it. A policy is a file, and a file of that name always
// comes first. A word that is no file and has neither a slash nor a dot is looked for as
// WORD.policy in the folders of policies, so that `--policy general` finds the one that is
// installed:
//
//   the folders of BERTH_POLICY_PATH, with colons between
//   ../share/berth/policies from the folder of the program, which is an installation
//   ../policies from the folder of the program, which is a build directory in the source tree
//
// This asks the file system only; whether the file holds a policy shows when it is read.
#pragma once

#include <string>
#include <vector>

namespace berth::place {

// The path to open. Throws InputError that lists the known names when such a word is none of them.
// Anything else is answered as it is: whoever opens it says what is wrong with it.
std::string find_policy(const std::string& named);

// The names that find_policy() finds in the folders, sorted.
std::vector<std::string> policy_names();

}  // namespace berth::place
