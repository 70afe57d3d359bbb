#include "base/error.h"
#include "cli/bench.h"
namespace berth {
int bench_search(Words) { throw InputError("soon"); }
}  // namespace berth
