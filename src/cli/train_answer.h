// What `train` shows: the line while it runs, the table at its end, the object for scripts.
#pragma once

#include <string>
#include <string_view>

#include "place/learned/module.h"
#include "report/text.h"

namespace berth::cli {

// `on_interrupt` says what Ctrl-C does: "saves".
std::string training_line(const std::string& method, const place::TrainingProgress& progress,
                          std::string_view on_interrupt);

// One row per case, then what it took.
std::string trained_text(const place::Trained& trained, report::Ink ink);

std::string trained_json(const place::TrainingRequest& request, const place::Trained& trained);

}  // namespace berth::cli
