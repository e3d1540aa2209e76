#include "apps/ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string_view>

#include "apps/commands.hpp"
#include "apps/exit_codes.hpp"
#include "apps/limit_watch.hpp"
#include "apps/output.hpp"
#include "apps/signals.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
#include "src/distributed/mpi_module.hpp"
#include "src/series/follow_questions.hpp"

namespace countpm::app {
namespace {

/// A module is of one MPI, and can only talk to ranks that were started by the same.
struct MpiModule {
  const char* file;
  const char* mpi;
  const char* start;
};
constexpr MpiModule open_mpi{"libcountpm_mpi.so", "Open MPI", "Open MPI's mpirun, or with srun --mpi=pmix"};
constexpr MpiModule mpich{"libcountpm_mpich.so", "MPICH", "MPICH's mpiexec, or with srun --mpi=pmi2"};

/// Beside the program, as it is built, or where it is installed; empty where there is none.
std::string path_of(const MpiModule& module) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* folder : {"", COUNTPM_MODULES, "../lib"}) {
    const std::filesystem::path path = program.parent_path() / folder / module.file;
    if (!error && std::filesystem::exists(path, error)) return path.string();
  }
  return {};
}

/// What started the ranks talks to them by PMI where it is MPICH's mpiexec or srun --mpi=pmi2, else by PMIx,
/// as Open MPI's does.
const MpiModule& wanted_module() {
  const bool by_pmix = std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr || std::getenv("PMIX_RANK") != nullptr;
  const bool by_pmi = std::getenv("PMI_RANK") != nullptr || std::getenv("PMI_SIZE") != nullptr;
  return by_pmi && !by_pmix ? mpich : open_mpi;
}

int number_from(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return 0;
  const std::string_view view(text);
  int number = 0;
  std::from_chars(view.data(), view.data() + view.size(), number);
  return number;
}

/// How many of us were started together, as far as the environment says: by Open MPI's mpirun, by another
/// one, or by srun with an interface to MPI (Slurm alone starts independent programs as well).
int ranks_started() {
  for (const char* const variable : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"}) {
    if (const int ranks = number_from(variable); ranks > 0) return ranks;
  }
  if (std::getenv("PMIX_RANK") != nullptr || std::getenv("PMI_RANK") != nullptr)
    return number_from("SLURM_STEP_NUM_TASKS");
  return 1;
}

/// Seconds that MPI may take to begin.
double start_patience() {
  constexpr int ten_minutes = 600;
  const int own = number_from("COUNTPM_MPI_START_SECONDS");
  return own > 0 ? own : ten_minutes;
}

/// MPI waits for all ranks to begin, also for one that has died meanwhile.
[[noreturn]] void end_without_mpi() {
  // The first two speak for all: one of them may be it.
  if (std::max({number_from("OMPI_COMM_WORLD_RANK"), number_from("PMIX_RANK"), number_from("PMI_RANK")}) <= 1)
    write_error(fmt::format("countpm: MPI has not begun after {} s: a rank may have died at its start\n",
                            start_patience()));
  std::_Exit(exit_code::unable);
}

}  // namespace

Ranks::Ranks() = default;

