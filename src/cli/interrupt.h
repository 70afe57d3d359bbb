// Ctrl-C as a stop token (base/stop.h): the command line puts it into every request, so that a long
// search gives the best plan so far. The first SIGINT, SIGTERM or SIGHUP only sets a flag; a
// second, of either kind, ends the process at once, so a program that does not ask can still be
// stopped.
//
// The flag is the one piece of global state here, since signals belong to the process.
#pragma once

#include "base/stop.h"

namespace berth::cli {

class Interrupt {
 public:
  // Where a signal is ignored already (as under nohup), it stays ignored.
  static void install();
  static bool requested();
  static StopToken token();
  // Forgets the request and waits for the next first signal.
  static void reset();
};

}  // namespace berth::cli
