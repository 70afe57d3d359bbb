#include "cluster/topo_listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

#include "base/error.h"

namespace berth {
namespace {

constexpr std::string_view kRight =
    "it is X, NV and a number, PIX, PXB, PHB, NODE or SYS, as nvidia-smi topo -m prints them";
constexpr int kMostNvlinks = 64;
constexpr std::size_t kMostColumns = 512;

struct Entry {
  PciePath path = PciePath::self;
  int nvlinks = 0;
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

// Escapes that switch colours and underlines, with or without their first character, which is lost
// when a terminal is copied.
std::string without_colours(std::string_view text) {
  std::string plain;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '\x1b' && (at + 1 == text.size() || text[at + 1] != '[')) {
      ++at;
      continue;
    }
    const std::size_t bracket = text[at] == '\x1b' ? at + 1 : at;
    std::size_t end = bracket;
    if (text[bracket] == '[') {
      for (++end; end < text.size() && (is_digit(text[end]) || text[end] == ';');) ++end;
    }
    const bool escape = end > bracket && end < text.size() && text[end] == 'm';
    if (escape) {
      at = end + 1;
    } else {
      plain += text[at++];
    }
  }
  return plain;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; at < line.size();) {
    while (at < line.size() && is_blank(line[at])) ++at;
    const std::size_t begin = at;
    while (at < line.size() && !is_blank(line[at])) ++at;
    if (at > begin) words.push_back(line.substr(begin, at - begin));
  }
  return words;
}

// Takes an entry off the front: "NODEPXB" is two that have run together.
std::optional<Entry> take_entry(std::string_view& word) {
  constexpr std::pair<std::string_view, PciePath> kPaths[] = {
      {"NODE", PciePath::node}, {"PIX", PciePath::pix}, {"PXB", PciePath::pxb},
      {"PHB", PciePath::phb},   {"SYS", PciePath::sys}, {"SOC", PciePath::sys},
      {"X", PciePath::self}};
  for (const auto& [name, path] : kPaths) {
    if (!word.starts_with(name)) continue;
    word.remove_prefix(name.size());
    return Entry{path, 0};
  }
  if (!word.starts_with("NV")) return std::nullopt;
  int links = 0;
  const auto [end, error] = std::from_chars(word.data() + 2, word.data() + word.size(), links);
  if (error != std::errc() || links < 1 || links > kMostNvlinks) return std::nullopt;
  word.remove_prefix(static_cast<std::size_t>(end - word.data()));
  // The entry of a pair with NVLinks does not tell its PCIe path; path_behind_nvlinks() finds it.
  return Entry{PciePath::sys, links};
}

bool is_entry(std::string_view word) { return take_entry(word).has_value() && word.empty(); }

