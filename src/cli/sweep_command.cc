// berth sweep: one model over what-ifs.
#include <fmt/format.h>

#include <algorithm>

#include "base/json_writer.h"
#include "base/options.h"
#include "cli/answer.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/sweep_run.h"
#include "graph/precision.h"

namespace berth::cli {
namespace {

struct SweepArguments {
  SettingArguments setting;
  // There are many points, so each gets less than `place` uses for one.
  SearchArguments search{.budget = "2s"};
  std::string method = kDefaultMethod;
  std::vector<std::string> dims;
  OutputFile page{"--output", ""};
};

bool parse(Words words, SweepArguments& sweep, Console& console) {
  Arguments arguments("sweep", "Measures step time, throughput and fit over clusters and sizes.");
  arguments.positional("MODEL", sweep.setting.model,
                       "A file (.json, .onnx), - for standard input, or a workload (berth zoo).");
  arguments.reads_file("MODEL");
  arguments.option("-c,--cluster", "CLUSTERS", sweep.setting.cluster,
                   "Cluster files or presets, separated by commas.", Arguments::Need::required);
  arguments.reads_file("--cluster");
  arguments.repeated_option("--dim", "NAME=SIZES", sweep.dims,
                            "Sizes to try: batch=8,16,64 or batch=8..256 (doubling); repeatable.");
  sweep.setting.declare_computing(arguments);
  sweep.setting.declare_batch_dim(arguments);
  sweep.setting.declare_narrowing(arguments);
  arguments.option("-m,--method", "METHOD", sweep.method,
                   fmt::format("The method (berth methods); default {}.", kDefaultMethod));
  arguments.option(
      "-b,--budget", "BUDGET", sweep.search.budget,
      fmt::format("What each point may spend: 10s, 5000evals; default {}.", sweep.search.budget));
  arguments.option("--seed", "N", sweep.search.seed, "Seed of the random numbers; default 0.");
  arguments.option("--tasks", "LIST", sweep.search.tasks,
                   "What to decide: placement (default), schedule, fusion.");
  arguments.option("-o,--output", "FILE", sweep.page.path, "Write an HTML page with the plots.");
  console.declare(arguments);
  arguments.note(
      "A size is an option of a workload or an open dimension of an ONNX file. With several\n"
      "--dim, every combination is tried. Without --dim, the sweep searches for the largest\n"
      "batch of a workload that fits, by doubling and then bisection. Ctrl-C keeps the points\n"
      "that are done.\n"
      "Exit status: 0 when a plan fits at some point, 3 when none does.");
  arguments.example(
      "berth sweep zoo:gnmt --cluster 2xP100,4xP100 --dim batch=32..256 -o sweep.html",
      "two clusters and four sizes, with plots");
  arguments.example("berth sweep zoo:gpt -c 4xP100", "the largest batch that fits");
  arguments.example(
      "berth sweep model.onnx -c 4xA100 --dim batch=8,16 --dim seq=128,256 -b 500evals --json",
      "four points, the same on every machine, for scripts");
  return arguments.parse(words);
}

SweepRequest request_of(const SweepArguments& sweep) {
  SweepRequest request{.setting = sweep.setting,
                       .search = sweep.search,
                       .method = place::parse_method(sweep.method),
                       .clusters = split_list(sweep.setting.cluster),
                       .dims = parse_swept_dims(sweep.dims)};
  check_swept_dims(sweep.setting.model, request.dims);
  // A wrong name is told before the first search, not after it.
  if (!sweep.setting.optimizer.empty()) parse_optimizer(sweep.setting.optimizer);
  if (!sweep.setting.precision.empty()) parse_precision(sweep.setting.precision);
  for (const std::string& cluster : request.clusters) swept_cluster_text(sweep.setting, cluster);
  return request;
}

}  // namespace

int sweep_command(Words words) {
  SweepArguments arguments;
  Console console;
  if (!parse(words, arguments, console)) return kDone;
  const SweepRequest request = request_of(arguments);
  std::vector<std::string> inputs = arguments.setting.input_files();
  for (const std::string& cluster : request.clusters) inputs.push_back(cluster);
  for (const std::string& path : request.method.input_files()) inputs.push_back(path);
  check_outputs(std::span(&arguments.page, 1), inputs, console);

  const report::Sweep sweep = run_sweep(request, console);
  write_output(arguments.page,
               [&] { return report::sweep_html(sweep, origin_now(command_line("sweep", words))); });
  if (console.json()) {
    JsonWriter json;
    json.begin_object();
    report::write_sweep(json, sweep);
    json.end_object();
    console.object(json.take());
  }
  console.answer(report::sweep_text(sweep, console.ink()));
  if (sweep.interrupted) console.answer("\ninterrupted; this is what was done so far\n");
  if (!arguments.page.path.empty()) {
    console.answer(fmt::format("\nwrote {}  the plots; open it in a browser\n",
                               report::plain_name(arguments.page.path, 60)));
  }
  const bool any = std::ranges::any_of(sweep.points, &report::SweepPoint::feasible);
  return any ? kDone : kNoFeasiblePlan;
}

}  // namespace berth::cli
