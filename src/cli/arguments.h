// The arguments of a command. Each command declares what it takes, next to the code that uses it,
// so that help and messages look the same everywhere. CLI11 does the parsing; it is slow to
// compile, so only arguments.cc includes it.
//
//   Arguments arguments("place", "Find a plan for a model on a cluster.");
//   arguments.positional("MODEL", model, "A file or a workload.");
//   arguments.option("--seed", "N", seed, "Seed of the random numbers.");
//   arguments.example("berth place zoo:mlp --cluster 4xP100", "the default method");
//   if (!arguments.parse(words)) return 0;  // help was asked for and printed
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace berth::cli {

class Arguments {
 public:
  Arguments(std::string command, const std::string& summary);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  enum class Need { optional, required };
  void positional(const std::string& name, std::string& target, const std::string& sentence,
                  Need need = Need::required);
  // `names` as "-o,--output"; `value` is the word for its value in the help. A repeated option
  // counts as last given.
  void option(const std::string& names, const std::string& value, std::string& target,
              const std::string& sentence, Need need = Need::optional);
  // One that may be given several times, each with one value.
  void repeated_option(const std::string& names, const std::string& value,
                       std::vector<std::string>& target, const std::string& sentence,
                       Need need = Need::optional);
  void flag(const std::string& names, bool& target, const std::string& sentence);
  // That argument names a file to read, or a list of them, so that - is standard input. It must be
  // declared; only one of all can have standard input.
  void reads_file(const std::string& name);
  // A paragraph after the options.
  void note(const std::string& paragraph);
  void example(const std::string& line, const std::string& sentence);

  // False when help was asked for and printed. Throws InputError on anything else than what was
  // declared, and Described (description.h) where that is what the words ask for.
  bool parse(std::span<const std::string> words);
  // Whether the words named that option, after parse(): a default is not the same as a wish.
  bool given(const std::string& name) const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace berth::cli
