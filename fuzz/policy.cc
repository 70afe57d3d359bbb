#include "policy_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  berth::fuzz::check_policy({reinterpret_cast<const char*>(data), size});
  return 0;
}
