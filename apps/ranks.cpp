#include "apps/ranks.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <sstream>
#include <string_view>

#include "apps/signals.hpp"
#include "src/distributed/follower.hpp"
#include "src/distributed/leader.hpp"
#include "src/distributed/mpi_module.hpp"
#include "src/series/follow_questions.hpp"

namespace countpm::app {
namespace {

constexpr const char* module_name = "libcountpm_mpi.so";

/// Beside the program, as it is built, or where it is installed; empty where there is none.
std::string module_path() {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* folder : {"", COUNTPM_MODULES, "../lib"}) {
    const std::filesystem::path path = program.parent_path() / folder / module_name;
    if (!error && std::filesystem::exists(path, error)) return path.string();
  }
  return {};
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

}  // namespace

Ranks::Ranks() = default;

void Ranks::begin() {
  const int started = ranks_started();
  if (started <= 1) return;
  const std::string path = module_path();
  if (path.empty()) {
    throw UnableError(fmt::format("{} ranks were started, and this countpm was built without MPI", started),
                      "try a build with Open MPI (libopenmpi-dev), or Debian's countpm-mpi; docs/scaling.md "
                      "shows ways without");
  }
  // Global: the parts that Open MPI loads by itself look for its symbols.
  void* const module = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (module == nullptr) {
    const char* const reason = dlerror();
    throw UnableError(fmt::format("{} ranks were started, and MPI cannot be loaded: {}", started,
                                  reason != nullptr ? reason : "no reason given"),
                      "install Open MPI's libraries (openmpi-bin)");
  }
  using Open = decltype(&countpm_open_channel);
  const auto open = reinterpret_cast<Open>(dlsym(module, "countpm_open_channel"));
  if (open == nullptr) throw std::runtime_error("the module for MPI is of another version");
  channel_.reset(open());
  if (channel_->ranks() == started) return;
  const int found = channel_->ranks();
  channel_.reset();
  throw UsageError(
      fmt::format("{} ranks were started, and {} find each other: start them with Open MPI's mpirun, or "
                  "with srun --mpi=pmix",
                  started, found));
}

Ranks::~Ranks() = default;

void Ranks::check(const Request& request) const {
  if (!several()) return;
  constexpr std::array<std::string_view, 10> for_all{"count",  "estimate", "compare", "series",  "sample",
                                                     "resume", "status",   "methods", "version", "help"};
  bool known = request.help || request.version;
  for (const std::string_view command : for_all) known = known || request.command == command;
  known = known || (request.command == "marginals" && request.sampled);
  const char* const option = request.log_only         ? "--log-only"
                             : request.up_to_symmetry ? "--up-to-symmetry"
                             : request.explain        ? "--explain"
                             : request.ratio_to       ? "--ratio-to"
                             : request.integrate      ? "--integrate"
                             : request.command == "sample" && request.estimate.sampler.kind
                                 ? "sample with --sampler"
                             : !known && request.command == "marginals" ? "marginals without --sampled"
                                                                        : nullptr;
  if (known && option == nullptr) return;
  throw UsageError(
      fmt::format("{} is done by one process: several ranks count, estimate, compare, count series and draw "
                  "samples; start it without mpirun or srun",
                  option != nullptr ? option : request.command));
}

void Ranks::end() {
  if (!several()) return;
  if (leads()) end_ranks(*channel_);
  channel_.reset();
}

bool follows(const Request& request) {
  return request.count.channel != nullptr && request.count.channel->rank() != 0;
}

void follow_with_others(const Request& request) {
  CountOptions options = request.count;
  options.interrupted = stop_requested;
  allow_time_to_stop();
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
  return module_path().empty() ? "without MPI" : "with MPI";
}

}  // namespace countpm::app
