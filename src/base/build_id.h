// Which sources a part of Berth was built from. The program and the module of learned methods hand
// each other C++ objects, so both must have been compiled from the same headers by the same
// compiler. Parts whose build ids are equal were; the loader refuses others
// (place/learned/module.h).
#pragma once

namespace berth {

// Hexadecimal digits of a hash over the headers and the compiler, made by cmake/build_id.cmake.
const char* build_id();

}  // namespace berth
