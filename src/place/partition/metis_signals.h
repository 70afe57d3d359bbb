// Keeps METIS from handling the signals of the process.
//
// While METIS runs, it handles SIGTERM and SIGABRT for the whole process and leaves by a jump
// through a buffer of its own thread. It does so because it reports its own errors (such as no
// memory) by raising these signals. A SIGTERM from outside may arrive on any other thread, where
// the buffer is not set, and the process crashes.
//
// metis_signals.cc therefore defines the three functions of METIS that install, remove and raise
// these signals; the dynamic linker finds ours first. For a call from Berth they install nothing,
// and an error of METIS jumps directly. For all other callers in the process (a host program may
// use METIS too) they do what those of METIS do.
#pragma once

namespace berth::place {

// While it exists, METIS on this thread leaves signals alone.
class MetisWithoutSignals {
 public:
  MetisWithoutSignals();
  ~MetisWithoutSignals();
  MetisWithoutSignals(const MetisWithoutSignals&) = delete;
  MetisWithoutSignals& operator=(const MetisWithoutSignals&) = delete;
};

}  // namespace berth::place
