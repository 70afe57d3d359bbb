#include "cli/plan_source.h"

#include <fmt/format.h>

#include <charconv>

#include "base/error.h"
#include "base/file.h"
#include "cli/flag_errors.h"
#include "cli/search.h"
#include "place/learned/methods.h"
#include "place/learned/policy_path.h"

namespace berth::cli {
namespace {

constexpr std::uint64_t kMostSamples = 1'000'000'000;

std::uint64_t parse_samples(const std::string& text) {
  if (text.empty()) return 0;
  std::uint64_t samples = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), samples);
  if (error != std::errc() || end != text.data() + text.size() || samples > kMostSamples) {
    throw InputError(fmt::format("--samples is a whole number from 0 to {}, not {}", kMostSamples,
                                 quoted(text)));
  }
  return samples;
}

PlanSource way_of_policy(const WayArguments& arguments) {
  if (arguments.method_given) {
    throw InputError(
        "--policy and --method both say how to place; the policy knows its method, so leave "
        "--method out");
  }
  if (arguments.budget_given) {
    throw InputError(
        "--budget limits a search, and --policy does not search; use --finetune to train the "
        "policy on this model first, or --samples to draw plans");
  }
  if (!arguments.curve.path.empty()) {
    throw InputError(
        "--curve is for a learned --method, not for --policy; berth train --resume continues a "
        "policy and its curve");
  }
  place::PolicyUse use{.path = {}, .samples = parse_samples(arguments.samples)};
  if (!arguments.finetune.empty()) {
    use.finetune = naming_flag("--finetune", [&] { return parse_budget(arguments.finetune); });
  }
  // A name that is wrong is told whether or not the module is there.
  use.path = place::find_policy(arguments.policy);
  const InputFile opened(use.path);
  PlanSource way;
  way.name = fmt::format("policy({})", arguments.policy);
  way.learned = true;
  way.sampled = use.samples > 0 || !arguments.finetune.empty();
  way.policy_path = use.path;
  way.input_files = {use.path};
  way.place = [use](const Problem& problem, const place::Request& request) {
    return place::learn_module().place_with_policy(problem, request, use);
  };
  return way;
}

PlanSource way_of_method(const WayArguments& arguments) {
  for (const auto& [option, value] :
       {std::pair{"--samples", &arguments.samples}, std::pair{"--finetune", &arguments.finetune}}) {
    if (value->empty()) continue;
    throw InputError(fmt::format(
        "{} needs a policy; name its file with --policy (berth train writes one)", option));
  }
  const place::Method method = place::parse_method(arguments.method);
  PlanSource way;
  way.name = method.options.canonical();
  way.learned = method.placer->learned;
  way.keeps = method.placer->name == kDefaultMethod;
  way.knows_bound = method.placer->knows_bound;
  way.input_files = method.input_files();
  way.place = [method](const Problem& problem, const place::Request& request) {
    return method.place(problem, request);
  };
  if (arguments.curve.path.empty()) return way;
  if (!method.placer->learned) {
    throw InputError(fmt::format("--curve is for methods that learn ({}), and --method is {}",
                                 join_names(place::learned_names()), way.name));
  }
  way.place = [method, curve = arguments.curve.path](const Problem& problem,
                                                     const place::Request& request) {
    return place::learn_module().place(problem, request, method.options.canonical(), curve);
  };
  return way;
}

}  // namespace

void WayArguments::declare(Arguments& arguments) {
  method = kDefaultMethod;
  arguments.option("-m,--method", "METHOD", method,
                   fmt::format("The method (berth methods); default {}.", kDefaultMethod));
  arguments.option("--policy", "FILE", policy,
                   "Use a policy instead of a method: a file that berth train wrote, or the\n"
                   "name of an installed one (general).");
  arguments.option("--samples", "N", samples,
                   "Plans to sample from the policy, besides its greedy plan; default 0.");
  arguments.option("--finetune", "BUDGET", finetune,
                   "Train the policy on this model first: 500evals, 10s.");
  arguments.option("--curve", "FILE", curve.path,
                   "Write the learning curve of a learned method, one JSON object per line.");
}

PlanSource choose_way(const WayArguments& arguments) {
  if (!arguments.curve.path.empty()) require_file(arguments.curve);
  return arguments.policy.empty() ? way_of_method(arguments) : way_of_policy(arguments);
}

}  // namespace berth::cli
