#include "base/interrupt.h"

#include <atomic>
#include <csignal>

namespace berth {
namespace {

std::atomic<bool> interrupt_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not lock");

extern "C" void remember_interrupt(int) {
  interrupt_requested.store(true, std::memory_order_relaxed);
}

void handle(int signal) {
  struct sigaction before {};
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = remember_interrupt;
  ::sigemptyset(&action.sa_mask);
  // The system restores the default action when the first signal arrives: the second one kills.
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void Interrupt::install() {
  handle(SIGINT);
  handle(SIGTERM);
}

bool Interrupt::requested() { return interrupt_requested.load(std::memory_order_relaxed); }

void Interrupt::reset() {
  const bool was_requested = interrupt_requested.exchange(false);
  if (was_requested) install();
}

}  // namespace berth
