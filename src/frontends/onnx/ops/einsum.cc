// Einstein sums. Work is that of the direct sum over all labels, with every factor multiplied at
// every point. What a good kernel saves by pairing factors is not counted.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "frontends/onnx/ops/families.h"

namespace berth::onnx {
namespace {

std::size_t index_of(char label) { return static_cast<unsigned char>(label); }

constexpr std::size_t kMostFactors = 64;
constexpr std::size_t kMostText = 4096;

struct Term {
  std::string labels;        // letters only
  std::size_t ellipsis = 0;  // letters before it
  bool has_ellipsis = false;
};

bool is_letter(char character) {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z');
}

std::optional<Term> parse_term(std::string_view text) {
  Term term;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == ' ') continue;
    if (text.substr(at, 3) == "...") {
      if (term.has_ellipsis) return std::nullopt;
      term.has_ellipsis = true;
      term.ellipsis = term.labels.size();
      at += 2;
    } else if (is_letter(text[at]) && term.labels.size() < kMaxRank) {
      term.labels.push_back(text[at]);
    } else {
      return std::nullopt;
    }
  }
  return term;
}

struct Equation {
  std::vector<Term> factors;
  Term result;
};

// Without a result written out: the ellipsis, then the labels that occur once, in order.
Term implied_result(const std::vector<Term>& factors) {
  std::array<int, 128> uses{};
  Term result;
  for (const Term& factor : factors) {
    result.has_ellipsis = result.has_ellipsis || factor.has_ellipsis;
    for (const char label : factor.labels) ++uses[index_of(label)];
  }
  for (std::size_t label = 0; label < uses.size(); ++label) {
    if (uses[label] == 1) result.labels.push_back(static_cast<char>(label));
  }
  return result;
}

std::optional<Equation> parse(std::string_view text) {
  if (text.size() > kMostText) return std::nullopt;
  Equation equation;
  const std::size_t arrow = text.find("->");
  std::string_view left = text.substr(0, arrow);
  while (true) {
    const std::size_t comma = left.find(',');
    const auto factor = parse_term(left.substr(0, comma));
    if (!factor || equation.factors.size() == kMostFactors) return std::nullopt;
    equation.factors.push_back(*factor);
    if (comma == std::string_view::npos) break;
    left.remove_prefix(comma + 1);
  }
  if (arrow == std::string_view::npos) {
    equation.result = implied_result(equation.factors);
    return equation;
  }
  const auto result = parse_term(text.substr(arrow + 2));
  if (!result) return std::nullopt;
  equation.result = *result;
  return equation;
}

// What each label and the ellipsis stand for.
struct Extents {
  std::array<std::int64_t, 128> labels;
  std::array<bool, 128> used{};
  Dims ellipsis;
};

// Enters one factor; false when it contradicts what is known.
bool enter(Extents& extents, const Term& term, const Dims& dims) {
  if (dims.size() < term.labels.size()) return false;
  const std::size_t covered = dims.size() - term.labels.size();
  if (covered > 0 && !term.has_ellipsis) return false;
  Dims hidden;
  for (std::size_t axis = 0; axis < dims.size(); ++axis) {
    const std::size_t start = term.has_ellipsis ? term.ellipsis : dims.size();
    if (axis >= start && axis < start + covered) {
      hidden.push_back(dims[axis]);
      continue;
    }
    const char label = term.labels[axis < start ? axis : axis - covered];
    std::int64_t& extent = extents.labels[index_of(label)];
    const bool repeated = extents.used[index_of(label)];
    extents.used[index_of(label)] = true;
    // A repeated label must have one extent, or 1 as in a broadcast.
    const auto joined = broadcast({repeated ? extent : 1}, {dims[axis]});
    if (!joined) return false;
    extent = joined->front();
  }
  auto joined = broadcast(extents.ellipsis, hidden);
  if (!joined) return false;
  extents.ellipsis = std::move(*joined);
  return true;
}

void infer_einsum(OpContext& op) {
  op.unranked(0, op.element(0));
  const std::string_view text = op.attribute_text("equation", "");
  const auto equation = parse(text);
  if (!equation || equation->factors.size() != op.input_count()) {
    op.complain(
        fmt::format("has the equation {} for {} inputs; expected one term of letters per input",
                    quoted(text.substr(0, 100)), op.input_count()));
    return;
  }
  Extents extents;
  extents.labels.fill(kUnknown);
  for (std::size_t index = 0; index < op.input_count(); ++index) {
    if (!op.ranked(index)) return;
    if (enter(extents, equation->factors[index], op.dims(index))) continue;
    op.complain_shape(index, fmt::format("what {} says", quoted(text.substr(0, 100))));
    return;
  }
  Dims dims;
  const Term& result = equation->result;
  std::array<bool, 128> kept{};
  for (std::size_t at = 0; at <= result.labels.size(); ++at) {
    if (result.has_ellipsis && at == result.ellipsis) {
      dims.insert(dims.end(), extents.ellipsis.begin(), extents.ellipsis.end());
    }
    if (at == result.labels.size()) break;
    const auto label = index_of(result.labels[at]);
    if (!extents.used[label]) {
      op.complain(fmt::format(
          "has a result of {} with a label that no input has; expected labels of the inputs",
          quoted(text.substr(0, 100))));
      return;
    }
    kept[label] = true;
    dims.push_back(extents.labels[label]);
  }
  // The plain loop nest over all labels, with one multiplication per further factor and an
  // addition.
  double points = volume(extents.ellipsis);
  for (std::size_t label = 0; label < extents.used.size(); ++label) {
    if (extents.used[label]) points *= extent(extents.labels[label]);
  }
  const bool sums = kept != extents.used || (!result.has_ellipsis && !extents.ellipsis.empty());
  if (op.input_count() > 1 || sums) op.work(points * static_cast<double>(op.input_count()));
  op.tensor(0, op.element(0), std::move(dims));
}

constexpr Operator kOperators[] = {{kOnnx, "Einsum", infer_einsum}};

}  // namespace

std::span<const Operator> einsum_operators() { return kOperators; }

}  // namespace berth::onnx
