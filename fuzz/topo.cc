#include "readers.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  berth::fuzz::check_topo({reinterpret_cast<const char*>(data), size});
  return 0;
}
