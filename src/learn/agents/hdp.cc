#include "learn/agents/hdp.h"

#include <algorithm>

#include "learn/agents/parts.h"
#include "learn/nets/chance.h"

namespace berth::learn {

namespace {

// The released grouper reads positions and sizes as they are, up to thousands, so that its logits
// are large and nearly every op has its group from the beginning. Ours reads them standardized, and
// this factor on its logits makes it as certain. With 1, every plan has another random grouping,
// and the placer, which knows groups by their members, has nothing to learn from one plan for the
// next: on 60 ops and 2xP100 the samples stay at 1.73 ms, and with 10 they end at 1.29, 1.25
// and 1.54 (12,000 to 14,000 evaluations, three seeds; one GPU takes 2.39). Of few groups a certain
// grouping rules out most plans: six ops then end 12% above their optimum, with 1 at the optimum.
double sharpness(std::int64_t groups) {
  return std::clamp(static_cast<double>(groups) / 6, 5.0, 10.0);
}

// How many units of one group feed or read units of another: [groupings, groups, groups].
Tensor group_links(const Case& of, const Tensor& groups, std::int64_t count) {
  const Tensor cells =
      groups.index_select(1, of.edge_from) * count + groups.index_select(1, of.edge_to);
  const auto real = of.shapes.options();
  const Tensor links = torch::zeros({groups.size(0), count * count}, real)
                           .scatter_add(1, cells, torch::ones(cells.sizes(), real))
                           .view({groups.size(0), count, count});
  // Symmetric: a tensor that moves costs the same whichever of the two groups reads it.
  return links + links.transpose(1, 2);
}

HdpSettings::Grouper parse_grouper(const std::string& name) {
  if (name == "contiguous") return HdpSettings::Grouper::contiguous;
  return name == "random" ? HdpSettings::Grouper::random : HdpSettings::Grouper::learned;
}

}  // namespace

HdpSettings HdpSettings::parse(const Options& options) {
  return {.grouper = parse_grouper(options.text("grouper")),
          .groups = options.integer("groups"),
          .groupings = options.integer("groupings"),
          .placements = options.integer("placements"),
          .contiguous = options.real("contiguous"),
          .embedding = options.integer("embedding"),
          .grouper_hidden = options.integer("grouper_hidden"),
          .placer = parse_sequence(options)};
}

Hdp::Hdp(const HdpSettings& settings, const Vocabulary& vocabulary)
    : grouper_(settings.grouper),
      groups_(settings.groups),
      groupings_(settings.groupings),
      placements_(settings.placements),
      full_(settings.placer.full),
      contiguous_(settings.contiguous) {
  const auto known = static_cast<std::int64_t>(vocabulary.size());
  const std::int64_t extra = full_ ? Features::kNumbers : 0;
  type_embedding_ = parameter("type_embedding", glorot(known, settings.embedding));
  const std::int64_t seen =
      settings.embedding + Features::kShapes + Case::kNeighbourNumbers + extra;
  hidden_ = part("grouper_hidden", Linear(seen, settings.grouper_hidden));
  output_ = part("grouper_output", Linear(settings.grouper_hidden, groups_));
  SequenceSettings sequence = settings.placer;
  sequence.both_ways = true;
  sequence.inputs = known + Features::kShapes + groups_ + extra;
  placer_ = part("placer", SequencePlacer(sequence));
}

std::int64_t Hdp::groups_used(const Case& of) const {
  return std::clamp<std::int64_t>(of.unit_count(), 1, groups_);
}

Tensor Hdp::group_logits(const Case& of) {
  std::vector<Tensor> columns = {of.types.matmul(type_embedding_), of.shapes};
  columns.push_back(full_ ? of.neighbours : standardized(of.neighbours));
  if (full_) columns.push_back(of.numbers);
  const std::int64_t used = groups_used(of);
  const Tensor logits = output_(hidden_(at::cat(columns, 1)).relu()).narrow(1, 0, used) *
                        (full_ ? 1 : sharpness(used));
  // The bias: distance, in groups, from the group the unit would be in if groups were equal parts
  // of the sequence. Limited, so that far groups do not become impossible.
  const auto real = of.shapes.options();
  const Tensor place = (torch::arange(of.unit_count(), real) + 0.5) *
                       (static_cast<double>(used) / static_cast<double>(of.unit_count()));
  const Tensor off = place.unsqueeze(1) - (torch::arange(used, real) + 0.5);
  return logits - off.abs().clamp_max(8) * contiguous_;
}

Tensor Hdp::given_groups(const Case& of) const {
  const std::int64_t used = groups_used(of);
  Tensor groups = torch::arange(of.unit_count(), at::kLong);
  if (grouper_ == HdpSettings::Grouper::contiguous) {
    return at::floor_divide(groups * used, std::max<std::int64_t>(1, of.unit_count()));
  }
  // The same at every call and in every training: a random grouping that changed from plan to plan
  // would be another control.
  Random random(0);
  for (std::int64_t unit = 0; unit < of.unit_count(); ++unit) {
    groups[unit] = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(used)));
  }
  return groups;
}

