// Operators of classical machine learning (ai.onnx.ml): trees, vector machines, encoders.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "frontends/onnx/ops/elementwise.h"
#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

// Rows of features; a vector is one row.
std::int64_t rows_of(const OpContext& op) {
  if (!op.ranked(0)) return kUnknown;
  return op.rank(0) < 2 ? 1 : op.dim(0, 0);
}

std::int64_t columns_of(const OpContext& op) {
  return op.ranked(0) && op.rank(0) > 0 ? op.dim(0, -1) : kUnknown;
}

// The extent a list in an attribute gives, or unknown.
std::int64_t listed(const OpContext& op, std::string_view name) {
  const std::size_t length = op.attribute_length(name);
  return length > 0 ? static_cast<std::int64_t>(length) : kUnknown;
}

void infer_feature_extractor(OpContext& op) {
  op.unranked(0, op.element(0));
  if (!op.ranked(0) || op.rank(0) == 0) return;
  Dims dims = op.rank(0) == 1 ? Dims{1, 0} : op.dims(0);
  dims.back() = op.in(1).elements().value_or(kUnknown);
  op.tensor(0, op.element(0), std::move(dims));
}

void infer_float_output(OpContext& op, double flops) {
  op.like(0, 0, ElementType::float32);
  op.work(flops * op.volume_of(0));
}

void infer_scaler(OpContext& op) { infer_float_output(op, 2); }
void infer_normalizer(OpContext& op) { infer_float_output(op, 3); }

void infer_cast_map(OpContext& op) {
  const std::string_view to = op.attribute_text("cast_to", "TO_FLOAT");
  const ElementType element = to == "TO_STRING"  ? ElementType::string
                              : to == "TO_INT64" ? ElementType::int64
                                                 : ElementType::float32;
  const bool dense = op.attribute_text("map_form", "DENSE") == "DENSE";
  op.tensor(0, element, {1, dense ? kUnknown : std::max(op.attribute("max_map", 1), kUnknown)});
}

void infer_category_mapper(OpContext& op) {
  const bool strings = op.element(0) == ElementType::string;
  op.like(0, 0, strings ? ElementType::int64 : ElementType::string);
}

void infer_dictionary(OpContext& op) {
  const std::int64_t words =
      either(listed(op, "string_vocabulary"), listed(op, "int64_vocabulary"));
  op.tensor(0, ElementType::undefined, {1, words});
}

// Inputs side by side, each of a fixed number of columns.
void infer_feature_vector(OpContext& op) {
  const Dims given = op.attribute_list("inputdimensions").value_or(Dims{});
  std::int64_t columns = 0;
  for (std::size_t index = 0; index < op.input_count(); ++index) {
    const std::int64_t own = op.rank(index) > 0 ? op.dim(index, -1) : kUnknown;
    const std::int64_t said = index < given.size() ? std::max(given[index], kUnknown) : kUnknown;
    columns = add(columns, either(said, own));
  }
  op.tensor(0, ElementType::float32, {rows_of(op), columns});
}

// Which list of values is there says what the labels become.
void infer_label_encoder(OpContext& op) {
  struct Choice {
    std::string_view name;
    ElementType element;
  };
  constexpr Choice kChoices[] = {{"values_strings", ElementType::string},
                                 {"values_int64s", ElementType::int64},
                                 {"values_floats", ElementType::float32}};
  const bool strings = op.element(0) == ElementType::string;
  ElementType element = strings ? ElementType::int64 : ElementType::string;  // version 1
  for (const Choice& choice : kChoices) {
    if (op.has_attribute(choice.name)) element = choice.element;
  }
  const Attribute* tensor = op.node().attribute("values_tensor");
  if (tensor != nullptr && !tensor->tensors.empty()) element = tensor->tensors.front().element;
  op.like(0, 0, element);
}

void infer_one_hot(OpContext& op) {
  op.like(0, 0, ElementType::float32);
  const std::int64_t categories = either(listed(op, "cats_int64s"), listed(op, "cats_strings"));
  if (op.ranked(0)) op.out(0).dims.push_back(categories);
}

void set_labels(OpContext& op, bool strings) {
  op.tensor(0, strings ? ElementType::string : ElementType::int64, {rows_of(op)});
}

void infer_linear_classifier(OpContext& op) {
  const bool strings = op.attribute_length("classlabels_strings") > 0;
  const std::int64_t classes =
      either(listed(op, "classlabels_strings"), listed(op, "classlabels_ints"));
  const std::int64_t scores = either(classes, listed(op, "intercepts"));
  set_labels(op, strings);
  op.tensor(1, ElementType::float32, {rows_of(op), scores});
  op.work(extent(rows_of(op)) * extent(scores) * (2 * extent(columns_of(op)) + 2));
}

