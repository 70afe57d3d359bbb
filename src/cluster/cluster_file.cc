#include "cluster/cluster_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <unordered_map>

#include "base/error.h"
#include "base/json_format.h"
#include "base/json_reader.h"
#include "cluster/validation.h"

namespace berth {
namespace {

constexpr std::string_view kFormat = "berth.cluster";
constexpr std::int64_t kVersion = 1;

using Keys = std::vector<std::string>;
const Keys kClusterKeys = {"format", "version", "name", "devices", "switches", "links"};
const Keys kDeviceKeys = {"name",  "kind",      "model",  "memory", "reserved",
                          "flops", "bandwidth", "launch", "slots"};
const Keys kLinkKeys = {"between", "bandwidth", "latency", "duplex"};

// A link as written: its ends are names until all devices and switches are known.
struct NamedLink {
  std::string_view ends[2];
  std::size_t end_positions[2] = {0, 0};
  Link link;
};

// The format is checked before anything else, wherever in the file it is: a graph given as a
// cluster should be reported as such, and not as a cluster without devices.
void check_format(std::string_view text, std::string_view source) {
  const std::string right = fmt::format("a cluster file has \"format\": \"{}\"", kFormat);
  JsonReader reader(text, source);
  bool has_format = false;
  bool has_version = false;
  double version = 0;
  std::size_t version_position = 0;
  reader.begin_object();
  while (!has_format || !has_version) {
    const auto key = reader.next_key();
    if (!key) break;
    if (*key == "format") {
      if (reader.peek() != JsonReader::Kind::string)
        throw InputError(fmt::format("{}: \"format\" is not a string; {}", source, right));
      const std::string_view format = reader.read_string();
      if (format != kFormat) {
        throw InputError(fmt::format("{}: \"format\" is {}; {}", source, quoted(format), right));
      }
      has_format = true;
    } else if (*key == "version") {
      if (reader.peek() != JsonReader::Kind::number) {
        reader.fail(
            fmt::format("\"version\" is not a number; this program reads version {}", kVersion));
      }
      version = reader.read_double();
      version_position = reader.position();
      has_version = true;
    } else {
      reader.skip();
    }
  }
  if (!has_format) throw InputError(fmt::format("{}: \"format\" is missing; {}", source, right));
  if (!has_version) {
    throw InputError(fmt::format("{}: \"version\" is missing; this program reads \"version\": {}",
                                 source, kVersion));
  }
  if (version != static_cast<double>(kVersion)) {
    reader.fail_at(version_position, fmt::format("\"version\" is {}; this program reads version {}",
                                                 version, kVersion));
  }
}

class ClusterFileReader {
 public:
  ClusterFileReader(std::string_view text, std::string_view source,
                    std::vector<std::string>* warnings)
      : reader_(text, source), source_(source), warnings_(warnings) {}

  Cluster read();

 private:
  // Walks the keys of one object: refuses duplicates and, in devices and links, unknown ones.
  // `where` is a kind of object ("a device").
  class Object {
   public:
    Object(ClusterFileReader& file, const Keys& known, std::string_view where,
           UnknownKeys unknown_keys = UnknownKeys::refuse)
        : file_(file), known_(known), where_(where), unknown_keys_(unknown_keys) {
      file_.reader_.begin_object();
      position_ = file_.reader_.position();
    }
    std::optional<std::string_view> next_known_key();
    void require(std::string_view key, std::string_view advice = "") const;
    std::size_t position() const { return position_; }

   private:
    ClusterFileReader& file_;
    const Keys& known_;
    std::string_view where_;
    UnknownKeys unknown_keys_;
    std::size_t position_;
    std::vector<std::string_view> seen_;
  };

  void read_devices();
  Device read_device();
  std::int64_t read_memory(const std::string& what);
  void read_flops(Device& device, const std::string& label);
  void read_switches();
  void read_links();
  NamedLink read_link();
  std::vector<Link> resolve_links();
  void warn(std::string_view where, std::string_view key, const Keys& known);

  JsonReader reader_;
  std::string_view source_;
  std::vector<std::string>* warnings_;

