#include "cli/arguments.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "base/file.h"
#include "cli/description.h"
#include "report/text.h"

namespace berth::cli {
namespace {

std::string one_line(std::string text) {
  std::ranges::replace(text, '\n', ' ');
  return text;
}

// A paragraph that holds a table.
bool keeps_lines(const std::string& paragraph) {
  return paragraph.find("\n  ") != std::string::npos;
}

// CLI11's layout with plain words: no types beside the names of values, no "REQUIRED" in capitals.
class HelpFormatter : public CLI::Formatter {
 public:
  HelpFormatter() {
    column_width(32);
    label("Positionals", "Arguments");
    label("OPTIONS", "options");
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    return option->get_type_size() == 0 ? "" : " " + option->get_type_name();
  }
  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    if (is_positional) return option->get_name(true, false);
    std::string names = option->get_name(false, true);
    const std::size_t comma = names.find(',');
    return comma == std::string::npos ? "    " + names : names.replace(comma, 1, ", ");
  }
  std::string make_option_desc(const CLI::Option* option) const override {
    std::string text = one_line(option->get_description());
    text = report::wrap_text(text, report::kPageColumns - get_column_width(), 0);
    if (!text.empty()) text.pop_back();  // the line is ended by who asks
    return text;
  }
  std::string make_usage(const CLI::App* app, std::string /*name*/) const override {
    std::string usage = "Usage: " + app->get_name();
    for (const CLI::Option* option : app->get_options()) {
      if (option->get_positional()) {
        usage += option->get_required() ? " " + option->get_name(true, false)
                                        : " [" + option->get_name(true, false) + "]";
      } else if (option->get_required()) {
        usage += fmt::format(" {} {}", option->get_name(false, false), option->get_type_name());
      }
    }
    return '\n' + report::wrap_text(usage + " [options]", report::kPageColumns, 0);
  }
};

}  // namespace

struct Arguments::Implementation {
  Implementation(std::string command_name, const std::string& summary)
      : command(std::move(command_name)), app(summary, "berth " + command) {
    app.formatter(std::make_shared<HelpFormatter>());
    app.set_help_flag("-h,--help", "Print this help.");
    app.allow_extras();
  }

  std::string see_help() const { return fmt::format("; see berth {} --help", command); }

  [[noreturn]] void refuse_extra(const std::string& word) const {
    if (word.size() < 2 || word.front() != '-') {
      throw InputError(
          fmt::format("berth {}: unexpected argument {}{}", command, quoted(word), see_help()));
    }
    std::vector<std::string> known;
    for (const CLI::Option* option : app.get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
    const std::string name = word.substr(0, word.find('='));
    const std::string near = did_you_mean(name, known);
    throw InputError(fmt::format("berth {} has no option {}{}", command, quoted(name),
                                 near.empty() ? see_help() : near));
  }

  // A declared value that is missing: the option was the last word, or another option follows.
  [[noreturn]] void refuse_missing_value(const std::string& message) const {
    const std::string name = message.substr(0, message.find(':'));
    throw InputError(fmt::format("{} needs a value{}", name, see_help()));
  }

  // A script passes an empty word when a variable is not set. Treating it as "not given" would do
  // something other than intended.
  void refuse_empty_values() const {
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_type_size() == 0) continue;
      const std::vector<std::string>& values = option->results();
      if (std::ranges::find(values, "") == values.end()) continue;
      throw InputError(fmt::format("{} has an empty value; give it {}{}",
                                   option->get_name(false, false), option->get_type_name(),
                                   see_help()));
    }
  }

  void require_all() const {
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      const std::string name =
          option->get_positional()
              ? option->get_name(true, false)
              : fmt::format("{} {}", option->get_name(false, false), option->get_type_name());
      throw InputError(fmt::format("berth {} needs {}{}", command, name, see_help()));
    }
  }

  // Standard input can be read only once.
  void refuse_shared_standard_input() const {
    const CLI::Option* first = nullptr;
    for (const CLI::Option* option : files) {
      for (std::string_view list : option->results()) {
        // Whether or not it takes a list: a file of the name "a,-" is nobody's.
        while (!list.empty()) {
          const std::string_view value = list.substr(0, list.find(','));
          list.remove_prefix(std::min(value.size() + 1, list.size()));
          if (!is_standard_input(value)) continue;
          if (first) fail_shared(*first, *option);
          first = option;
        }
      }
    }
  }

  [[noreturn]] static void fail_shared(const CLI::Option& first, const CLI::Option& second) {
    const auto name = [](const CLI::Option& option) {
      return option.get_name(option.get_positional(), false);
    };
    throw InputError(
        &first == &second
            ? fmt::format("{} names standard input (-) twice; it can be read only once",
                          name(first))
            : fmt::format("{} and {} are both standard input (-); only one can be, so name a file "
                          "for the other",
                          name(first), name(second)));
  }

  std::string command;
  CLI::App app;
  std::vector<const CLI::Option*> files;
  std::vector<std::string> notes;
  std::vector<std::pair<std::string, std::string>> examples;

  std::string footer() const {
    std::string text;
    for (const std::string& paragraph : notes) {
      if (keeps_lines(paragraph)) {
        text += paragraph + "\n\n";
      } else {
        text += report::wrap_text(one_line(paragraph), report::kPageColumns, 0) + '\n';
      }
    }
    if (examples.empty()) return text;
    text += "Examples:";
    for (const auto& [line, sentence] : examples) {
      text += fmt::format("\n  # {}\n  {}", sentence, line);
    }
    return text;
  }

  CommandDescription description() const {
    CommandDescription all{.name = command,
                           .summary = app.get_description(),
                           .positionals = {},
                           .options = {},
                           .notes = notes,
                           .examples = examples};
    for (const CLI::Option* option : app.get_options()) {
      ArgumentDescription one{
          .names = {},
          .value = option->get_type_size() == 0 ? "" : option->get_type_name(),
          .sentence = one_line(option->get_description()),
          .required = option->get_required(),
          .repeatable = option->get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll};
      if (option->get_positional()) {
        one.names = {option->get_name(true, false)};
        all.positionals.push_back(std::move(one));
        continue;
      }
      for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
      for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
      all.options.push_back(std::move(one));
    }
    return all;
  }
};

