#include <gtest/gtest.h>

#include "frontends/onnx/infer_notation.h"

namespace berth::onnx {
namespace {

TEST(InferSelection, GivesTheLargestItCanBe) {
  expect_cases({
      {"NonZero", "", {"f32 2x3"}, {"i64 2x6 <="}, 6},
      {"NonZero", "", {"i64 2x2 = 0,1,1,0"}, {"i64 2x2 = 0,1,1,0"}, 4},
      {"NonZero", "", {"i64 2 = 0,?"}, {"i64 1x2 <="}, 2},
      {"TopK", "", {"f32 2x8", "i64 1 = 4"}, {"f32 2x4", "i64 2x4"}, 32},
      {"TopK", "axis=0", {"f32 8x2", "i64 1"}, {"f32 8x2 <=", "i64 8x2 <="}, 48},
      {"TopK:1", "k=2", {"f32 8"}, {"f32 2", "i64 2"}, 8},
      {"TopK", "", {"i64 3 = 4,9,5", "i64 1 = 2"}, {"i64 2 = 9,5", "i64 2 = 1,2"}, 3},
      {"TopK", "", {"f32 2", "i64 1 = 5"}, {"f32 2", "i64 2"}, 2, "picks 5 of 2"},
      {"Unique", "", {"f32 2x4"}, {"f32 8 <=", "i64 8 <=", "i64 8 <=", "i64 8 <="}, 24},
      {"Unique", "axis=1", {"f32 2x4"}, {"f32 2x4 <=", "i64 4 <="}, 16},
      {"Compress", "axis=0", {"f32 3x2", "bool 3"}, {"f32 3x2 <="}},
      {"Compress", "", {"f32 3x2", "bool 3 = 1,0,1"}, {"f32 2"}},
      {"NonMaxSuppression",
       "",
       {"f32 2x8x4", "f32 2x3x8", "i64 1 = 5"},
       {"i64 30x3 <="},
       48 * (3 + 16 * 5)},
      {"NonMaxSuppression", "", {"f32 1x8x4", "f32 1x1x8"}, {"i64 0x3 <="}, 24},
  });
}

TEST(InferQuantization, TakesTypesFromScalesAndZeroPoints) {
  expect_cases({
      {"QuantizeLinear", "", {"f32 4", "f32 scalar", "i8 scalar"}, {"i8 4"}, 12},
      {"QuantizeLinear:21", "output_dtype=3", {"f32 4", "f32 scalar"}, {"i8 4"}, 12},
      {"DequantizeLinear:19", "", {"u8 4", "f16 scalar"}, {"f16 4"}, 8},
      {"DequantizeLinear:21", "block_size=2 axis=0", {"i4 4", "f32 2"}, {"f32 4"}, 8},
      {"DynamicQuantizeLinear", "", {"f32 4"}, {"u8 4", "f32 scalar", "u8 scalar"}, 20},
      {"com.microsoft.QLinearAdd:1", "", {"u8 2x1", "f32 1", "u8 1", "u8 3"}, {"u8 2x3"}, 36},
      {"com.microsoft.QLinearConcat:1",
       "axis=1",
       {"f32 1", "u8 1", "u8 2x3", "f32 1", "u8 1", "u8 2x4", "f32 1", "u8 1"},
       {"u8 2x7"},
       28},
  });
}

TEST(InferSequence, KeepsWhatIsCommon) {
  expect_cases({
      {"SequenceEmpty", "", {}, {"seq(f32 unranked)*0"}},
      {"SequenceConstruct", "", {"f32 2x3", "f32 2x4"}, {"seq(f32 2x?)*2"}},
      {"SequenceInsert", "", {"seq(f32 unranked)*0", "f32 2"}, {"seq(f32 2)*1"}},
      {"SequenceErase", "", {"seq(f32 2)*2"}, {"seq(f32 2)*1"}},
      {"SequenceAt", "", {"seq(f32 2)*2", "i64 scalar"}, {"f32 2"}},
      {"SequenceLength", "", {"seq(f32 2)*2"}, {"i64 scalar = 2"}},
      {"SplitToSequence", "", {"f32 4x3", "i64 scalar = 2"}, {"seq(f32 2x3)*2"}},
      {"SplitToSequence", "keepdims=0", {"f32 4x3"}, {"seq(f32 3)*4"}},
      {"SplitToSequence", "axis=1", {"f32 4x3", "i64 2 = 1,2"}, {"seq(f32 4x?)*2"}},
      {"ConcatFromSequence", "axis=0", {"seq(f32 2x3)*4"}, {"f32 8x3"}},
      {"ConcatFromSequence", "axis=0 new_axis=1", {"seq(f32 2x3)*4"}, {"f32 4x2x3"}},
      {"OptionalHasElement", "", {"opt(f32 2)"}, {"bool scalar"}},
  });
}

TEST(InferImage, Resizes) {
  expect_cases({
      {"Resize:10", "", {"f32 1x1x7x7", "f32 4 = 1,1,0.428571433,2"}, {"f32 1x1x3x14"}},
      {"Resize:11",
       "mode=linear",
       {"f32 1x1x2x2", "f32 0", "f32 0", "i64 4 = 1,1,4,4"},
       {"f32 1x1x4x4"},
       128},
      {"Resize", "mode=cubic", {"f32 1x1x2x2", "-", "f32 4 = 1,1,2,2"}, {"f32 1x1x4x4"}, 512},
      {"Resize:18", "axes=3,2", {"f32 1x1x4x4", "-", "-", "i64 2 = 6,8"}, {"f32 1x1x8x6"}},
      {"Resize:18",
       "axes=2,3 keep_aspect_ratio_policy=not_larger",
       {"f32 1x1x4x8", "-", "-", "i64 2 = 8,8"},
       {"f32 1x1x4x8"}},
      {"Resize:18",
       "axes=2,3 keep_aspect_ratio_policy=not_smaller",
       {"f32 1x1x4x8", "-", "-", "i64 2 = 8,8"},
       {"f32 1x1x8x16"}},
      {"Resize:11", "", {"f32 1x1x2x2", "f32 0", "f32 4"}, {"f32 ?x?x?x?"}},
      {"Resize:11", "", {"f32 1x1", "f32 0", "f32 1 = 2"}, {"f32 ?x?"}, 0, "expected 2"},
      {"Upsample:9", "", {"f32 1x1x2x2", "f32 4 = 1,1,2,3"}, {"f32 1x1x4x6"}},
      {"Upsample:7", "scales=1.0,1.0,2.0,3.0", {"f32 1x1x2x2"}, {"f32 1x1x4x6"}},
      {"Upsample:1", "height_scale=2.0 width_scale=3.0", {"f32 1x1x2x2"}, {"f32 1x1x4x6"}},
      {"RoiAlign",
       "output_height=2 output_width=3 sampling_ratio=1",
       {"f32 1x5x8x8", "f32 7x4", "i64 7"},
       {"f32 7x5x2x3"},
       1680},
      {"GridSample", "", {"f32 2x3x4x4", "f32 2x5x6x2"}, {"f32 2x3x5x6"}, 1440},
      {"AffineGrid:20", "", {"f32 2x2x3", "i64 4 = 2,3,5,6"}, {"f32 2x5x6x2"}, 720},
      {"Col2Im:18", "", {"f32 1x12x9", "i64 2 = 4,4", "i64 2 = 2,2"}, {"f32 1x3x4x4"}, 108},
      {"ImageDecoder:20", "", {"u8 100"}, {"u8 ?x?x3"}},
  });
}

TEST(InferSignal, Transforms) {
  expect_cases({
      {"DFT", "axis=1", {"f32 2x8x1"}, {"f32 2x8x2"}, 240},
      {"DFT:20", "onesided=1", {"f32 2x8x1"}, {"f32 2x5x2"}, 240},
      {"DFT", "axis=1", {"f32 2x8x1", "i64 scalar = 4"}, {"f32 2x4x2"}, 80},
      {"STFT", "", {"f32 1x20x1", "i64 scalar = 4", "f32 8"}, {"f32 1x4x5x2"}, 4 * (120 + 8)},
      {"HannWindow", "", {"i64 scalar = 10"}, {"f32 10"}, 60},
      {"MelWeightMatrix",
       "",
       {"i64 scalar = 8", "i64 scalar = 16", "i64 scalar", "f32 scalar", "f32 scalar"},
       {"f32 9x8"},
       288},
      {"com.microsoft.Rfft:1", "", {"f32 2x8"}, {"f32 2x5x2"}, 240},
  });
}

TEST(InferText, Strings) {
  expect_cases({
      {"StringNormalizer", "", {"str 4"}, {"str 4 <="}},
      {"StringConcat:20", "", {"str 2x1", "str 3"}, {"str 2x3"}},
      {"StringSplit:20", "maxsplit=2", {"str 5"}, {"str 5x3 <=", "i64 5 <="}},
      {"RegexFullMatch:20", "", {"str 5"}, {"bool 5"}},
      {"TfIdfVectorizer", "ngram_indexes=0,4,2", {"i64 3x6"}, {"f32 3x5"}, 18},
  });
}

TEST(InferTraining, LossesAndOptimizers) {
  expect_cases({
      {"NegativeLogLikelihoodLoss", "reduction=none", {"f32 2x3x4", "i64 2x4"}, {"f32 2x4"}, 16},
      {"SoftmaxCrossEntropyLoss", "", {"f32 2x3", "i64 2"}, {"f32 scalar", "f32 2x3"}, 34},
      {"ai.onnx.preview.training.Adam:1",
       "",
       {"f32 scalar", "i64 scalar", "f32 2", "f32 2", "f32 2", "f32 2"},
       {"f32 2", "f32 2", "f32 2"},
       28},
      {"ai.onnx.preview.training.Momentum:1",
       "",
       {"f32 scalar", "i64 scalar", "f32 2", "f32 3", "f32 2", "f32 3", "f32 2", "f32 3"},
       {"f32 2", "f32 3", "f32 2", "f32 3"},
       30},
      {"ai.onnx.preview.training.Gradient:1", "xs=a,b", {"f32 2", "f32 3"}, {"f32 2", "f32 3"}},
  });
}

TEST(InferAttention, CountsBothProducts) {
  // scores 2*4*8*8 = 512, each 2*16 + 2*16 + 5 = 69
  expect_cases({
      {"Attention:23",
       "",
       {"f32 2x4x8x16", "f32 2x4x8x16", "f32 2x4x8x16"},
       {"f32 2x4x8x16"},
       35328},
      {"Attention:23",
       "q_num_heads=4 kv_num_heads=2",
       {"f32 2x8x64", "f32 2x8x32", "f32 2x8x32"},
       {"f32 2x8x64", "f32 2x2x8x16", "f32 2x2x8x16"},
       35328},
      {"com.microsoft.Attention:1",
       "num_heads=4",
       {"f32 2x8x64", "f32 64x192", "f32 192"},
       {"f32 2x8x64", "f32 2x2x4x8x16"},
       35328 + 2.0 * 1024 * 192},
      {"com.microsoft.MultiHeadAttention:1",
       "num_heads=4",
       {"f32 2x8x64", "f32 2x8x64", "f32 2x8x64"},
       {"f32 2x8x64"},
       35328},
      {"com.microsoft.MultiHeadAttention:1",
       "num_heads=4",
       {"f32 2x8x4x3x16"},
       {"f32 2x8x64"},
       35328},
      {"com.microsoft.GroupQueryAttention:1",
       "num_heads=4 kv_num_heads=2",
       {"f32 2x1x64", "f32 2x1x32", "f32 2x1x32", "f32 2x2x7x16", "f32 2x2x7x16"},
       {"f32 2x1x64", "f32 2x2x8x16", "f32 2x2x8x16"},
       4416},
      {"com.microsoft.GroupQueryAttention:1",
       "num_heads=4 kv_num_heads=2",
       {"f32 2x1x128", "-", "-", "f32 2x2x8x16", "f32 2x2x8x16", "i32 2", "i32 scalar = 8"},
       {"f32 2x1x64", "f32 2x2x8x16", "f32 2x2x8x16"},
       4416},
      {"com.microsoft.RotaryEmbedding:1",
       "",
       {"f32 2x8x64", "i64 1", "f32 8x8", "f32 8x8"},
       {"f32 2x8x64"},
       3072},
      {"com.microsoft.EmbedLayerNormalization:1",
       "",
       {"i32 2x8", "i32 2x8", "f32 100x4", "f32 8x4"},
       {"f32 2x8x4", "i32 2"},
       640},
  });
}

TEST(InferClassical, CountsRowsAndLabels) {
  expect_cases({
      {"ai.onnx.ml.LinearClassifier:1",
       "classlabels_ints=0,1,2 intercepts=0.0,0.0,0.0",
       {"f32 5x4"},
       {"i64 5", "f32 5x3"},
       150},
      {"ai.onnx.ml.LinearRegressor:1", "targets=2", {"f32 5x4"}, {"f32 5x2"}, 90},
      {"ai.onnx.ml.TreeEnsembleClassifier:3",
       "classlabels_strings=a,b nodes_treeids=0,0,0,0,1,1,1,1",
       {"f32 5x4"},
       {"str 5", "f32 5x2"},
       40},
      {"ai.onnx.ml.SVMRegressor:1",
       "support_vectors=1.0,2.0,3.0,4.0",
       {"f32 5x4"},
       {"f32 5x1"},
       60},
      {"ai.onnx.ml.OneHotEncoder:1", "cats_int64s=1,2,3", {"i64 5"}, {"f32 5x3"}},
      {"ai.onnx.ml.LabelEncoder:2", "keys_strings=a,b values_floats=1.0,2.0", {"str 5"}, {"f32 5"}},
      {"ai.onnx.ml.ArrayFeatureExtractor:1", "", {"f32 5x4", "i64 2"}, {"f32 5x2"}},
      {"ai.onnx.ml.FeatureVectorizer:1",
       "inputdimensions=2,3",
       {"f32 5x2", "f32 5x3"},
       {"f32 5x5"}},
      {"ai.onnx.ml.ZipMap:1", "", {"f32 5x3"}, {"seq(map)*5"}},
      {"ai.onnx.ml.Scaler:1", "", {"i64 5x3"}, {"f32 5x3"}, 30},
  });
}

TEST(Infer, DoesNotKnowWhatItHasNeverHeardOf) {
  const Inferred result = run_infer({"my.domain.Frobnicate", "", {"f32 1"}, {"", ""}});
  EXPECT_FALSE(result.known_op);
  EXPECT_EQ(result.outputs.size(), 2U);
  EXPECT_EQ(result.alias, (std::vector<int>{-1, -1}));
}

}  // namespace
}  // namespace berth::onnx
