// Ctrl-C as a question: long searches ask now and then whether they should stop, and give the best
// plan so far. The first SIGINT or SIGTERM only sets a flag; a second, of either kind, ends the
// process at once, so a program that does not ask can still be stopped.
//
// The flag is the one piece of global state here, since signals belong to the process.
#pragma once

namespace berth {

class Interrupt {
 public:
  // Where a signal is ignored already (as under nohup), it stays ignored.
  static void install();
  static bool requested();  // cheap enough for inner loops, from any thread
  // Forgets the request and waits for the next first signal.
  static void reset();
};

}  // namespace berth
