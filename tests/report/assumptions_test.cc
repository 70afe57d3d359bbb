// What an answer says of the precision and of training memory.
#include "report/assumptions.h"

#include <gtest/gtest.h>

#include "cluster/presets.h"
#include "frontends/model.h"

namespace berth::report {
namespace {

Problem problem_of(const std::string& cluster, const LoadOptions& options = {}) {
  return Problem(load_model("zoo:tiny", options).graph, make_preset(cluster));
}

std::vector<std::string> said(const std::string& cluster, const LoadOptions& options = {}) {
  return assumptions(problem_of(cluster, options), std::nullopt, "--full");
}

using Sentences = std::vector<std::string>;

TEST(Assumptions, Tf32IsSaidWhereItIsUsed) {
  EXPECT_EQ(said("A100"),
            (Sentences{"Precision: f32, products in TF32 on A100; --full turns it off."}));
  EXPECT_EQ(assumptions(problem_of("A100"), std::nullopt),
            Sentences{"Precision: f32, products in TF32 on A100."});
  EXPECT_EQ(said("A100+V100"), said("A100"));
  EXPECT_EQ(said("A100", {.precision = DType::f32}), (Sentences{"Precision: f32, TF32 off."}));
  // Where there is no TF32, nothing has changed and nothing is said.
  for (const char* old : {"4xP100", "4xK40", "4xK80", "4xV100"}) EXPECT_EQ(said(old), Sentences{});
  EXPECT_EQ(said("4xP100", {.precision = DType::f32}), (Sentences{"Precision: f32."}));
}

TEST(Assumptions, ADeviceWithoutTheRateIsNamed) {
  EXPECT_EQ(said("4xP100", {.precision = DType::bf16}),
            (Sentences{"Precision: bf16; products at the f32 rate on Xeon E5-2698 v4 and P100, "
                       "which have no bf16 rate."}));
  EXPECT_EQ(said("A100", {.precision = DType::i8}),
            (Sentences{"Precision: i8; products at the f32 rate on EPYC 7742, which has no i8 "
                       "rate."}));
}

TEST(Assumptions, WhatMostFlopsRunInIsThePrecision) {
  const PrecisionFacts facts = precision_facts(problem_of("A100"));
  EXPECT_EQ(facts.products, DType::tf32);
  EXPECT_EQ(facts.rates[0].used, DType::f32);  // the host
  EXPECT_EQ(facts.rates[1].used, DType::tf32);
  EXPECT_EQ(precision_facts(problem_of("4xP100")).products, DType::f32);
  EXPECT_EQ(precision_facts(problem_of("4xP100", {.precision = DType::bf16})).products,
            DType::bf16);
}

TEST(Assumptions, TrainingMemoryIsSaidOfWhatIsTrained) {
  const Model model = load_model("zoo:gpt:size=small:batch=1:seq=16");
  ASSERT_TRUE(model.training_memory);
  EXPECT_EQ(training_sentence(*model.training_memory),
            "Training memory: 16 bytes per parameter (adam): 16-bit weights and gradients, 32-bit "
            "master weights and two 32-bit moments; gradients count while they are alive.");
  EXPECT_FALSE(load_model("zoo:tiny").training_memory);
  EXPECT_FALSE(load_model("zoo:resnet", {.mode = zoo::Mode::inference}).training_memory);
}

}  // namespace
}  // namespace berth::report