// "GPU12" as 12.
std::optional<std::size_t> gpu_number(std::string_view word) {
  std::size_t number = 0;
  if (!word.starts_with("GPU") || word.size() < 4 || !is_digit(word[3])) return std::nullopt;
  const auto [end, error] = std::from_chars(word.data() + 3, word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
  return number;
}

class TopoReader {
 public:
  TopoReader(std::string_view text, std::string_view source)
      : text_(without_colours(text)), source_(source) {}

  TopoListing read() {
    for (std::size_t begin = 0; begin <= text_.size();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      ++line_;
      read_line(words_of(std::string_view(text_).substr(begin, end - begin)));
      begin = end + 1;
    }
    if (columns_.empty()) {
      throw InputError(fmt::format(
          "{}: there is no heading with GPU0; give the output of nvidia-smi topo -m", source_));
    }
    if (rows_.size() != listing_.gpus) {
      throw InputError(
          fmt::format("{}: the heading names {} GPUs, but there are rows of {}; give the whole "
                      "output of nvidia-smi topo -m",
                      source_, listing_.gpus, rows_.size()));
    }
    fill_matrices();
    return std::move(listing_);
  }

 private:
  [[noreturn]] void fail(const std::string& sentence) const {
    throw InputError(fmt::format("{}:{}: {}", source_, line_, sentence));
  }

  void read_line(const std::vector<std::string_view>& words) {
    if (words.empty() || !gpu_number(words[0])) return;  // adapters, legends, prompts
    const bool heading = words.size() == 1 || !is_entry(words[1]);
    // A row begins with a GPU too, but its next word is an entry.
    if (columns_.empty() && heading && *gpu_number(words[0]) == 0) {
      read_heading(words);
    } else if (!columns_.empty() && rows_.size() < listing_.gpus) {
      read_row(words);
    }
  }

  // Names up to "CPU Affinity".
  void read_heading(const std::vector<std::string_view>& words) {
    for (std::string_view word : words) {
      if (word == "CPU" || word == "NUMA" || word == "GPU") break;
      // "NIC8NIC9" is two that have run together.
      for (std::size_t next = word.find("NIC", 1); next != std::string_view::npos;
           next = word.find("NIC", 1)) {
        columns_.push_back(word.substr(0, next));
        word.remove_prefix(next);
      }
      columns_.push_back(word);
    }
    while (listing_.gpus < columns_.size() &&
           gpu_number(columns_[listing_.gpus]) == listing_.gpus) {
      ++listing_.gpus;
    }
    if (columns_.size() > kMostColumns) {
      fail(fmt::format("the heading names {} columns; a machine has at most {}", columns_.size(),
                       kMostColumns));
    }
    for (const std::string_view word : words) {
      has_numa_ = has_numa_ || word == "NUMA";
    }
  }

  void read_row(const std::vector<std::string_view>& words) {
    const std::size_t gpu = *gpu_number(words[0]);
    if (gpu != rows_.size()) {
      fail(fmt::format("the row of GPU{} comes where that of GPU{} should", gpu, rows_.size()));
    }
    std::vector<Entry> row;
    std::size_t at = 1;
    for (; at < words.size() && row.size() < columns_.size(); ++at) {
      std::string_view word = words[at];
      while (!word.empty()) {
        const std::optional<Entry> entry = take_entry(word);
        if (!entry) {
          fail(fmt::format("the entry {} of GPU{} is unknown; {}", quoted(words[at]), gpu, kRight));
        }
        row.push_back(*entry);
      }
    }
    if (row.size() != columns_.size()) {
      fail(fmt::format("the row of GPU{} has {} entries, but the heading names {} columns", gpu,
                       row.size(), columns_.size()));
    }
    rows_.push_back(std::move(row));
    affinities_.emplace_back(at < words.size() ? words[at] : "");
    listing_.numa_nodes.push_back(has_numa_ && at + 1 < words.size() ? first_number(words[at + 1])
                                                                     : -1);
  }

  // "0" or "0-1"; -1 for "N/A".
  static int first_number(std::string_view word) {
    int number = -1;
    std::from_chars(word.data(), word.data() + word.size(), number);
    return number;
  }

  void fill_matrices() {
    const std::size_t gpus = listing_.gpus;
    listing_.nvlinks.assign(gpus * gpus, 0);
    listing_.paths.assign(gpus * gpus, PciePath::self);
    for (std::size_t from = 0; from < gpus; ++from) {
      for (std::size_t to = 0; to < gpus; ++to) {
        const Entry& entry = rows_[from][to];
        const Entry& back = rows_[to][from];
        const bool self = entry.nvlinks == 0 && entry.path == PciePath::self;
        if (self != (from == to) || entry.nvlinks != back.nvlinks || entry.path != back.path) {
          throw InputError(fmt::format(
              "{}: the entries of GPU{} and GPU{} for each other do not agree; nvidia-smi topo -m "
              "prints the same entry both ways, and X for a GPU and itself",
              source_, from, to));
        }
        listing_.nvlinks[from * gpus + to] = entry.nvlinks;
        listing_.paths[from * gpus + to] =
            entry.nvlinks > 0 ? path_behind_nvlinks(from, to) : entry.path;
      }
    }
  }

  // The nearest PCIe path through a third party that both are joined with by PCIe.
  PciePath path_behind_nvlinks(std::size_t left, std::size_t right) const {
    const bool numa_known = listing_.numa_nodes[left] >= 0 && listing_.numa_nodes[right] >= 0;
    const bool same_node = numa_known ? listing_.numa_nodes[left] == listing_.numa_nodes[right]
                                      : affinities_[left] == affinities_[right];
    PciePath nearest = same_node ? PciePath::node : PciePath::sys;
    for (std::size_t third = 0; third < columns_.size(); ++third) {
      const Entry& one = rows_[left][third];
      const Entry& other = rows_[right][third];
      if (third == left || third == right || one.nvlinks > 0 || other.nvlinks > 0) continue;
      nearest = std::min(nearest, std::max(one.path, other.path));
    }
    return nearest;
  }

  std::string text_;
  std::string_view source_;
  std::size_t line_ = 0;
  std::vector<std::string_view> columns_;
  bool has_numa_ = false;
  std::vector<std::vector<Entry>> rows_;  // by GPU, by column
  std::vector<std::string_view> affinities_;
  TopoListing listing_;
};

}  // namespace

TopoListing parse_topo_listing(std::string_view text, std::string_view source) {
  return TopoReader(text, source).read();
}

}  // namespace berth