  std::string name_;
  std::vector<Device> devices_;
  std::vector<std::string> switches_;
  std::vector<NamedLink> links_;
  // Where each entry began, for what is found wrong once all is read.
  std::vector<std::size_t> device_positions_;
  std::vector<std::size_t> switch_positions_;
  std::vector<std::size_t> link_positions_;
};

void ClusterFileReader::warn(std::string_view where, std::string_view key, const Keys& known) {
  if (warnings_ == nullptr) return;
  warnings_->push_back(fmt::format("{}: the key {} of {} is unknown and ignored; known are {}",
                                   reader_.locate(reader_.position()), quoted(key), where,
                                   join_names(known)));
}

std::optional<std::string_view> ClusterFileReader::Object::next_known_key() {
  while (const auto key = file_.reader_.next_key()) {
    if (std::find(seen_.begin(), seen_.end(), *key) != seen_.end()) {
      file_.reader_.fail(
          fmt::format("the key {} of {} is given twice; give it once", quoted(*key), where_));
    }
    seen_.push_back(*key);
    if (std::find(known_.begin(), known_.end(), *key) != known_.end()) return key;
    judge_unknown_key(file_.reader_, *key, where_, known_, unknown_keys_);
    file_.warn(where_, *key, known_);
    file_.reader_.skip();
  }
  return std::nullopt;
}

void ClusterFileReader::Object::require(std::string_view key, std::string_view advice) const {
  if (std::find(seen_.begin(), seen_.end(), key) != seen_.end()) return;
  file_.reader_.fail_at(position_, fmt::format("\"{}\" of {} is missing{}", key, where_, advice));
}

std::int64_t ClusterFileReader::read_memory(const std::string& what) {
  if (reader_.peek() == JsonReader::Kind::string) {
    // A copy of the reader looks ahead; the value may still be a size with a unit.
    JsonReader ahead = reader_;
    if (ahead.read_string() == "unlimited") {
      reader_.skip();
      return kUnlimitedBytes;
    }
  }
  return reader_.read_bytes(what);
}

void ClusterFileReader::read_flops(Device& device, const std::string& label) {
  if (reader_.peek() != JsonReader::Kind::object) {
    device.flops = {{DType::unknown, reader_.read_quantity(Dimension::flops, "flops of " + label)}};
    return;
  }
  reader_.begin_object();
  while (const auto key = reader_.next_key()) {
    const std::optional<DType> dtype = parse_dtype(*key);
    if (!dtype || *dtype == DType::unknown) {
      const std::vector<std::string> known = dtype_names();
      reader_.fail(fmt::format("flops of {} are given for {}, which is not a dtype; known are {}{}",
                               label, quoted(*key), join_names(known), did_you_mean(*key, known)));
    }
    for (const auto& rate : device.flops) {
      if (rate.first == *dtype) {
        reader_.fail(fmt::format("flops of {} are given twice for {}; give one rate", label, *key));
      }
    }
    const std::string what = fmt::format("flops for {} of {}", *key, label);
    device.flops.emplace_back(*dtype, reader_.read_quantity(Dimension::flops, what));
  }
}

Device ClusterFileReader::read_device() {
  Device device;
  Object object(*this, kDeviceKeys, "a device");
  device_positions_.push_back(object.position());
  while (const auto key = object.next_known_key()) {
    // The name usually comes first; a device is numbered until it is known.
    const std::string label = device.name.empty() ? fmt::format("device number {}", devices_.size())
                                                  : "device " + quoted(device.name);
    if (*key == "name")
      device.name = reader_.read_string();
    else if (*key == "kind")
      device.kind = reader_.read_string();
    else if (*key == "model")
      device.model = reader_.read_string();
    else if (*key == "memory")
      device.memory_bytes = read_memory("memory of " + label);
    else if (*key == "reserved")
      device.reserved_bytes = reader_.read_bytes("reserved memory of " + label);
    else if (*key == "flops")
      read_flops(device, label);
    else if (*key == "bandwidth")
      device.bandwidth =
          reader_.read_quantity(Dimension::bytes_per_second, "bandwidth of " + label);
    else if (*key == "launch")
      device.launch_seconds = reader_.read_quantity(Dimension::seconds, "launch time of " + label);
    else if (*key == "slots")
      device.slots =
          reader_.read_integer(1, std::numeric_limits<std::int64_t>::max(), "slots of " + label);
  }
  object.require("name");
  object.require("kind");
  object.require("memory", "; give a size such as \"16GiB\", or \"unlimited\"");
  return device;
}

void ClusterFileReader::read_devices() {
  reader_.begin_array();
  while (reader_.next_element()) devices_.push_back(read_device());
}

void ClusterFileReader::read_switches() {
  reader_.begin_array();
  while (reader_.next_element()) {
    switches_.emplace_back(reader_.read_string());
    switch_positions_.push_back(reader_.position());
  }
}

NamedLink ClusterFileReader::read_link() {
  NamedLink named;
  Object object(*this, kLinkKeys, "a link");
  link_positions_.push_back(object.position());
  while (const auto key = object.next_known_key()) {
    if (*key == "between") {
      reader_.begin_array();
      const std::size_t position = reader_.position();
      std::size_t count = 0;
      for (; reader_.next_element(); ++count) {
        const std::string_view end = reader_.read_string();
        if (count >= 2) continue;
        named.ends[count] = end;
        named.end_positions[count] = reader_.position();
      }
      if (count != 2) {
        reader_.fail_at(position, fmt::format("\"between\" of link number {} names {} ends; it "
                                              "names two devices or switches",
                                              links_.size(), count));
      }
    } else if (*key == "bandwidth") {
      named.link.bandwidth =
          reader_.read_quantity(Dimension::bytes_per_second, "bandwidth of a link");
    } else if (*key == "latency") {
      named.link.latency_seconds = reader_.read_quantity(Dimension::seconds, "latency of a link");
    } else if (*key == "duplex") {
      named.link.duplex = reader_.read_bool();
    }
  }
  object.require("between");
  object.require("bandwidth");
  return named;
}

void ClusterFileReader::read_links() {
  reader_.begin_array();
  while (reader_.next_element()) links_.push_back(read_link());
}

std::vector<Link> ClusterFileReader::resolve_links() {
  std::unordered_map<std::string_view, std::uint32_t> vertices;
  for (const Device& device : devices_)
    vertices.emplace(device.name, static_cast<std::uint32_t>(vertices.size()));
  if (vertices.size() != devices_.size()) return {};  // names clash: the cluster will say so
  for (const std::string& name : switches_)
    vertices.emplace(name, static_cast<std::uint32_t>(vertices.size()));

  std::vector<Link> links;
  links.reserve(links_.size());
  for (std::size_t i = 0; i < links_.size(); ++i) {
    Link link = links_[i].link;
    for (const int end : {0, 1}) {
      const std::string_view name = links_[i].ends[end];
      const auto found = vertices.find(name);
      if (found == vertices.end()) {
        std::vector<std::string> known;
        for (const Device& device : devices_) known.push_back(device.name);
        known.insert(known.end(), switches_.begin(), switches_.end());
        const std::string hint = did_you_mean(name, known);
        reader_.fail_at(
            links_[i].end_positions[end],
            fmt::format("link number {} ends at {}, which is neither a device nor a switch of this "
                        "file{}",
                        i, quoted(name), hint.empty() ? "; known are " + join_names(known) : hint));
      }
      (end == 0 ? link.from : link.to) = found->second;
    }
    links.push_back(link);
  }
  return links;
}

Cluster ClusterFileReader::read() {
  Object object(*this, kClusterKeys, "the cluster", UnknownKeys::refuse_misspelt);
  while (const auto key = object.next_known_key()) {
    if (*key == "name")
      name_ = reader_.read_string();
    else if (*key == "devices")
      read_devices();
    else if (*key == "switches")
      read_switches();
    else if (*key == "links")
      read_links();
    else
      reader_.skip();  // format and version are checked by now
  }
  object.require("devices");
  reader_.expect_end();

  // All rules about values are in the constructor of Cluster. Its errors name the part they are
  // about, and the place in the file is added here.
  std::vector<Link> links = resolve_links();
  try {
    return Cluster(std::move(name_), std::move(devices_), std::move(switches_), std::move(links));
  } catch (const ClusterError& error) {
    switch (error.part()) {
      case ClusterPart::device:
        reader_.fail_at(device_positions_[error.index()], error.what());
      case ClusterPart::switch_name:
        reader_.fail_at(switch_positions_[error.index()], error.what());
      case ClusterPart::link:
        reader_.fail_at(link_positions_[error.index()], error.what());
      case ClusterPart::whole:
        break;
    }
    throw error.in(std::string(source_));
  }
}

}  // namespace

Cluster parse_cluster(std::string_view text, std::string_view source,
                      std::vector<std::string>* warnings) {
  check_format(text, source);
  return ClusterFileReader(text, source, warnings).read();
}

}  // namespace berth
