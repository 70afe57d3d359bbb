# Writes a source that defines build_id() of base/build_id.h.
#
#   cmake -DOUTPUT=build_id.cc -DCOMPILER="GNU 12.2.0" "-DHEADERS=a.h;b.h" -P build_id.cmake
set(digests "${COMPILER}")
foreach(header IN LISTS HEADERS)
  file(SHA256 ${header} digest)
  string(APPEND digests " ${digest}")
endforeach()
string(SHA256 id "${digests}")
string(SUBSTRING ${id} 0 16 id)
file(WRITE ${OUTPUT} "// Made by cmake/build_id.cmake.
#include \"base/build_id.h\"

namespace berth {

const char* build_id() { return \"${id}\"; }

}  // namespace berth
")
