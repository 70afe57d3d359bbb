// A pseudo terminal in the place of stdout or stderr, so that tests see what a terminal would.
#pragma once

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace berth {

class PseudoTerminal {
 public:
  PseudoTerminal(int replaced, int columns)
      : replaced_(replaced), master_(::posix_openpt(O_RDWR | O_NOCTTY)) {
    std::fflush(nullptr);
    if (master_ < 0 || ::grantpt(master_) != 0 || ::unlockpt(master_) != 0) return;
    const int slave = ::open(::ptsname(master_), O_RDWR | O_NOCTTY);
    if (slave < 0) return;
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = 24;
    ::ioctl(slave, TIOCSWINSZ, &size);
    saved_ = ::dup(replaced_);
    ::dup2(slave, replaced_);
    ::close(slave);
  }
  ~PseudoTerminal() {
    if (saved_ >= 0) {
      ::dup2(saved_, replaced_);
      ::close(saved_);
    }
    if (master_ >= 0) ::close(master_);
  }
  PseudoTerminal(const PseudoTerminal&) = delete;
  PseudoTerminal& operator=(const PseudoTerminal&) = delete;

  bool works() const { return saved_ >= 0; }

  // Everything written since the last call.
  std::string output() const {
    std::string text;
    char buffer[4096];
    pollfd ready{.fd = master_, .events = POLLIN, .revents = 0};
    while (::poll(&ready, 1, 20) > 0 && (ready.revents & POLLIN)) {
      const ssize_t count = ::read(master_, buffer, sizeof buffer);
      if (count <= 0) break;
      text.append(buffer, static_cast<std::size_t>(count));
    }
    return text;
  }

 private:
  int replaced_;
  int master_;
  int saved_ = -1;
};

}  // namespace berth
