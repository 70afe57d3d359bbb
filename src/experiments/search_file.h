// The file that keeps a run of `berth bench search` ("format": "berth.bench"), to compare a later
// one with. Doubles survive the round trip exactly.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"
#include "experiments/search_results.h"

namespace berth::experiments {

// The fields of the run into the object that is open in the writer.
void write_search_run(JsonWriter& json, const SearchRun& run);

// Throws InputError naming file, line and column for what is not such a file, of another version,
// or without a key that is needed. Verdicts and the summary are not read: they follow from the
// figures; nor is the seed.
SearchRun parse_search_run(std::string_view text, std::string_view source,
                           std::vector<std::string>* warnings = nullptr);

}  // namespace berth::experiments
