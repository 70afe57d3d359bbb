#include "place/learned/module.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/build_id.h"
#include "base/error.h"
#include "base/outside_error.h"
#include "place/learned/methods.h"
#include "place/learned/own_folders.h"

namespace berth::place {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFile = "libberth_learn.so";
constexpr const char* kEntry = "berth_learn_table";
constexpr const char* kPackages = "libtorch1.13 and libopenblas0-pthread";

using Entry = const LearnTable* (*)();

// Where a build and where an installation has it: beside the program, or in a folder of its own
// beside the libraries.
std::vector<fs::path> places_to_look() {
  // Absolute, or the loader would look for a bare name everywhere but here.
  if (const char* named = std::getenv("BERTH_LEARN_MODULE")) return {fs::absolute(named)};
  std::vector<fs::path> places;
  const auto add = [&](const fs::path& folder) {
    const fs::path place = (folder / kFile).lexically_normal();
    if (std::ranges::find(places, place) == places.end()) places.push_back(place);
  };
  for (const fs::path& folder : own_folders()) {
    add(folder);
    add(folder / "berth");
    add(folder.parent_path() / "lib" / "berth");
    add(folder.parent_path() / BERTH_INSTALL_LIBDIR / "berth");
  }
  return places;
}

// Where it was looked for, for the message that it is not there.
std::string describe(const std::vector<fs::path>& places) {
  if (std::getenv("BERTH_LEARN_MODULE")) {
    return fmt::format("is not at {}, where BERTH_LEARN_MODULE says it is",
                       quoted(places.front().string()));
  }
  if (places.empty()) return "cannot be found, because /proc is missing";
  std::vector<std::string> names;
  for (const fs::path& place : places) names.push_back(quoted(place.string()));
  return fmt::format("is at none of {}", join_names(names));
}

// One way of computing, so that a training is the same everywhere: one thread for products, and the
// kernels of one kind of processor. The libraries would take those made for the processor they find
// themselves on, which sum in another order each, and the last bit of a sum is another policy after
// a hundred updates; and OpenBLAS takes its oldest where it does not know the processor. Kernels
// for AVX2 run on nearly all there are, and on products this small none is faster. All of this is
// read when the libraries are loaded; who has chosen kernels keeps them.
void settle_arithmetic() {
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
#ifdef __x86_64__
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return;
  setenv("OPENBLAS_CORETYPE", "Haswell", 0);
  setenv("ATEN_CPU_CAPABILITY", "avx2", 0);
#endif
}

// What libtorch and OpenBLAS take for themselves, with something to spare, seen with versions 1.13
// and 0.3.21: 740 MB of addresses, and of these 220 MB to write to.
constexpr std::size_t kAddressBytes = std::size_t{800} << 20;
constexpr std::size_t kWritableBytes = std::size_t{256} << 20;

// A piece of the address space that holds nothing and is given back at once.
class Reservation {
 public:
  Reservation(std::size_t bytes, int protection)
      : bytes_(bytes),
        place_(::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
                      0)) {}
  ~Reservation() {
    if (made()) ::munmap(place_, bytes_);
  }
  Reservation(const Reservation&) = delete;
  Reservation& operator=(const Reservation&) = delete;

  bool made() const { return place_ != MAP_FAILED; }

 private:
  std::size_t bytes_;
  void* place_;
};

// OpenBLAS asks for memory again and again where it gets none, and never comes back.
void require_room() {
  const Reservation writable(kWritableBytes, PROT_READ | PROT_WRITE);
  const Reservation rest(kAddressBytes - kWritableBytes, PROT_NONE);
  if (writable.made() && rest.made()) return;
  throw OutsideError(fmt::format(
      "the learned methods need {} MiB of address space, {} MiB of it writable, more than this "
      "process may use; raise the limit (ulimit -v, ulimit -d) or choose another method",
      kAddressBytes >> 20, kWritableBytes >> 20));
}

[[noreturn]] void refuse(const fs::path& path, std::string_view found) {
  throw InputError(
      fmt::format("{} is {}, and this is Berth {} (build {}); build or install both together",
                  quoted(path.string()), found, BERTH_VERSION, build_id()));
}

const LearnModule& checked(const fs::path& path, void* module) {
  const auto entry = reinterpret_cast<Entry>(dlsym(module, kEntry));
  if (!entry) refuse(path, "not the module of learned methods of this version");
  const LearnTable& table = *entry();
  if (std::string_view(table.build_id) != build_id()) {
    refuse(path, fmt::format("the module of learned methods of Berth {} (build {})", table.version,
                             table.build_id));
  }
  return *table.module;
}

const LearnModule& load() {
  // A program that has the module linked in, as tests do.
  if (const auto entry = reinterpret_cast<Entry>(dlsym(RTLD_DEFAULT, kEntry))) {
    return *entry()->module;
  }
  const std::vector<fs::path> places = places_to_look();
  for (const fs::path& path : places) {
    std::error_code error;
    if (!fs::exists(path, error)) continue;
    require_room();
    settle_arithmetic();
    void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!module) {
      throw InputError(
          fmt::format("the learned methods need {}, which cannot be loaded ({}); install the "
                      "packages {}: apt-get install libtorch1.13 libopenblas0-pthread",
                      path.string(), dlerror(), kPackages));
    }
    return checked(path, module);
  }
  throw InputError(
      fmt::format("the learned methods need {}, which {}; install the package "
                  "libtorch-dev (apt-get install libtorch-dev libopenblas0-pthread) and build "
                  "Berth again",
                  kFile, describe(places)));
}

}  // namespace

const LearnModule& learn_module() {
  static const LearnModule& module = load();
  return module;
}

std::vector<Placer> learned_placers() {
  std::vector<Placer> placers;
  for (const LearnedMethod& method : learned_methods()) {
    placers.push_back(
        {.name = method.name,
         .summary = method.summary,
         .reference = method.reference,
         .options = method.options(),
         .place =
             [](const Problem& problem, const Request& request, const Options& options) {
               return learn_module().place(problem, request, options.canonical(), "");
             },
         .learned = true,
         .searches = true});
  }
  return placers;
}

}  // namespace berth::place
