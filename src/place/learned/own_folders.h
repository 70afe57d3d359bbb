// Where this code is on disk: what is installed beside it is found from there.
#pragma once

#include <filesystem>
#include <vector>

namespace berth::place {

// The folders of the program and of the shared library that this code is part of; one and the same
// where the program has it linked in. None without /proc.
std::vector<std::filesystem::path> own_folders();

}  // namespace berth::place
