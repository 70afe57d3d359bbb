#include "place/learned/methods.h"

#include <algorithm>
#include <utility>

namespace berth::place {
namespace {

using Type = OptionSpec::Type;

Hyperparameter whole(std::string name, std::string fast, std::string paper, std::string sentence,
                     double low, double high) {
  return {{.name = std::move(name),
           .type = Type::integer,
           .default_value = std::move(fast),
           .sentence = std::move(sentence),
           .low = low,
           .high = high},
          std::move(paper)};
}

Hyperparameter real(std::string name, std::string fast, std::string paper, std::string sentence,
                    double low, double high) {
  return {{.name = std::move(name),
           .type = Type::real,
           .default_value = std::move(fast),
           .sentence = std::move(sentence),
           .low = low,
           .high = high},
          std::move(paper)};
}

Hyperparameter one_of(std::string name, std::string fast, std::string paper, std::string sentence,
                      std::vector<std::string> choices) {
  return {{.name = std::move(name),
           .type = Type::choice,
           .default_value = std::move(fast),
           .sentence = std::move(sentence),
           .choices = std::move(choices)},
          std::move(paper)};
}

Hyperparameter flag(std::string name, std::string fast, std::string paper, std::string sentence) {
  return {{.name = std::move(name),
           .type = Type::boolean,
           .default_value = std::move(fast),
           .sentence = std::move(sentence)},
          std::move(paper)};
}

Hyperparameter text(std::string name, std::string fast, std::string paper, std::string sentence) {
  return {{.name = std::move(name),
           .type = Type::text,
           .default_value = std::move(fast),
           .sentence = std::move(sentence)},
          std::move(paper)};
}

// What the trainer needs to know, whatever the policy.
std::vector<Hyperparameter> training() {
  return {
      text("start", "single", "single",
           "Placer whose plan is simulated first; it is the best plan until a sample is better."),
      one_of("features", "full", "paper",
             "full adds costs, memory, links and the state of the devices to what the paper's "
             "policy sees.",
             {"full", "paper"}),
      one_of("algorithm", "reinforce", "reinforce", "Estimator of the policy gradient.",
             {"reinforce", "ppo"}),
      real("lr", "0.005", "0.1",
           "Learning rate of Adam; with 0 the policy draws samples and does not learn.", 0, 10),
      real("lr_end", "0.1", "1", "Learning rate at the end of the budget, as a part of lr.", 0, 1),
      real("clip", "1", "1", "Largest norm of a gradient; a longer one is scaled down to it.", 1e-6,
           1e6),
      real("entropy", "7", "0",
           "Weight of the entropy bonus at the start of training, relative to the advantages.", 0,
           100),
      one_of("entropy_of", "mean", "sum",
             "Whether the entropy bonus is the mean over decisions or their sum.", {"mean", "sum"}),
      real("entropy_until", "0.5", "1", "Part of the budget after which the entropy bonus is 0.",
           0.001, 1),
      real("elite", "0.6", "0",
           "Weight, at the end of training, of the log-likelihood of the best sample so far; it "
           "grows from 0 with the square of the budget spent.",
           0, 100),
      flag("rl", "on", "on",
           "Learn from rewards; when off, the policy only imitates its best sample (`elite`)."),
      one_of("reward", "sqrt", "sqrt",
             "Reward of a step time: minus its square root, minus the time itself, or minus its "
             "logarithm.",
             {"sqrt", "linear", "log"}),
      one_of("scale", "start", "start",
             "Unit of step times in rewards: the step time of the start plan, or seconds.",
             {"start", "seconds"}),
      real("failing", "2", "100",
           "Step time, in units of `scale`, that a plan which does not fit counts as.", 1e-9, 1e9),
      real("overflow", "2", "0",
           "Added to `failing` for bytes that do not fit, per mean memory of a device.", 0, 1e9),
      whole("valid_after", "100", "1000000000", "Updates after which only samples that fit count.",
            0, 1e9),
      real("valid_share", "0.5", "0",
           "Part of the last 200 samples that must fit before only samples that fit count.", 0, 1),
      one_of("baseline", "average", "average",
             "What rewards are compared with: a moving average, the mean of the batch, or a mean "
             "for every step of the episode.",
             {"average", "batch", "steps"}),
      real("memory", "0.9", "0.9", "Part of the moving average that an update keeps.", 0, 1),
      flag("normalize", "on", "off", "Divide advantages by their standard deviation."),
      whole("epochs", "1", "1", "Passes over a batch; more than 1 only with algorithm=ppo.", 1,
            100),
      whole("minibatches", "1", "1",
            "Parts that a batch is split into; more than 1 only with algorithm=ppo.", 1, 1000),
      real("ppo_clip", "0.2", "0.2",
           "How far the ratio of probabilities may be from 1 before it is clipped.", 0.001, 10),
      real("noise", "0", "0",
           "Standard deviation of the noise on logits, relative to their root mean square.", 0,
           100),
      whole("noise_updates", "0", "0",
            "Number of updates, from the first, whose samples are drawn with noise.", 0, 1e9),
  };
}

// Parts of a policy that reads a sequence of units and writes a sequence of devices.
std::vector<Hyperparameter> sequence(std::string hidden_paper) {
  return {
      whole("hidden", "64", std::move(hidden_paper), "Width of the LSTMs.", 1, 4096),
      whole("embedding", "16", "20", "Width of the embedding of op types.", 1, 1024),
      one_of("attention", "product", "additive",
             "How attention scores are computed: by products, by an additive network, or not at "
             "all, to see what attention is worth.",
             {"product", "additive", "none"}),
      flag("aligned", "on", "off",
           "The decoder also reads the encoding of the unit that it places next; when off, it "
           "must find that unit by attention."),
  };
}

// Logits become tanh(logit / temperature) x the limit (learn/nets/chance.h).
std::vector<Hyperparameter> limits(std::string tanh_paper, std::string temperature_paper) {
  return {
      real("tanh", "5", std::move(tanh_paper),
           "Largest size of a logit, limited by tanh; 0 for no limit.", 0, 1000),
      real("temperature", "5", std::move(temperature_paper),
           "Logits are divided by this before tanh.", 0.001, 1000),
      one_of("tanh_of", "odds", "logits",
             "Whether tanh limits log-probabilities or the logits of the network.",
             {"odds", "logits"}),
  };
}

std::vector<Hyperparameter> joined(std::vector<std::vector<Hyperparameter>> parts) {
  std::vector<Hyperparameter> all;
  for (auto& part : parts) std::move(part.begin(), part.end(), std::back_inserter(all));
  return all;
}

Hyperparameter units(std::string paper) {
  return text("units", "256", std::move(paper),
              "What the policy places: a number N for at most N units made by acyclic coarsening, "
              "`coloc` for colocation groups (labels, then ops with only one reader), `ops`, or "
              "`auto` for ops or 256, whichever gives the shorter list schedule.");
}

// Another value for both presets of an option that is there.
void set(std::vector<Hyperparameter>& of, const std::string& name, const std::string& fast,
         const std::string& paper) {
  for (Hyperparameter& one : of) {
    if (one.option.name != name) continue;
    one.option.default_value = fast;
    one.paper_value = paper;
  }
}

// Most of GO's and GDP's sizes are not published; those of the preset `paper` are what other
// reproductions of them use.
LearnedMethod one_pass(std::string name, std::string summary, std::string reference,
                       const std::string& modulation, const std::string& paper_passes) {
  std::vector<Hyperparameter> trained = training();
  set(trained, "algorithm", "ppo", "ppo");
  set(trained, "epochs", "2", "4");
  // Of 24 trainings on eight problems of 12 groups and three devices
  // (tests/support/small_problem.h, seeds below 100) 20 end within 5% of the optimum without a
  // bonus and 21 with 3; on nine large problems the plans after 1,000 evaluations take 0.84 and
  // 0.82 of the best list scheduler's step, two seeds each: a small gain if it is one. Of GO's
  // weight, 0.5 and 0.01 are reported. As published, 60 ops on 2xP100 end at 1.39 ms with
  // 0.001, 1.27 with 0.01, 1.43 with 0.03 and 1.68 with 0.1 (8,000 evaluations, two seeds each),
  // and of 16 trainings on those small problems 4, 11 and 9 end within 5% of the optimum with
  // 0.001, 0.01 and 0.03.
  set(trained, "entropy", "3", "0.01");
  // Imitating the best sample changes nothing.
  set(trained, "elite", "0", "0");
  // The papers compare with an average over earlier trials. When the policy has become certain, all
  // plans of a batch are alike, and the average is above or below all of them: every decision is
  // pushed the same way, and what was learned is lost. On 60 ops and 2xP100 the samples of
  // encoder_placer go from 1.90 ms to 1.28 and back to 1.7, again and again; compared with the
  // other plans of the batch they end at 1.11 and 1.25 (12,000 evaluations, two seeds; one GPU
  // takes 2.39, heft 1.18).
  set(trained, "baseline", "batch", "batch");
  // Not published; with 1e-4 of a reproduction little is learned in 4,000 evaluations. In the
  // preset `fast` 0.004 is too little for the hundred updates of a large graph: nmt:layers=2 on
  // 2xP100 ends at 484 ms after 1,000 evaluations, with 0.01 at 383 and with 0.02 at 400 (one run
  // each).
  set(trained, "lr", "0.01", "0.001");
  // Limited log-probabilities leave every device a chance of 1 in 150; of hundreds of decisions
  // some then always go wrong.
  std::vector<Hyperparameter> unlimited = limits("0", "1");
  set(unlimited, "tanh", "0", "0");
  set(unlimited, "temperature", "1", "1");
  // On enas_cifar:seed=5 and 4xP100 the policy ends at 456 ms with every group by itself and at 564
  // with 256 units, on enas_ptb:seed=3 at 183 and 119 ms (1,000 evaluations, one run each); the
  // list schedules that `auto` compares take 500 and 571, and 210 and 149 ms.
  std::vector<Hyperparameter> placed = {units("ops")};
  set(placed, "units", "auto", "ops");
  return {
      .name = std::move(name),
      .summary = std::move(summary),
      .reference = std::move(reference),
      .hyperparameters = joined(
          {std::move(placed),
           {
               whole("samples", "16", "16", "Plans drawn per update.", 1, 4096),
               whole("hidden", "32", "128", "Width of the network.", 1, 4096),
               whole("embedding", "16", "20", "Width of the embedding of op types.", 1, 1024),
               whole("sage_layers", "2", "2", "Layers of GraphSAGE.", 0, 16),
               // Attention takes two thirds of the time and gains nothing in the preset `fast`: see
               // the table of parts in docs/learning.md.
               whole("layers", "0", "3", "Layers of attention.", 0, 16),
               whole("heads", "4", "8", "Heads of attention.", 1, 64),
               whole("segment", "256", "128",
                     "Units per segment of attention; 0 for one segment that covers all.", 0, 1e6),
               flag("modulation", modulation, modulation,
                    "Layers of attention are gated by the embedding of the whole graph."),
               whole(
                   "passes", "1", paper_passes,
                   "Passes over all units: the first, then refinements that know the pass before.",
                   1, 16),
           },
           std::move(unlimited),
           std::move(trained)})};
}

LearnedMethod go() {
  // How many refinements GO makes is not published. With one (passes=2) the samples of 60 ops on
  // 2xP100 become 12% shorter in 4,000 evaluations and the greedy plan stays on one GPU; without
  // they become 30% shorter (one run each).
  return one_pass("go", "learned: a graph network weighs the choices of a list scheduler",
                  "Zhou et al., NeurIPS 2020", "on", "1");
}

LearnedMethod encoder_placer() {
  return one_pass("encoder_placer", "learned: the same as go, without modulation",
                  "Zhou et al. 2019 (GDP)", "off", "1");
}

LearnedMethod placeto() {
  std::vector<Hyperparameter> trained = training();
  // The released settings are lr=0.001 and entropy=1, to be lowered in time. That bonus outweighs
  // rewards of a hundredth of a step: decisions stay uniform. On 60 ops and 2xP100 the samples are
  // 14 to 18% shorter after 20,000 evaluations with entropy=0.1 or 0.03, and 19 to 21% with 0.003,
  // whether lr is 0.003, 0.001 or 0.0003 (two seeds each). With 0.001 and more, the sums over 8
  // rounds of messages can make a policy certain in two updates, so that the gradient is exactly 0
  // from then on: in one of four problems of 12 groups and three devices, in none with 0.0003.
  set(trained, "lr", "0.003", "0.0003");
  set(trained, "lr_end", "0.1", "0.1");
  set(trained, "clip", "1", "1.25");
  set(trained, "entropy", "6", "0.003");
  // As published, a penalty for memory is never more than 10.
  set(trained, "failing", "2", "10");
  set(trained, "baseline", "batch", "steps");
  set(trained, "reward", "sqrt", "linear");
  return {.name = "placeto",
          .summary = "learned: improves a placement unit by unit, by a graph network",
          .reference = "Addanki et al., NeurIPS 2019",
          .hyperparameters = joined(
              {{
                   text("units", "64", "64",
                        "What the policy places: a number N for at most N units made by acyclic "
                        "coarsening, `coloc` for colocation groups (labels, then ops with only one "
                        "reader), or `ops`."),
                   whole("samples", "16", "4", "Episodes per update.", 1, 4096),
                   one_of("rewards", "terminal", "steps",
                          "What is rewarded: each step, by how much it shortens the step time, or "
                          "the final "
                          "placement alone.",
                          {"steps", "terminal"}),
                   whole("hidden", "16", "8",
                         "Width of the embedding of a node, in each direction.", 1, 1024),
                   whole("rounds", "3", "8", "Rounds of messages, in each direction.", 0, 64),
               },
               limits("0", "1"),
               std::move(trained)})};
}

LearnedMethod mars() {
  std::vector<Hyperparameter> trained = training();
  set(trained, "algorithm", "ppo", "ppo");
  set(trained, "epochs", "2", "3");
  set(trained, "minibatches", "1", "4");
  set(trained, "lr", "0.003", "0.0003");
  set(trained, "entropy", "7", "0.001");
  // Recalled, not published: a moving average of memory 0.99. With it mars falls to one GPU on 60
  // ops and 2xP100 (2.39 ms), with 0.9 its samples go from 2.02 ms to 1.07 and back to 1.5 (20,000
  // evaluations); compared with the batch they end at 1.27 (6,000 evaluations; one run each).
  set(trained, "baseline", "average", "batch");
  std::vector<Hyperparameter> placer = sequence("512");
  std::erase_if(placer, [](const Hyperparameter& one) { return one.option.name == "embedding"; });
  return {.name = "mars",
          .summary = "learned: a contrastively pre-trained GCN, then an LSTM over segments",
          .reference = "Lan, Chen and Li, ICPP 2021",
          .hyperparameters = joined(
              {{units("ops"), whole("samples", "16", "20", "Plans drawn per update.", 1, 4096),
                flag("pretrain", "on", "on",
                     "The encoder first learns from the graph alone (Deep Graph Infomax)."),
                whole("pretrain_updates", "200", "1000", "Updates of pre-training.", 1, 1e6),
                real("pretrain_lr", "0.001", "0.001", "Learning rate of pre-training.", 0, 10),
                whole("encoder_width", "64", "256", "Width of the encoder.", 1, 4096),
                whole("encoder_layers", "3", "3", "Layers of the encoder.", 0, 16),
                whole("segment", "128", "128",
                      "Units per segment; 0 for one segment that covers all.", 0, 1e6)},
               std::move(placer),
               limits("0", "1"),
               std::move(trained)})};
}

LearnedMethod colocrl() {
  std::vector<Hyperparameter> trained = training();
  // The learning rate and the samples per update are not published.
  set(trained, "lr", "0.005", "0.001");
  set(trained, "valid_after", "100", "5000");
  return {.name = "colocrl",
          .summary = "learned: an LSTM reads colocation groups, another writes their devices",
          .reference = "Mirhoseini et al., ICML 2017",
          .hyperparameters = joined(
              {{units("coloc"), whole("samples", "16", "16", "Plans drawn per update.", 1, 4096)},
               {whole("adjacency", "0", "0",
                      "Columns of the one-hot adjacency; 0 for one per unit of the largest model.",
                      0, 65536)},
               sequence("256"),
               limits("0", "1"),
               std::move(trained)})};
}

LearnedMethod hdp() {
  std::vector<Hyperparameter> trained = training();
  // The published learning rate of 0.1 drives all probabilities to 0 or 1 within a hundred updates;
  // then there is no gradient, and the samples stay where they are.
  set(trained, "lr", "0.005", "0.001");
  set(trained, "entropy", "20", "0");
  // Published: noise of 0.5 on the logits of 500 updates. With it the groupings are random for that
  // long, and the samples of 60 ops on 2xP100 end 11% shorter, without it 33% (12,000 evaluations,
  // one run each).
  set(trained, "noise_updates", "500", "500");
  set(trained, "valid_after", "100", "500");
  return {.name = "hdp",
          .summary = "learned: a grouper sorts ops into groups, an LSTM places the groups",
          .reference = "Mirhoseini et al., ICLR 2018",
          .hyperparameters = joined(
              {{units("ops"), whole("groups", "32", "256", "Groups the grouper may use.", 1, 4096),
                one_of("grouper", "learned", "learned",
                       "Where groups come from: the grouper, equal parts of the units in their "
                       "order, or chance, to see what the grouper is worth.",
                       {"learned", "contiguous", "random"}),
                whole("groupings", "4", "1", "Groupings drawn per update.", 1, 4096),
                whole("placements", "4", "4", "Placements drawn per grouping.", 1, 4096),
                real("contiguous", "8", "0",
                     "How strongly an untrained grouper prefers groups of neighbours in "
                     "topological order.",
                     0, 100),
                whole("grouper_hidden", "64", "64", "Width of the grouper.", 1, 4096)},
               sequence("256"),
               limits("5", "10"),
               std::move(trained)})};
}

}  // namespace

std::vector<OptionSpec> LearnedMethod::options() const {
  std::vector<OptionSpec> specs = {
      {.name = "preset",
       .type = Type::choice,
       .default_value = "fast",
       .sentence = "Default values of the other options: fast (for a CPU) or paper (as published).",
       .choices = {"fast", "paper"}}};
  for (const Hyperparameter& parameter : hyperparameters) {
    OptionSpec spec = parameter.option;
    if (parameter.paper_value != spec.default_value) {
      spec.sentence += " Preset paper: " + parameter.paper_value + ".";
    }
    specs.push_back(std::move(spec));
  }
  return specs;
}

bool LearnedMethod::has(std::string_view option) const {
  return std::any_of(hyperparameters.begin(), hyperparameters.end(),
                     [&](const Hyperparameter& one) { return one.option.name == option; });
}

const std::vector<LearnedMethod>& learned_methods() {
  static const std::vector<LearnedMethod> list = {colocrl(), hdp(),  placeto(),
                                                  go(),      mars(), encoder_placer()};
  return list;
}

std::vector<std::string> learned_names() {
  std::vector<std::string> names;
  for (const LearnedMethod& method : learned_methods()) names.push_back(method.name);
  return names;
}

const LearnedMethod* find_learned(std::string_view name) {
  const auto& list = learned_methods();
  const auto found = std::find_if(list.begin(), list.end(),
                                  [&](const LearnedMethod& method) { return method.name == name; });
  return found == list.end() ? nullptr : &*found;
}

Options resolve_preset(const LearnedMethod& method, const Options& given) {
  if (given.text("preset") != "paper") return given;
  Call call = parse_call(given.canonical());
  for (const Hyperparameter& parameter : method.hyperparameters) {
    const std::string& name = parameter.option.name;
    const bool is_given = std::any_of(call.options.begin(), call.options.end(),
                                      [&](const auto& option) { return option.first == name; });
    if (!is_given) call.options.emplace_back(name, parameter.paper_value);
  }
  return Options(method.name, method.options(), call);
}

std::string complete_method(const LearnedMethod& method, const Options& given) {
  return resolve_preset(method, given).complete();
}

std::string brief_method(const std::string& text) {
  Call call = parse_call(text);
  const LearnedMethod* const method = find_learned(call.name);
  if (!method) return text;
  Call preset{.name = method->name, .options = {}};
  const std::pair<std::string, std::string> paper = {"preset", "paper"};
  if (std::ranges::count(call.options, paper) > 0) preset.options.push_back(paper);
  const Options defaults(method->name, method->options(), preset);
  const Call known = parse_call(complete_method(*method, defaults));
  std::erase_if(call.options, [&](const auto& option) {
    return option != paper && std::ranges::count(known.options, option) > 0;
  });
  return Options(method->name, method->options(), call).canonical();
}

}  // namespace berth::place
