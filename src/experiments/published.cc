#include "experiments/published.h"

#include <fmt/format.h>

#include "base/error.h"

namespace berth::experiments {
namespace {

using Cell = PublishedCell;
using Kind = PublishedCell::Kind;
using Use = PublishedCell::Use;

Cell seconds(double value) { return {.kind = Kind::seconds, .seconds = value}; }
Cell fitted(double value) { return {.kind = Kind::seconds, .seconds = value, .use = Use::fitted}; }
Cell checked(double value) {
  return {.kind = Kind::seconds, .seconds = value, .use = Use::checked};
}
Cell recalled(double value) { return {.kind = Kind::seconds, .seconds = value, .verified = false}; }
const Cell kOutOfMemory{.kind = Kind::out_of_memory};
const Cell kAbsent{};
constexpr Tasks kWithSchedule{.schedule = true};

PublishedTable hdp_table() {
  return {
      .name = "hdp",
      .title = "Hierarchical planner, Haswell CPU and K40 GPUs",
      .source = "Mirhoseini et al., A Hierarchical Model for Device Placement, ICLR 2018, table 1",
      .learned = "HDP",
      .columns = {{"CPU only", "cpu"},
                  {"1 GPU", "single(kind=gpu)"},
                  {"human", "expert"},
                  {"Scotch", "scotch"},
                  {"min-cut", "mincut"},
                  {"HDP", ""},
                  {"etf", "etf"},
                  {"auto", "auto"},
                  {"auto +schedule", "auto", kWithSchedule}},
      .rows = {{"Inception-V3",
                "inception_v3:batch=1",
                "2xK40",
                {fitted(0.61), fitted(0.15), seconds(0.15), seconds(0.93), seconds(0.82),
                 seconds(0.13)},
                0.163},
               {"ResNet-152",
                "resnet:layers=152:batch=128",
                "2xK40",
                {kAbsent, checked(1.18), seconds(1.18), seconds(6.27), seconds(2.92),
                 seconds(1.18)},
                0},
               {"RNNLM",
                "rnnlm",
                "2xK40",
                {fitted(6.89), fitted(1.57), seconds(1.57), seconds(5.62), seconds(5.21),
                 seconds(1.57)},
                0},
               {"NMT, 2 layers",
                "nmt:layers=2",
                "2xK40",
                {checked(6.46), kOutOfMemory, seconds(2.13), seconds(3.21), seconds(5.34),
                 seconds(0.84)},
                0.606},
               {"NMT, 4 layers",
                "nmt:layers=4",
                "4xK40",
                {checked(10.68), kOutOfMemory, seconds(3.64), seconds(11.18), seconds(11.63),
                 seconds(1.69)},
                0.537},
               {"NMT, 8 layers",
                "nmt:layers=8",
                "8xK40",
                {checked(11.52), kOutOfMemory, seconds(3.88), seconds(17.85), seconds(19.01),
                 seconds(4.07)},
                -0.049}},
      .notes = {"Batch sizes (1, 128, 64, 64) are recalled, not verified; widths, sentence lengths "
                "and vocabularies are not published and chosen here."}};
}

PublishedTable mars_table() {
  return {.name = "mars",
          .title = "Mars, four P100 of 12 GB",
          .source =
              "Lan, Chen, Li, Accelerated Device Placement Optimization with Contrastive "
              "Learning, ICPP 2021",
          .learned = "Mars",
          .columns = {{"human", "expert"},
                      {"1 GPU", "single(kind=gpu)"},
                      {"grouper-placer", ""},
                      {"encoder-placer", ""},
                      {"Mars", ""},
                      {"no pre-training", ""},
                      {"etf", "etf"},
                      {"auto", "auto"},
                      {"auto +schedule", "auto", kWithSchedule},
                      {"Scotch", "scotch"},
                      {"min-cut", "mincut"}},
          .rows = {{"Inception-V3",
                    "inception_v3:batch=1",
                    "4xP100-12GB",
                    {seconds(0.071), fitted(0.071), seconds(0.067), seconds(0.067), seconds(0.067),
                     seconds(0.067)}},
                   {"GNMT, 4 layers",
                    "gnmt:layers=4:batch=256",
                    "4xP100-12GB",
                    {fitted(1.661), kOutOfMemory, seconds(1.418), seconds(1.437), seconds(1.379),
                     seconds(1.396)}},
                   {"BERT",
                    "bert:head=qa:optimizer=adam",
                    "4xP100-12GB",
                    {kOutOfMemory, kOutOfMemory, seconds(12.661), seconds(11.737), seconds(9.214),
                     seconds(11.363)}}},
          .notes = {"Batch sizes (1, 256, 24 sequences of 384) are recalled, not verified."}};
}

PublishedTable colocrl_table() {
  return {.name = "colocrl",
          .title = "Device placement by reinforcement learning, Haswell CPU and K80 GPUs",
          .source =
              "Mirhoseini et al., Device Placement Optimization with Reinforcement Learning, "
              "ICML 2017",
          .learned = "RL",
          .columns = {{"CPU only", "cpu"},
                      {"1 GPU", "single(kind=gpu)"},
                      {"Scotch", "scotch"},
                      {"min-cut", "mincut"},
                      {"human", "expert"},
                      {"RL", ""},
                      {"etf", "etf"},
                      {"auto", "auto"},
                      {"auto +schedule", "auto", kWithSchedule}},
          .rows = {{"RNNLM",
                    "rnnlm",
                    "2xK80",
                    {recalled(6.89), recalled(1.57), recalled(13.43), recalled(11.94),
                     recalled(3.81), recalled(1.57)}},
                   {"RNNLM",
                    "rnnlm",
                    "4xK80",
                    {recalled(6.89), recalled(1.57), recalled(11.52), recalled(10.44),
                     recalled(4.46), recalled(1.57)}},
                   {"NMT",
                    "nmt:layers=2",
                    "2xK80",
                    {recalled(10.72),
                     {.kind = Kind::out_of_memory, .verified = false},
                     recalled(14.19),
                     recalled(11.54),
                     recalled(4.99),
                     recalled(4.04)}},
                   {"NMT",
                    "nmt:layers=2",
                    "4xK80",
                    {recalled(10.72),
                     {.kind = Kind::out_of_memory, .verified = false},
                     recalled(11.23),
                     recalled(11.78),
                     recalled(4.73),
                     recalled(3.92)}},
                   {"Inception-V3",
                    "inception_v3:batch=32",
                    "2xK80",
                    {recalled(26.21), recalled(4.60), recalled(25.24), recalled(22.88),
                     recalled(11.22), recalled(4.60)}},
                   {"Inception-V3",
                    "inception_v3:batch=32",
                    "4xK80",
                    {recalled(26.21), recalled(4.60), recalled(23.41), recalled(24.52),
                     recalled(10.65), recalled(3.85)}}},
          .notes = {"The layers of its NMT are not known here.",
                    "By its figures the paper counts its gain over the better of the human expert "
                    "and one GPU, "
                    "and as a speed-up (old over new, less 1): 0, 0, 23.5, 20.6, 0 and 19% "
                    "(recalled, not verified)."}};
}

}  // namespace

const PublishedCell& published_cell(const PublishedRow& row, std::size_t column) {
  return column < row.cells.size() ? row.cells[column] : kAbsent;
}

const std::vector<PublishedTable>& published_tables() {
  static const std::vector<PublishedTable> tables = {colocrl_table(), hdp_table(), mars_table()};
  return tables;
}

const PublishedTable& find_published_table(std::string_view name,
                                           const std::vector<std::string>& others) {
  std::vector<std::string> names;
  for (const PublishedTable& table : published_tables()) {
    if (table.name == name) return table;
    names.push_back(table.name);
  }
  names.insert(names.end(), others.begin(), others.end());
  throw InputError(fmt::format("there is no benchmark {}; the benchmarks are {}{}", quoted(name),
                               join_names(names), did_you_mean(name, names)));
}

}  // namespace berth::experiments
