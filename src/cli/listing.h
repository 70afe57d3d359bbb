// What `methods` and `zoo` share: options described for people and for scripts.
#pragma once

#include <string>
#include <vector>

#include "base/json_writer.h"
#include "base/options.h"
#include "report/text.h"

namespace berth::cli {

// A table of the options; a line saying so when there are none.
std::string options_text(const std::vector<OptionSpec>& options, report::Ink ink);
// The key "options" with one object per option.
void write_options(JsonWriter& json, const std::vector<OptionSpec>& options);

}  // namespace berth::cli
