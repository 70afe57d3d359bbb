#include "frontends/references.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace berth {
namespace {

// "op:k" taken apart at its last colon; `output` is empty when there is none such.
struct Split {
  std::string_view op;
  std::string_view output;
};

Split split_reference(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return {text, {}};
  const std::string_view output = text.substr(colon + 1);
  const bool digits =
      !output.empty() && output.find_first_not_of("0123456789") == std::string_view::npos;
  if (!digits) return {text, {}};
  return {text.substr(0, colon), output};
}

// Resolves one reference after the other; says what is wrong with the one in hand.
class Resolver {
 public:
  Resolver(const JsonReader& reader, const GraphBuilder& builder)
      : reader_(reader), builder_(builder) {
    // Hardly any graph has an op whose own name ends like "a:0". Without one, half of the look-ups,
    // which dominate the loading time, can be skipped.
    for (std::size_t i = 0; i < builder.op_count() && !names_end_in_number_; ++i) {
      names_end_in_number_ = !split_reference(builder.op_name(OpId(i))).output.empty();
    }
  }

  OpId op(const NamedPlace& place, OpId referring) const {
    if (const auto found = builder_.find_op(place.name)) return *found;
    const Split split = split_reference(place.name);
    if (!split.output.empty() && builder_.find_op(split.op)) {
      fail(place, referring,
           fmt::format("\"after\" takes ops, not tensors: write {} instead of {}", quoted(split.op),
                       quoted(place.name)));
    }
    fail_unknown(place, referring, place.name);
  }

  TensorRef tensor(const NamedPlace& place, OpId referring) const {
    const Split split = split_reference(place.name);
    if (split.output.empty() || names_end_in_number_) {
      const auto whole = builder_.find_op(place.name);
      if (whole) return output(place, referring, *whole, "0");
    }
    const auto found = split.output.empty() ? std::nullopt : builder_.find_op(split.op);
    if (!found) fail_unknown(place, referring, split.op);
    return output(place, referring, *found, split.output);
  }

 private:
  TensorRef output(const NamedPlace& place, OpId referring, OpId producer,
                   std::string_view number) const {
    const std::size_t count = builder_.output_count(producer);
    std::size_t k = 0;
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), k);
    if (parsed.ec == std::errc() && k < count) return {producer, static_cast<std::uint32_t>(k)};
    const std::string which = quoted(builder_.op_name(producer));
    if (count == 0) {
      fail(place, referring,
           fmt::format("{} cannot be read, because op {} has no outputs", quoted(place.name),
                       which));
    }
    fail(place, referring,
         fmt::format("there is no {}: op {} has {} output{}, counted from 0", quoted(place.name),
                     which, count, count == 1 ? "" : "s"));
  }

  [[noreturn]] void fail_unknown(const NamedPlace& place, OpId referring,
                                 std::string_view op) const {
    std::vector<std::string> known;
    for (std::size_t i = 0; i < builder_.op_count(); ++i) {
      const std::string_view name = builder_.op_name(OpId(i));
      // Names that differ more in length are not near in spelling, and there may be a million
      // names.
      const std::size_t longer = std::max(name.size(), op.size());
      if (longer - std::min(name.size(), op.size()) <= op.size() / 3 + 1) known.emplace_back(name);
    }
    fail(place, referring, fmt::format("there is no op {}{}", quoted(op), did_you_mean(op, known)));
  }

  [[noreturn]] void fail(const NamedPlace& place, OpId referring,
                         const std::string& sentence) const {
    reader_.fail_at(place.position,
                    referring.valid() ? fmt::format("{} (in op {})", sentence,
                                                    quoted(builder_.op_name(referring)))
                                      : fmt::format("{} (in \"outputs\" of the graph)", sentence));
  }

  const JsonReader& reader_;
  const GraphBuilder& builder_;
  bool names_end_in_number_ = false;
};

}  // namespace

void References::add(const JsonReader& reader, Kind kind, OpId op, const NamedPlace& place) {
  constexpr std::size_t kMost = Graph::kNone - 1;
  if (references_.size() == kMost) {
    reader.fail_at(place.position, fmt::format("the graph has more than {} edges", kMost));
  }
  references_.push_back({place, op, kind});
}

void References::resolve(const JsonReader& reader, GraphBuilder& builder) const {
  const Resolver resolver(reader, builder);
  for (const auto& [place, op, kind] : references_) {
    switch (kind) {
      case Kind::input:
        builder.add_input(op, resolver.tensor(place, op));
        break;
      case Kind::after:
        builder.add_after(op, resolver.op(place, op));
        break;
      case Kind::graph_output:
        builder.add_graph_output(resolver.tensor(place, OpId::none()));
        break;
    }
  }
}

}  // namespace berth