Arguments::Arguments(std::string command, const std::string& summary)
    : implementation_(std::make_unique<Implementation>(std::move(command), summary)) {}
Arguments::~Arguments() = default;

void Arguments::positional(const std::string& name, std::string& target,
                           const std::string& sentence, Need need) {
  CLI::Option* option = implementation_->app.add_option(name, target, sentence);
  option->type_name("")->required(need == Need::required);
}

void Arguments::option(const std::string& names, const std::string& value, std::string& target,
                       const std::string& sentence, Need need) {
  CLI::Option* option = implementation_->app.add_option(names, target, sentence);
  option->type_name(value)->required(need == Need::required);
  option->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
}

void Arguments::repeated_option(const std::string& names, const std::string& value,
                                std::vector<std::string>& target, const std::string& sentence,
                                Need need) {
  CLI::Option* option = implementation_->app.add_option(names, target, sentence);
  // One value each time; otherwise the option would take the words that follow.
  option->type_name(value)->required(need == Need::required);
  option->expected(1)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

void Arguments::flag(const std::string& names, bool& target, const std::string& sentence) {
  implementation_->app.add_flag(names, target, sentence);
}

void Arguments::reads_file(const std::string& name) {
  implementation_->files.push_back(implementation_->app.get_option(name));
}

void Arguments::note(const std::string& paragraph) { implementation_->notes.push_back(paragraph); }

void Arguments::example(const std::string& line, const std::string& sentence) {
  implementation_->examples.emplace_back(line, sentence);
}

bool Arguments::parse(std::span<const std::string> words) {
  if (!words.empty() && words.back() == kDescribe) {
    throw Described(implementation_->description());
  }
  CLI::App& app = implementation_->app;
  app.footer(implementation_->footer());
  try {
    // CLI11 takes the words last first.
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return false;
  } catch (const CLI::RequiredError&) {
    if (!app.remaining().empty()) implementation_->refuse_extra(app.remaining().front());
    implementation_->require_all();
    throw InputError(fmt::format("arguments are missing{}", implementation_->see_help()));
  } catch (const CLI::ArgumentMismatch& mismatch) {
    implementation_->refuse_missing_value(mismatch.what());
  } catch (const CLI::ParseError& error) {
    throw InputError(fmt::format("{}{}", error.what(), implementation_->see_help()));
  }
  for (const std::string& word : app.remaining()) {
    if (word != "--") implementation_->refuse_extra(word);
  }
  implementation_->refuse_empty_values();
  implementation_->refuse_shared_standard_input();
  return true;
}

bool Arguments::given(const std::string& name) const {
  return implementation_->app.count(name) > 0;
}

}  // namespace berth::cli
