#include "place/partition/metis_signals.h"

#include <dlfcn.h>

#include <csignal>
#include <cstdarg>
#include <cstdio>

// Names of METIS 5.1 and of its library GKlib, visible so that the dynamic linker takes ours. The
// depth is visible too: the module of learned methods has a copy of this file and must count in
// the copy that METIS calls.
#define BERTH_VISIBLE [[gnu::visibility("default")]]

extern "C" {

extern __thread int gk_cur_jbufs;  // of METIS: the jump buffer in use, -1 for none
void gk_sigthrow(int signum);      // of METIS: jumps through it

BERTH_VISIBLE __thread int berth_metis_depth = 0;
BERTH_VISIBLE int gk_sigtrap();
BERTH_VISIBLE int gk_siguntrap();
BERTH_VISIBLE void gk_errexit(int signum, char* format, ...);

}  // extern "C"

namespace {

constexpr int kJumpBuffers = 128;  // that METIS has per thread

int call_next(const char* name) {
  using Function = int (*)();
  const auto next = reinterpret_cast<Function>(::dlsym(RTLD_NEXT, name));
  return next != nullptr ? next() : 0;
}

}  // namespace

int gk_sigtrap() {
  if (berth_metis_depth == 0) return call_next("gk_sigtrap");
  // METIS sets the buffer of this number next.
  if (gk_cur_jbufs + 1 >= kJumpBuffers) return 0;
  ++gk_cur_jbufs;
  return 1;
}

int gk_siguntrap() {
  if (berth_metis_depth == 0) return call_next("gk_siguntrap");
  if (gk_cur_jbufs < 0) return 0;
  --gk_cur_jbufs;
  return 1;
}

void gk_errexit(int signum, char* format, ...) {
  // The caller learns of it by the status that METIS returns.
  if (berth_metis_depth > 0) gk_sigthrow(signum);
  std::va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
  std::fprintf(stderr, "\n");
  std::raise(signum);
}

namespace berth::place {

MetisWithoutSignals::MetisWithoutSignals() { ++berth_metis_depth; }

MetisWithoutSignals::~MetisWithoutSignals() { --berth_metis_depth; }

}  // namespace berth::place
