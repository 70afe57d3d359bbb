// Which sources a part of Berth was built from. The program and the module of learned methods hand
// each other C++ objects, so both must be compiled from the same headers by the same compiler.
// Equal build ids mean that they were. The loader refuses a module with another id
// (place/learned/module.h).
#pragma once

namespace berth {

// Hexadecimal digits of a hash over the headers and the compiler, made by cmake/build_id.cmake.
const char* build_id();

}  // namespace berth
