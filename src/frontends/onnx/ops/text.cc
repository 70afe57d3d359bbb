// Operators on strings. Their work is not arithmetic and counts as none.
#include <algorithm>
#include <utility>

#include "frontends/onnx/ops/elementwise.h"
#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

// Stop words go; at most all words stay, and one empty string when none does.
void infer_normalizer(OpContext& op) {
  op.like(0, 0, ElementType::string);
  op.bound();
  Dims& dims = op.out(0).dims;
  if (!dims.empty() && dims.back() == 0) dims.back() = 1;
}

void infer_string_concat(OpContext& op) { set_broadcast(op, ElementType::string, 0, 2, 0); }

// The number of parts of a string depends on its text, unless the number of cuts is limited.
void infer_string_split(OpContext& op) {
  op.like(0, 0, ElementType::string);
  op.like(1, 0, ElementType::int64);
  op.bound();
  if (!op.ranked(0)) return;
  const bool limited = op.has_attribute("maxsplit") && op.attribute("maxsplit", 0) >= 0;
  op.out(0).dims.push_back(limited ? add(op.attribute("maxsplit", 0), 1) : kUnknown);
}

void infer_match(OpContext& op) { op.like(0, 0, ElementType::boolean); }

// One column for each index an n-gram of the pool may have.
void infer_counts(OpContext& op) {
  op.unranked(0, ElementType::float32);
  const auto columns = op.attribute_list("ngram_indexes");
  std::int64_t most = kUnknown;
  if (columns && !columns->empty()) {
    most = add(*std::max_element(columns->begin(), columns->end()), 1);
  }
  if (!op.ranked(0)) return;
  if (op.rank(0) == 0 || op.rank(0) > 2) {
    op.complain_shape(0, "one row of words, or several");
    return;
  }
  Dims dims = op.dims(0);
  dims.back() = most;
  op.work(op.volume_of(0));
  op.tensor(0, ElementType::float32, std::move(dims));
}

constexpr Operator kOperators[] = {
    {kOnnx, "RegexFullMatch", infer_match},        {kOnnx, "StringConcat", infer_string_concat},
    {kOnnx, "StringNormalizer", infer_normalizer}, {kOnnx, "StringSplit", infer_string_split},
    {kOnnx, "TfIdfVectorizer", infer_counts},
};

}  // namespace

std::span<const Operator> text_operators() { return kOperators; }

}  // namespace berth::onnx
