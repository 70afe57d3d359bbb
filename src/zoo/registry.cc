#include <fmt/format.h>

#include "base/error.h"
#include "graph/precision.h"
#include "zoo/workload.h"
#include "zoo/workload_list.h"

namespace berth::zoo {

std::vector<std::string> with_automatic(std::vector<std::string> names) {
  names.insert(names.begin(), kAutomatic);
  return names;
}

std::vector<OptionSpec> with_dtype_option(std::vector<OptionSpec> options,
                                          const std::string& default_value) {
  options.push_back(
      {.name = "dtype",
       .type = OptionSpec::Type::choice,
       .default_value = default_value,
       .sentence = "The precision; auto: f32, products in TF32 where a device has it.",
       .choices = with_automatic(precision_names())});
  return options;
}

Graph with_dtype(Graph graph, const Options& options) {
  const std::string& dtype = options.text("dtype");
  return dtype == kAutomatic ? graph : in_precision(std::move(graph), parse_precision(dtype));
}

const std::vector<Workload>& workloads() {
  // One per line, which the formatter would not keep.
  static const std::vector<Workload> all = {
      // To read and to try things with.
      chain_workload(),
      layered_workload(),
      tiny_workload(),
      // Of the published tables.
      inception_v3_workload(),
      resnet_workload(),
      nasnet_workload(),
      amoebanet_workload(),
      wavenet_workload(),
      rnnlm_workload(),
      nmt_workload(),
      gnmt_workload(),
      bert_workload(),
      transformer_xl_workload(),
      // What people place today.
      gpt_workload(),
      moe_workload(),
      vit_workload(),
      unet_workload(),
      dlrm_workload(),
      // Families for learning to generalise.
      enas_cifar_workload(),
      enas_ptb_workload(),
  };
  // clang-format on
  return all;
}

const Workload& find_workload(std::string_view name) {
  std::vector<std::string> names;
  for (const Workload& workload : workloads()) {
    if (workload.name == name) return workload;
    names.push_back(workload.name);
  }
  throw InputError(fmt::format("there is no workload {}; the workloads are {}{}", quoted(name),
                               join_names(names), did_you_mean(name, names)),
                   {.code = ErrorCode::unknown_name, .subject = std::string(name)});
}

}  // namespace berth::zoo
