// Runs the real program in a directory of its own and keeps what it printed.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <string>
#include <vector>

namespace berth::cli {

struct ProcessResult {
  int status = -1;  // exit status; 128 + signal when it was killed
  std::string out;
  std::string error;
};

// A directory that is removed with everything in it.
class TemporaryDirectory {
 public:
  TemporaryDirectory();
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const;
  std::string read(const std::string& name) const;  // empty when it is not there
  bool has(const std::string& name) const;
  std::vector<std::string> names() const;  // of its files, sorted

 private:
  std::string path_;
};

// What a process finds around it.
struct Surroundings {
  std::string input = "/dev/null";  // what its standard input reads from
  std::size_t address_bytes = 0;    // the most it may have; 0: as much as the tests may
};

class BerthProcess {
 public:
  BerthProcess(const TemporaryDirectory& directory, const std::vector<std::string>& words,
               const Surroundings& surroundings = {});
  pid_t id() const { return pid_; }
  void signal(int number) const;
  ProcessResult wait();

 private:
  pid_t pid_;
  std::string out_path_, error_path_;
};

// The program on a pseudo terminal, which is its stdout and stderr.
class BerthOnTerminal {
 public:
  BerthOnTerminal(const TemporaryDirectory& directory, const std::vector<std::string>& words,
                  int columns = 80, int rows = 24);
  ~BerthOnTerminal();
  BerthOnTerminal(const BerthOnTerminal&) = delete;
  BerthOnTerminal& operator=(const BerthOnTerminal&) = delete;

  bool works() const { return pid_ > 0; }
  void signal(int number) const;
  // Reads until the text has come; false when the program has ended without.
  bool await(const std::string& text);
  ProcessResult wait();  // `out` is everything that was written

 private:
  bool read_more();

  pid_t pid_ = -1;
  int master_ = -1;
  std::string output_;
};

// What a terminal shows in the end of what was written to it, colours left out: it obeys carriage
// returns and the codes that move the cursor up and clear. What has scrolled away is out of reach.
std::string screen_of(const std::string& output, std::size_t rows = 24);

ProcessResult run_berth(const TemporaryDirectory& directory, const std::vector<std::string>& words,
                        const Surroundings& surroundings = {});

// Expects one line on stderr with all the parts and that status, and nothing on stdout.
void expect_failed(const ProcessResult& result, int status, const std::vector<std::string>& parts);
// Expects what bad input gets: status 2, nothing on stdout, one line on stderr with all the parts.
void expect_refused(const ProcessResult& result, const std::vector<std::string>& parts);

}  // namespace berth::cli
