#include "cli/interrupt.h"

#include <atomic>
#include <csignal>

namespace berth::cli {
namespace {

std::atomic<bool> interrupt_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may not lock");

extern "C" void remember_interrupt(int signal) {
  if (!interrupt_requested.exchange(true, std::memory_order_relaxed)) return;
  // The second one, of the other kind: it kills as soon as this returns.
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void handle(int signal) {
  struct sigaction before {};
  ::sigaction(signal, nullptr, &before);
  if (before.sa_handler == SIG_IGN) return;
  struct sigaction action {};
  action.sa_handler = remember_interrupt;
  ::sigemptyset(&action.sa_mask);
  // The system restores the default action when the first arrives, so another of its kind kills.
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void Interrupt::install() {
  handle(SIGINT);
  handle(SIGTERM);
  handle(SIGHUP);
}

bool Interrupt::requested() { return interrupt_requested.load(std::memory_order_relaxed); }

StopToken Interrupt::token() {
  // The flag outlives every token, so nothing owns it.
  return StopToken({std::shared_ptr<void>(), &interrupt_requested});
}

void Interrupt::reset() {
  const bool was_requested = interrupt_requested.exchange(false);
  if (was_requested) install();
}

}  // namespace berth::cli