void Ranks::begin() {
  const int started = ranks_started();
  if (started <= 1) return;
  // Without the right one, the other may still find its ranks: some are built for both ways.
  const bool is_there = !path_of(wanted_module()).empty();
  const MpiModule& module = is_there ? wanted_module() : &wanted_module() == &mpich ? open_mpi : mpich;
  const std::string path = path_of(module);
  if (path.empty()) {
    throw UnableError(fmt::format("{} ranks were started, and this countpm was built without MPI", started),
                      "try a build with Open MPI (libopenmpi-dev) or MPICH (libmpich-dev), or Debian's "
                      "countpm-mpi; docs/scaling.md shows ways without");
  }
  // Global: the parts that Open MPI loads by itself look for its symbols.
  void* const loaded = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (loaded == nullptr) {
    const char* const reason = dlerror();
    throw UnableError(fmt::format("{} ranks were started, and MPI cannot be loaded: {}", started,
                                  reason != nullptr ? reason : "no reason given"),
                      fmt::format("install the libraries of {}", module.mpi));
  }
  using Open = decltype(&countpm_open_channel);
  const auto open = reinterpret_cast<Open>(dlsym(loaded, "countpm_open_channel"));
  if (open == nullptr) throw std::runtime_error("the module for MPI is of another version");
  {
    const LimitWatch watch(start_patience(), end_without_mpi);
    channel_.reset(open());
  }
  if (channel_->ranks() == started) return;
  const int found = channel_->ranks();
  channel_.reset();
  throw UsageError(fmt::format("{} ranks were started, and {} find each other: {}start them with {}", started,
                               found,
                               is_there ? ""
                                        : fmt::format("this countpm has the module of {}, and none of {}; ",
                                                      module.mpi, wanted_module().mpi),
                               module.start));
}

Ranks::~Ranks() = default;

void Ranks::check(const Request& request) const {
  if (!several()) return;
  using Q = Question;
  constexpr Questions together = Q::count | Q::estimate | Q::ratio | Q::integral | Q::compare | Q::many |
                                 Q::marginals | Q::sampled | Q::sample | Q::resume | Q::status | Q::methods |
                                 Q::schema | Q::version | Q::help | Q::complete;
  std::string alone = together.has(question_of(request.command)) ? "" : request.command;
  for (const auto& [name, value] : request.given) {
    const std::optional<Question>& asks = find_option(name)->asks;
    if (asks && !together.has(*asks)) alone = "--" + name;
  }
  if (request.command == "sample" && request.estimate.sampler.kind) alone = "sample with --sampler";
  if (alone.empty() || request.help || request.version) return;
  throw UsageError(fmt::format(
      "{} is done by one process: several ranks count, estimate, compare, count many graphs, draw "
      "samples and find edge probabilities; start it without mpirun or srun",
      alone));
}

void Ranks::tell_losses() const {
  if (!several() || !leads() || channel_->lost_ranks() == 0) return;
  write_error(fmt::format("countpm: {} of {} ranks {} lost; the others did the work\n",
                          channel_->lost_ranks(), channel_->ranks(),
                          channel_->lost_ranks() == 1 ? "was" : "were"));
}

bool Ranks::is_first_left() const {
  int first = 0;
  while (channel_->lost(first)) ++first;
  return channel_->rank() == first;
}

void Ranks::end() {
  if (!several()) return;
  if (leads()) end_ranks(*channel_);
  channel_.reset();
}

bool follows(const Request& request) {
  return request.count.channel != nullptr && request.count.channel->rank() != 0;
}

CountOptions options_to_follow(const Request& request) {
  CountOptions options = request.count;
  options.interrupted = stop_requested;
  allow_time_to_stop();
  return options;
}

void follow_with_others(const Request& request) {
  const CountOptions options = options_to_follow(request);
  follow_questions(request.read, options, request.estimate);
}

Source source_on_ranks(const Request& request, const std::string& argument) {
  Source source = Source::from_argument(argument);
  if (request.count.channel == nullptr || source.kind != Source::Kind::standard_input) return source;
  std::ostringstream text;
  text << std::cin.rdbuf();
  return Source::from_bytes(text.str(), source.name);
}

Source source_for_all(const Request& request) {
  Source source = source_on_ranks(request, request.arguments.front());
  if (request.count.channel != nullptr && source.kind == Source::Kind::memory)
    share_input(*request.count.channel, source.bytes);
  return source;
}

bool several_ranks_started() {
  return ranks_started() > 1;
}

std::string mpi_status() {
  std::string found;
  for (const MpiModule& module : {open_mpi, mpich}) {
    if (!path_of(module).empty()) found += (found.empty() ? "with " : " and ") + std::string(module.mpi);
  }
  return found.empty() ? "without MPI" : found;
}

}  // namespace countpm::app
