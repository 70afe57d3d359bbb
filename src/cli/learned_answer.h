// What learned methods and policies report in addition to a plan, as text and as JSON.
#pragma once

#include <optional>
#include <string>

#include "base/json_writer.h"
#include "place/learned/module.h"
#include "report/text.h"

namespace berth::cli {

// What the file of a curve is for, as commands say where they list what they wrote.
inline constexpr const char* kCurveUse = "the curve, one JSON object per line";

// "12.3 ms", with what is wrong with the plan where something is.
std::string step_text(const Outcome& outcome, report::Ink ink);
// The mean of the samples that fit; "-" when none does.
std::string sample_mean_text(const place::Learned& learned);

// The plan training began with, the greedy plan of the policy and, where it was sampled, what its
// samples were like. `about` says where the policy comes from; it may be empty.
std::string learned_text(const place::Learned& learned, const std::string& about, bool sampled,
                         report::Ink ink);
void write_learned(JsonWriter& json, const place::Learned& learned);

// "hdp, trained with 5,000 evaluations on zoo:tiny on 2xP100, seed 0"
std::string policy_text(const place::PolicySummary& policy);
void write_policy_summary(JsonWriter& json, const place::PolicySummary& policy);

}  // namespace berth::cli