void infer_linear_regressor(OpContext& op) {
  const std::int64_t targets = std::max(op.attribute("targets", 1), kUnknown);
  op.tensor(0, ElementType::float32, {rows_of(op), targets});
  op.work(extent(rows_of(op)) * extent(targets) * (2 * extent(columns_of(op)) + 1));
}

// Every row against every vector; without vectors the machine is linear.
double vector_flops(const OpContext& op) {
  const auto numbers = static_cast<double>(
      std::max(op.attribute_length("support_vectors"), op.attribute_length("coefficients")));
  return extent(rows_of(op)) * 3 * numbers;
}

void infer_vector_classifier(OpContext& op) {
  const bool strings = op.attribute_length("classlabels_strings") > 0;
  const std::int64_t classes =
      either(listed(op, "classlabels_strings"), listed(op, "classlabels_ints"));
  set_labels(op, strings);
  op.tensor(1, ElementType::float32, {rows_of(op), classes});
  op.work(vector_flops(op));
}

void infer_vector_regressor(OpContext& op) {
  op.tensor(0, ElementType::float32, {rows_of(op), 1});
  op.work(vector_flops(op));
}

// One path down each tree: as many comparisons as an even tree is deep.
double tree_flops(const OpContext& op) {
  double trees = 1;
  double nodes = static_cast<double>(op.attribute_length("nodes_splits"));
  if (const auto ids = op.attribute_list("nodes_treeids")) {
    nodes = static_cast<double>(ids->size());
    trees =
        ids->empty()
            ? 1
            : extent(std::max<std::int64_t>(0, *std::max_element(ids->begin(), ids->end()))) + 1;
  } else if (op.has_attribute("tree_roots")) {
    trees = static_cast<double>(std::max<std::size_t>(1, op.attribute_length("tree_roots")));
  }
  const double depth = std::log2(std::max(2.0, nodes / trees));
  return extent(rows_of(op)) * std::min(trees, std::max(nodes, 1.0)) * 2 * depth;
}

void infer_tree_classifier(OpContext& op) {
  const bool strings = op.attribute_length("classlabels_strings") > 0;
  const std::int64_t classes =
      either(listed(op, "classlabels_strings"), listed(op, "classlabels_int64s"));
  set_labels(op, strings);
  op.tensor(1, ElementType::float32, {rows_of(op), classes});
  op.work(tree_flops(op));
}

void infer_tree_regressor(OpContext& op) {
  const std::int64_t targets = std::max(op.attribute("n_targets", 1), kUnknown);
  op.tensor(0, ElementType::float32, {rows_of(op), targets});
  op.work(tree_flops(op));
}

void infer_tree_ensemble(OpContext& op) {
  const std::int64_t targets = std::max(op.attribute("n_targets", 1), kUnknown);
  op.tensor(0, op.element(0), {rows_of(op), targets});
  op.work(tree_flops(op));
}

// A sequence of maps from label to score.
void infer_zip_map(OpContext& op) {
  Value& value = op.out(0);
  value = Value{};
  value.kind = Type::Kind::sequence;
  value.length = rows_of(op);
  Value map;
  map.kind = Type::Kind::map;
  value.inner.push_back(std::move(map));
}

constexpr Operator kOperators[] = {
    {kClassical, "ArrayFeatureExtractor", infer_feature_extractor},
    {kClassical, "Binarizer", same_shape<1>},
    {kClassical, "CastMap", infer_cast_map},
    {kClassical, "CategoryMapper", infer_category_mapper},
    {kClassical, "DictVectorizer", infer_dictionary},
    {kClassical, "FeatureVectorizer", infer_feature_vector},
    {kClassical, "Imputer", same_shape<1>},
    {kClassical, "LabelEncoder", infer_label_encoder},
    {kClassical, "LinearClassifier", infer_linear_classifier},
    {kClassical, "LinearRegressor", infer_linear_regressor},
    {kClassical, "Normalizer", infer_normalizer},
    {kClassical, "OneHotEncoder", infer_one_hot},
    {kClassical, "SVMClassifier", infer_vector_classifier},
    {kClassical, "SVMRegressor", infer_vector_regressor},
    {kClassical, "Scaler", infer_scaler},
    {kClassical, "TreeEnsemble", infer_tree_ensemble},
    {kClassical, "TreeEnsembleClassifier", infer_tree_classifier},
    {kClassical, "TreeEnsembleRegressor", infer_tree_regressor},
    {kClassical, "ZipMap", infer_zip_map},
};

}  // namespace

std::span<const Operator> classical_operators() { return kOperators; }

}  // namespace berth::onnx