SequenceInput Hdp::gather(const Case& of, const Tensor& groups) {
  const std::int64_t used = groups_used(of);
  const Tensor members = at::one_hot(groups, used).to(of.shapes.scalar_type());
  const Tensor by_group = members.transpose(1, 2);  // [groupings, groups, units]
  const Tensor sizes = by_group.sum(2, true);       // [groupings, groups, 1]
  const auto summed = [&](const Tensor& of_units) { return by_group.matmul(of_units); };
  const auto averaged = [&](const Tensor& of_units) {
    return summed(of_units) / sizes.clamp_min(1);
  };
  // Features that are shares of a total add up over the units of a group, and are then in units of
  // the mean group; all others are averaged.
  const auto described = [&](const Tensor& of_units, std::span<const std::int64_t> shares) {
    Tensor mean = averaged(of_units);
    const double group_in_units = static_cast<double>(of.unit_count()) / static_cast<double>(used);
    for (const std::int64_t share : shares) {
      mean.select(-1, share).mul_(sizes.squeeze(2) / group_in_units);
    }
    return mean;
  };
  // Padded to the width that the network has for any graph.
  const Tensor links = at::constant_pad_nd(group_links(of, groups, used), {0, groups_ - used});
  std::vector<Tensor> columns = {summed(of.types * of.op_counts).log1p(), averaged(of.shapes),
                                 links.log1p()};
  if (full_) columns.push_back(described(of.numbers, Case::kShareNumbers));
  // Devices that all members may use; if there is none, those that any member may use.
  const Tensor may = summed(of.allowed.to(members.scalar_type()));
  const Tensor all = may.eq(sizes);
  const Tensor mask = at::where(all.any(2, true), all, may.gt(0));
  SequenceInput input{.items = at::cat(columns, 2),
                      .present = sizes.squeeze(2).gt(0).to(members.scalar_type()),
                      .mask = mask,
                      .devices = {},
                      .pairs = {},
                      .ledgers = {}};
  if (full_) {
    input.devices = of.devices;
    std::vector<std::int64_t> shares;
    for (std::int64_t device = 0; device < of.device_count(); ++device) {
      shares.push_back(device * Features::kPairs + Case::kSharePair);
    }
    input.pairs = described(of.pairs.flatten(1), shares)
                      .view({groups.size(0), used, of.device_count(), Features::kPairs})
                      .contiguous();
    for (std::int64_t i = 0; i < groups.size(0); ++i) {
      input.ledgers.push_back(ledger_items(of.features, of.tensor_groups,
                                           groups[i].data_ptr<std::int64_t>(),
                                           static_cast<std::size_t>(used)));
    }
  }
  return input;
}

Drawn Hdp::draw(const Case& of, std::int64_t most, double noise, Random& random) {
  at::NoGradGuard guard;
  // Several placements share a grouping: encoding the groups is the costly part.
  const std::int64_t copies = std::min(most, placements_);
  const std::int64_t groupings = std::clamp<std::int64_t>(most / copies, 1, groupings_);
  Decisions decisions;
  decisions.plans = groupings * copies;
  decisions.copies = copies;
  Tensor group_log_probs;
  if (grouper_ == HdpSettings::Grouper::learned) {
    Tensor logits = group_logits(of).expand({groupings, -1, -1});
    if (noise > 0) {
      decisions.group_noise = noise_like(logits, noise, random);
      logits = logits + decisions.group_noise;
    }
    const Tensor log_odds = logits.log_softmax(-1);
    decisions.groups = draw_rows(log_odds, random);
    group_log_probs = log_odds.gather(-1, decisions.groups.unsqueeze(-1)).squeeze(-1);
  } else {
    decisions.groups = given_groups(of).repeat({groupings, 1});
    group_log_probs = torch::zeros({groupings, of.unit_count()}, of.shapes.options());
  }
  SequenceDecisions placed = placer_.draw(gather(of, decisions.groups), copies, noise, random);
  decisions.devices = placed.devices;
  decisions.noise = placed.noise;
  return {std::move(decisions),
          at::cat({group_log_probs.repeat_interleave(copies, 0), placed.log_probs}, 1)};
}

Scores Hdp::score(const Case& of, const Decisions& decisions) {
  Tensor log_probs = torch::zeros(decisions.groups.sizes(), of.shapes.options());
  if (grouper_ == HdpSettings::Grouper::learned) {
    Tensor logits = group_logits(of).expand({decisions.groups.size(0), -1, -1});
    if (decisions.group_noise.defined()) logits = logits + decisions.group_noise;
    const Tensor log_odds = logits.log_softmax(-1);
    log_probs = log_odds.gather(-1, decisions.groups.unsqueeze(-1)).squeeze(-1);
  }
  const SequenceScores placed =
      placer_.score(gather(of, decisions.groups), decisions.devices, decisions.noise);
  // Entropy is that of the placer alone: a bonus for random groupings would only change what the
  // placer reads from one update to the next.
  return {at::cat({log_probs.repeat_interleave(decisions.copies, 0), placed.log_probs}, 1),
          placed.entropy};
}

Decisions Hdp::greedy(const Case& of) {
  at::NoGradGuard guard;
  Decisions decisions;
  decisions.plans = 1;
  decisions.groups = grouper_ == HdpSettings::Grouper::learned
                         ? group_logits(of).argmax(1).unsqueeze(0)
                         : given_groups(of).unsqueeze(0);
  decisions.devices = placer_.greedy(gather(of, decisions.groups)).devices;
  return decisions;
}

Plan Hdp::plan(const Case& of, const Decisions& decisions, std::int64_t plan) const {
  const auto groups = decisions.groups.accessor<std::int64_t, 2>()[plan / decisions.copies];
  const auto chosen = decisions.devices.accessor<std::int64_t, 2>()[plan];
  const auto allowed = of.allowed.accessor<bool, 2>();
  std::vector<DeviceId> devices;
  for (std::int64_t unit = 0; unit < of.unit_count(); ++unit) {
    std::int64_t device = chosen[groups[unit]];
    if (!allowed[unit][device]) device = of.fastest[static_cast<std::size_t>(unit)];
    devices.emplace_back(static_cast<std::size_t>(device));
  }
  return place::plan_of_units(of.units, devices);
}

}  // namespace berth::learn
