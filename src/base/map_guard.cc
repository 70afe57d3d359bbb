#include "base/map_guard.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdint>

#include "base/error.h"

namespace berth {
namespace {

constexpr int kStatus = 1;  // something outside failed

// Taken first, then filled in. The handler sees a slot only when its end is set, which is stored
// last and with release order.
struct Slot {
  std::atomic<bool> taken{false};
  std::atomic<std::uintptr_t> begin{0};
  std::atomic<std::uintptr_t> end{0};
  std::string line = {};
};
static_assert(std::atomic<std::uintptr_t>::is_always_lock_free, "a signal handler may not lock");

std::array<Slot, 16> slots;

std::uintptr_t address_of(const void* place) { return reinterpret_cast<std::uintptr_t>(place); }

extern "C" void tell_of_lost_bytes(int number, siginfo_t* info, void*) {
  const std::uintptr_t at = address_of(info->si_addr);
  for (const Slot& slot : slots) {
    const std::uintptr_t end = slot.end.load(std::memory_order_acquire);
    if (at >= end || at < slot.begin.load(std::memory_order_relaxed)) continue;
    (void)!::write(STDERR_FILENO, slot.line.data(), slot.line.size());
    ::_exit(kStatus);
  }
  // Not one of our mappings: the instruction runs again and ends the process as it would have
  // without this handler.
  std::signal(number, SIG_DFL);
}

}  // namespace

void install_map_guard() {
  struct sigaction action {};
  action.sa_sigaction = tell_of_lost_bytes;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGBUS, &action, nullptr);
}

void guard_mapping(std::string_view mapping, const std::string& path) {
  for (Slot& slot : slots) {
    if (slot.taken.exchange(true)) continue;
    slot.line = fmt::format("berth: error: {}\n", shortened_sentence(path));
    slot.begin.store(address_of(mapping.data()), std::memory_order_relaxed);
    slot.end.store(address_of(mapping.data()) + mapping.size(), std::memory_order_release);
    return;
  }
}

void release_mapping(std::string_view mapping) {
  for (Slot& slot : slots) {
    if (slot.end.load() == 0 || slot.begin.load() != address_of(mapping.data())) continue;
    slot.end.store(0);
    slot.taken.store(false);
    return;
  }
}

std::string shortened_sentence(const std::string& path) {
  return fmt::format(
      "{} became shorter while it was read; try again when no other program writes to it",
      quoted(path));
}

}  // namespace berth
