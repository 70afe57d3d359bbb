#include <gtest/gtest.h>

#include "frontends/onnx/infer_notation.h"

namespace berth::onnx {
namespace {

TEST(InferViews, ShareTheirInput) {
  expect_cases({
      {"Reshape", "", {"f32 2x3x4", "i64 2 = 6,-1"}, {"f32 6x4 @0"}},
      {"Reshape",
       "",
       {"f32 2x3x4", "i64 3 = 0,0,2"},
       {"f32 unranked @0"},
       0,
       "the same number of elements"},
      {"Reshape", "", {"f32 2x3x4", "i64 3 = 0,-1,2"}, {"f32 2x6x2 @0"}},
      {"Reshape", "", {"f32 2x3x4", "i64 2 = ?,4"}, {"f32 6x4 @0"}},
      {"Reshape", "", {"f32 2x3x4", "i64 3 = ?,4,-1"}, {"f32 ?x4x? @0"}},
      {"Reshape", "", {"f32 2x3x4", "i64 1"}, {"f32 24 @0"}},
      {"Reshape", "", {"f32 2x3x4", "i64 2"}, {"f32 ?x? @0"}},
      {"Reshape", "", {"f32 2x3x4", "i64 ?"}, {"f32 unranked @0"}},
      {"Reshape", "allowzero=1", {"f32 0x3", "i64 2 = 3,0"}, {"f32 3x0 @0"}},
      {"Reshape", "", {"f32 0x3", "i64 2 = 0,-1"}, {"f32 0x0 @0"}},
      {"Reshape", "", {"f32 2x5", "i64 2 = 3,-1"}, {"f32 3x? @0"}, 0, "multiple of 3"},
      {"Reshape", "", {"i64 2 = 7,8", "i64 2 = 2,1"}, {"i64 2x1 = 7,8 @0"}},
      {"Reshape:1", "shape=3,-1", {"f32 2x3"}, {"f32 3x2 @0"}},
      {"Squeeze", "", {"f32 1x3x1"}, {"f32 3 @0"}},
      {"Squeeze", "", {"f32 1x3x1", "i64 1 = -1"}, {"f32 1x3 @0"}},
      {"Squeeze", "", {"f32 1x3x1", "i64 1"}, {"f32 ?x? @0"}},
      {"Squeeze:11", "axes=0,", {"i64 1 = 5"}, {"i64 scalar = 5 @0"}},
      {"Squeeze:11", "axes=1,", {"f32 1x3"}, {"f32 1 @0"}, 0, "extent 1"},
      {"Squeeze:11", "axes=4,", {"f32 1x3"}, {"f32 unranked @0"}, 0, "axis 4"},
      {"Unsqueeze", "", {"f32 3", "i64 2 = 0,-1"}, {"f32 1x3x1 @0"}},
      {"Unsqueeze:11", "axes=0,", {"i64 scalar = 5"}, {"i64 1 = 5 @0"}},
      {"Unsqueeze", "", {"f32 3", "i64 2 = 0,0"}, {"f32 unranked @0"}, 0, "axis 0"},
      {"Flatten", "", {"f32 2x3x4"}, {"f32 2x12 @0"}},
      {"Flatten", "axis=0", {"f32 2x3"}, {"f32 1x6 @0"}},
      {"Flatten", "axis=-1", {"f32 2x3x4"}, {"f32 6x4 @0"}},
      {"Flatten", "axis=2", {"f32 2x3"}, {"f32 6x1 @0"}},
      {"Identity", "", {"i64 1 = 3"}, {"i64 1 = 3 @0"}},
      {"Dropout", "", {"f32 2x3"}, {"f32 2x3 @0", "bool 2x3"}},
      {"Dropout", "", {"f32 2", "f32 scalar", "bool scalar = 1"}, {"f32 2", "bool 2"}, 4},
      {"Dropout:7", "", {"f32 2"}, {"f32 2 @0", "f32 2"}},
      {"Optional", "", {"f32 2"}, {"opt(f32 2) @0"}},
      {"OptionalGetElement", "", {"opt(f32 2)"}, {"f32 2 @0"}},
  });
}

TEST(InferViews, KnowShapes) {
  expect_cases({
      {"Shape", "", {"f32 2x?x4"}, {"i64 3 = 2,?,4"}},
      {"Shape", "start=1 end=-1", {"f32 2x3x4"}, {"i64 1 = 3"}},
      {"Shape", "start=5", {"f32 2x3"}, {"i64 0 = nothing"}},
      {"Shape", "", {"f32 scalar"}, {"i64 0 = nothing"}},
      {"Shape", "", {"f32 unranked"}, {"i64 ?"}},
      {"Size", "", {"f32 2x3"}, {"i64 scalar = 6"}},
  });
}

TEST(InferMovement, CutsAndJoins) {
  expect_cases({
      {"Transpose", "", {"f32 2x3x4"}, {"f32 4x3x2"}},
      {"Transpose", "perm=1,0", {"i64 2x2 = 1,2,3,4"}, {"i64 2x2 = 1,3,2,4"}},
      {"Transpose", "perm=0,0", {"f32 2x3"}, {"f32 ?x?"}, 0, "once each"},
      {"Concat", "axis=0", {"i64 1 = 2", "i64 2"}, {"i64 3 = 2,?,?"}},
      {"Concat", "axis=1", {"i64 2x1 = 1,2", "i64 2x1 = 3,4"}, {"i64 2x2 = 1,3,2,4"}},
      {"Concat", "axis=-1", {"f32 2x3", "f32 ?x5"}, {"f32 2x8"}},
      {"Concat", "axis=0", {"f32 2x3", "f32 1x4"}, {"f32 3x3"}, 0, "2x3 except for axis 0"},
      {"Concat", "axis=0", {"f32 2", "f32 2x2"}, {"f32 unranked"}, 0, "one rank"},
      {"Split", "", {"f32 7"}, {"f32 4", "f32 3"}},
      {"Split:18", "num_outputs=3", {"f32 7"}, {"f32 3", "f32 3", "f32 1"}},
      {"Split:11", "split=1,2", {"i64 3 = 4,5,6"}, {"i64 1 = 4", "i64 2 = 5,6"}},
      {"Split", "axis=1", {"f32 2x6", "i64 2 = 2,4"}, {"f32 2x2", "f32 2x4"}},
      {"Split", "", {"f32 3", "i64 1 = 3"}, {"f32 ?", "f32 ?"}, 0, "lists 1 parts"},
      {"Slice:9", "starts=1, ends=3,", {"i64 4 = 1,2,3,4"}, {"i64 2 = 2,3"}},
      {"Slice",
       "",
       {"i64 4 = 1,2,3,4", "i64 1 = -1", "i64 1 = -9223372036854775807", "i64 1 = 0", "i64 1 = -1"},
       {"i64 4 = 4,3,2,1"}},
      {"Slice",
       "",
       {"f32 20x10", "i64 2 = 0,2", "i64 2 = 9223372036854775807,9", "i64 2 = 1,0", "i64 2 = 3,2"},
       {"f32 4x4"}},
      {"Slice", "", {"f32 5", "i64 1 = 7", "i64 1 = 9"}, {"f32 0"}},
      {"Slice", "", {"f32 5x2", "i64 1", "i64 1"}, {"f32 5x2 <="}},
      // x[i:i+1] and the like, wherever i comes from.
      {"Slice", "", {"f32 5x2", "i64 1 : 7+0", "i64 1 : 7+1"}, {"f32 1x2"}},
      {"Slice",
       "",
       {"f32 5x9", "i64 1 : 7+2", "i64 1 : 7+6", "i64 1 = -1", "i64 1 = 3"},
       {"f32 5x2"}},
      {"Slice", "", {"f32 5x2", "i64 1 : 7+0", "i64 1 : 7+9"}, {"f32 5x2"}},
      {"Slice", "", {"f32 5x2", "i64 1 : 7+0", "i64 1 : 8+1"}, {"f32 5x2 <="}},
      {"Slice", "", {"f32 5x2", "i64 1 : 7+1", "i64 1 : 7+0"}, {"f32 5x2 <="}},
      {"Slice",
       "",
       {"f32 5", "i64 1 = 0", "i64 1 = 1", "i64 1 = 0", "i64 1 = 0"},
       {"f32 ?"},
       0,
       "has a step of 0"},
      {"Expand", "", {"i64 1 = 3", "i64 2 = 2,2"}, {"i64 2x2 = 3,3,3,3"}},
      {"Expand", "", {"f32 3x1", "i64 1 = 4"}, {"f32 3x4"}},
      {"Expand", "", {"f32 3", "i64 3"}, {"f32 ?x?x?"}},
      {"Expand", "", {"f32 3", "i64 1 = 2"}, {"f32 unranked"}, 0, "broadcasts to 2"},
      {"Tile", "", {"i64 2 = 1,2", "i64 1 = 2"}, {"i64 4 = 1,2,1,2"}},
      {"Tile", "", {"f32 2x3", "i64 2 = 2,2"}, {"f32 4x6"}},
      {"Pad:11", "", {"i64 2 = 7,8", "i64 2 = 1,2"}, {"i64 5 = 0,7,8,0,0"}},
      {"Pad:2",
       "pads=0,0,4611686018427387904,0",
       {"i64 0x0 = nothing"},
       {"i64 4611686018427387904x0 = nothing"}},
      {"Pad:2", "pads=-9223372036854775807,9223372036854775807", {"i64 2 = 7,8"}, {"i64 2 = 0,0"}},
      {"Pad:2", "pads=0,1,0,1", {"f32 2x3"}, {"f32 2x5"}},
      {"Pad:18", "", {"f32 2x3", "i64 2 = 1,-1", "-", "i64 1 = -1"}, {"f32 2x3"}},
      {"Pad:11", "", {"f32 2x3", "i64 2 = 1,1"}, {"f32 ?x?"}, 0, "has 2 pads"},
      {"DepthToSpace", "blocksize=2", {"f32 1x8x2x3"}, {"f32 1x2x4x6"}},
      {"SpaceToDepth", "blocksize=2", {"f32 1x2x4x6"}, {"f32 1x8x2x3"}},
      {"Trilu", "", {"i64 2x2 = 1,2,3,4"}, {"i64 2x2 = 1,2,0,4"}},
      {"Trilu",
       "",
       {"i64 0x9223372036854775807 = nothing"},
       {"i64 0x9223372036854775807 = nothing"}},
      {"Trilu", "upper=0", {"f32 3x3"}, {"f32 3x3"}},
      {"CenterCropPad:18", "axes=1,", {"f32 4x5", "i64 1 = 9"}, {"f32 4x9"}},
  });
}

TEST(InferIndexing, GathersAndScatters) {
  expect_cases({
      {"Gather", "", {"i64 4 = 5,6,7,8", "i64 scalar = -1"}, {"i64 scalar = 8"}},
      {"Gather", "axis=1", {"f32 2x3x4", "i64 5x6"}, {"f32 2x5x6x4"}},
      {"Gather", "axis=1", {"i64 2x2 = 1,2,3,4", "i64 1 = 1"}, {"i64 2x1 = 2,4"}},
      {"Gather", "", {"i64 2 = 5,6", "i64 2 = 9,0"}, {"i64 2 = ?,5"}},
      {"Gather", "axis=3", {"f32 2", "i64 1"}, {"f32 unranked"}, 0, "axis 3"},
      {"GatherElements", "axis=1", {"i64 2x2 = 1,2,3,4", "i64 2x1 = 1,0"}, {"i64 2x1 = 2,3"}},
      {"GatherND", "", {"i64 2x2 = 1,2,3,4", "i64 2x2 = 0,0,1,1"}, {"i64 2 = 1,4"}},
      {"GatherND", "batch_dims=1", {"f32 2x3x4", "i64 2x1"}, {"f32 2x4"}},
      {"GatherND", "", {"f32 2", "i64 3x2"}, {"f32 unranked"}, 0, "at most 1 indices"},
      {"ScatterND", "", {"i64 3 = 1,2,3", "i64 1x1 = 1", "i64 1 = 9"}, {"i64 3 = 1,9,3"}},
      {"ScatterND",
       "",
       {"i64 0x9223372036854775807 = nothing", "i64 1x1 = 0", "i64 1x0"},
       {"i64 0x9223372036854775807 = nothing"}},
      {"ScatterElements", "", {"i64 3 = 1,2,3", "i64 1 = 2", "i64 1"}, {"i64 3"}},
      {"ScatterElements", "", {"i64 3 = 1,2,3", "i64 1 = 2", "i64 1 = 7"}, {"i64 3 = 1,2,7"}},
      {"ScatterElements", "reduction=add", {"f32 3", "i64 1", "f32 1"}, {"f32 3"}, 1},
      {"OneHot", "", {"i64 2 = 1,-1", "i64 scalar = 3", "i64 2 = 0,5"}, {"i64 2x3 = 0,5,0,0,0,5"}},
      {"OneHot", "axis=0", {"i64 2x4", "i64 scalar = 3", "f32 2"}, {"f32 3x2x4"}},
  });
}

TEST(InferGeneration, MakesTensors) {
  expect_cases({
      {"Constant", "value_ints=1,2", {}, {"i64 2 = 1,2"}},
      {"Constant", "value_int=3", {}, {"i64 scalar = 3"}},
      {"Constant", "value_float=0.5", {}, {"f32 scalar = 0.5"}},
      {"Constant", "value_strings=ab,cd", {}, {"str 2"}},
      {"Constant", "", {}, {"unknown"}, 0, "holds no value"},
      {"ConstantOfShape", "", {"i64 2 = 1,2"}, {"f32 1x2 = 0,0"}},
      {"ConstantOfShape", "", {"i64 2 = ?,2"}, {"f32 ?x2"}},
      {"ConstantOfShape", "", {"i64 3"}, {"f32 ?x?x?"}},
      {"Range", "", {"i64 scalar = 2", "i64 scalar = 7", "i64 scalar = 2"}, {"i64 3 = 2,4,6"}, 3},
      {"Range",
       "",
       {"f32 scalar = 1", "f32 scalar = 0", "f32 scalar = -0.5"},
       {"f32 2 = 1,0.5"},
       2},
      {"Range", "", {"i64 scalar = 2", "i64 scalar", "i64 scalar = 2"}, {"i64 ?"}},
      {"EyeLike", "dtype=7 k=1", {"f32 2x2"}, {"i64 2x2 = 0,1,0,0"}},
      {"EyeLike", "", {"f32 0x9223372036854775807"}, {"f32 0x9223372036854775807"}},
      {"RandomNormal", "shape=2,3", {}, {"f32 2x3"}, 60},
      {"RandomUniformLike", "dtype=11", {"f32 4"}, {"f64 4"}, 40},
      {"Bernoulli", "", {"f32 4"}, {"f32 4"}, 40},
      {"Multinomial", "sample_size=5 dtype=7", {"f32 2x3"}, {"i64 2x5"}, 124},
  });
}

TEST(InferOffsets, FollowWhatIsAddedAndLookedAt) {
  expect_cases({
      {"Add", "", {"i64 scalar : 7+1", "i64 scalar = 2"}, {"i64 scalar : 7+3"}, 1},
      {"Add", "", {"i64 scalar = 2", "i64 scalar : 7+1"}, {"i64 scalar : 7+3"}, 1},
      {"Sub", "", {"i64 1 : 7+1", "i64 scalar = 2"}, {"i64 1 : 7+-1"}, 1},
      {"Sub", "", {"i64 1 = 2", "i64 1 : 7+1"}, {"i64 1"}, 1},
      {"Add", "", {"i64 1 : 7+1", "i64 2 = 1,1"}, {"i64 2"}, 2},
      {"Unsqueeze", "", {"i64 scalar : 7+1", "i64 1 = 0"}, {"i64 1 : 7+1 @0"}},
      {"Cast", "to=6", {"i64 1 : 7+1"}, {"i32 1 : 7+1"}, 1},
      {"Cast", "to=1", {"i64 1 : 7+1"}, {"f32 1"}, 1},
  });
}

// What may be smaller than it seems is not blamed for what does not fit, and its results may be
// smaller too.
TEST(InferBounds, GiveWay) {
  expect_cases({
      {"Relu", "", {"f32 5x2 <="}, {"f32 5x2 <="}, 10},
      {"Add", "", {"f32 5x2 <=", "f32 3x2"}, {"f32 3x2 <="}, 6},
      {"Add", "", {"f32 3x2", "f32 5x2 <="}, {"f32 3x2 <="}, 6},
      {"Add", "", {"f32 5x2 <=", "f32 1x2"}, {"f32 5x2 <="}, 10},
      {"Squeeze", "", {"f32 5x2 <=", "i64 1 = 0"}, {"f32 2 @0 <="}},
      {"Reshape", "", {"f32 5x2 <=", "i64 2 = 1,2"}, {"f32 1x2 @0 <="}},
      {"Reshape", "", {"f32 5x2 <=", "i64 2 = 4,-1"}, {"f32 4x2 @0 <="}},
  });
}

TEST(InferTooLarge, IsNotUnknown) {
  const std::string half = "4611686018427387904";
  expect_cases({
      {"Concat", "axis=0", {"i8 " + half, "i8 " + half}, {"i8 large"}},
      {"Tile", "", {"i8 " + half, "i64 1 = 2"}, {"i8 large"}},
      {"Reshape", "", {"i8 ?", "i64 1 = large"}, {"i8 large @0"}},
      {"Expand", "", {"i8 1", "i64 1 = large"}, {"i8 large"}},
      {"ConstantOfShape", "", {"i64 2 = 3,large"}, {"f32 3xlarge"}},
      {"Range", "", {"i64 scalar = 0", "i64 scalar = large", "i64 scalar = 1"}, {"i64 large"}},
      {"Pad:2", "pads=0," + half, {"i8 " + half}, {"i8 large"}},
      {"Flatten", "axis=2", {"f32 " + half + "x4x2"}, {"f32 largex2 @0"}},
      {"Resize:10", "", {"f32 " + half, "f32 1 = 4"}, {"f32 large"}},
  });
}

}  // namespace
}  // namespace berth::onnx
