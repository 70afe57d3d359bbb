#include "cli/listing.h"

#include <fmt/format.h>

#include <cmath>

#include "base/error.h"
#include "report/table.h"

namespace berth::cli {
namespace {

const char* type_name(OptionSpec::Type type) {
  switch (type) {
    case OptionSpec::Type::integer:
      return "integer";
    case OptionSpec::Type::real:
      return "number";
    case OptionSpec::Type::boolean:
      return "true or false";
    case OptionSpec::Type::text:
      return "text";
    case OptionSpec::Type::choice:
      return "choice";
  }
  return "";
}

std::string values_text(const OptionSpec& option) {
  if (option.type == OptionSpec::Type::choice) {
    std::string text;
    for (const std::string& choice : option.choices) text += (text.empty() ? "" : " | ") + choice;
    return text;
  }
  const bool numeric =
      option.type == OptionSpec::Type::integer || option.type == OptionSpec::Type::real;
  if (!numeric) return type_name(option.type);
  if (std::isinf(option.high)) return fmt::format("from {:g}", option.low);
  return fmt::format("{:g} to {:g}", option.low, option.high);
}

}  // namespace

std::string options_text(const std::vector<OptionSpec>& options, report::Ink ink) {
  if (options.empty()) return "  no options\n";
  using Align = report::Table::Align;
  report::Table table({{"option"}, {"default"}, {"values", Align::sentence}, {"", Align::sentence}},
                      ink);
  for (const OptionSpec& option : options) {
    table.add_row({option.name, option.default_value, values_text(option), option.sentence});
  }
  return table.to_text(2);
}

void write_options(JsonWriter& json, const std::vector<OptionSpec>& options) {
  json.key("options").begin_array();
  for (const OptionSpec& option : options) {
    json.begin_flat_object().field("name", option.name).field("type", type_name(option.type));
    json.field("default", option.default_value).field("sentence", option.sentence);
    if (std::isfinite(option.high)) json.field("low", option.low).field("high", option.high);
    if (!option.choices.empty()) {
      json.key("choices").begin_flat_array();
      for (const std::string& choice : option.choices) json.value(choice);
      json.end_array();
    }
    json.end_object();
  }
  json.end_array();
}

}  // namespace berth::cli
