// The GPUs that may be assumed are those on which the methods' nominal rates were measured (tuning.hpp of
// each method's gpu/; docs/forecasts.md has the table): the rates are per multiprocessor and cycle.
#include "src/machine/assume.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>

#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/machine/resources.hpp"
#include "src/text/format_number.hpp"

namespace countpm {
namespace {

struct KnownGpu {
  std::string_view name;
  std::string_view full_name;
  std::uint64_t memory_gib;
};
// Both have the same 132 multiprocessors of compute capability 9.0, at up to 1980 MHz, and differ in their
// memory. Figures: bench/results/counting-gpu.md, and what CUDA said
// there of the memory.
constexpr std::array<KnownGpu, 2> known_gpus{
    {{"h100", "NVIDIA H100 80GB HBM3", 78}, {"h200", "NVIDIA H200", 139}}};
constexpr int multiprocessors = 132;
constexpr double clock_ghz = 1.98;
constexpr std::uint64_t shared_bytes = 227 * 1024;

constexpr int most_machines = 100'000;
constexpr int most_gpus = 64;

std::string known_names() {
  std::string names;
  for (const KnownGpu& gpu : known_gpus) names += fmt::format("{}{}", names.empty() ? "" : ", ", gpu.name);
  return names;
}

const KnownGpu* find_gpu(std::string_view name) {
  const auto* found = std::find_if(known_gpus.begin(), known_gpus.end(),
                                   [&](const KnownGpu& gpu) { return gpu.name == name; });
  return found == known_gpus.end() ? nullptr : found;
}

void check_number(std::string_view key, int number, int least, int most) {
  if (number >= least && number <= most) return;
  throw UsageError(
      fmt::format("what is assumed: {}={}: expected a whole number from {} to {}", key, number, least, most));
}

int number_of(std::string_view key, std::string_view value) {
  int number = 0;
  const char* const end = value.data() + value.size();
  const auto [stop, error] = std::from_chars(value.data(), end, number);
  if (value.empty() || error != std::errc() || stop != end || number < 1)
    throw UsageError(fmt::format("what is assumed: {}={}: expected a whole number from 1 on", key,
                                 quoted(std::string(value), 80)));
  return number;
}

}  // namespace

AssumedMachine parse_assumed(std::string_view text) {
  AssumedMachine assumed;
  bool several = false;
  for (const std::string_view part : split(text, ',')) {
    const std::size_t sign = std::min(part.find('='), part.size());
    const std::string_view key = part.substr(0, sign);
    const std::string_view value = part.substr(std::min(sign + 1, part.size()));
    if (key == "gpu") {
      assumed.gpu = value;
    } else if (key == "gpus") {
      assumed.gpus = number_of(key, value);
      several = true;
    } else if (key == "machines") {
      assumed.machines = number_of(key, value);
    } else if (key == "threads") {
      assumed.threads = number_of(key, value);
    } else {
      throw UsageError(
          fmt::format("what is assumed: expected gpu=NAME, gpus=N, machines=N or threads=N, found '{}'",
                      quoted(std::string(part), 80)));
    }
    if (key == "gpu" && find_gpu(value) == nullptr)
      throw UsageError(
          fmt::format("what is assumed: no rates were measured on a GPU '{}'; on these they were: {}",
                      quoted(std::string(value), 80), known_names()));
  }
  if (several && assumed.gpu.empty())
    throw UsageError("what is assumed: gpus=N says how many, and gpu=NAME which ones; give it, too");
  check_assumed(assumed);
  return assumed;
}

void check_assumed(const AssumedMachine& assumed) {
  if (!assumed.gpu.empty() && find_gpu(assumed.gpu) == nullptr)
    throw UsageError(
        fmt::format("what is assumed: no rates were measured on a GPU '{}'; on these they were: {}",
                    quoted(assumed.gpu, 80), known_names()));
  check_number("gpus", assumed.gpus, 1, most_gpus);
  check_number("machines", assumed.machines, 1, most_machines);
  check_number("threads", assumed.threads, 0, most_threads);
}

std::vector<GpuInfo> assumed_gpus(const AssumedMachine& assumed) {
  std::vector<GpuInfo> gpus;
  const KnownGpu* const known = find_gpu(assumed.gpu);
  if (known == nullptr) return gpus;
  for (int k = 0; k < assumed.gpus; ++k) {
    GpuInfo gpu;
    gpu.index = k;
    gpu.name = known->full_name;
    gpu.major = 9;
    gpu.memory_bytes = known->memory_gib << 30U;
    gpu.multiprocessors = multiprocessors;
    gpu.shared_bytes = shared_bytes;
    gpu.clock_ghz = clock_ghz;
    gpu.link_bytes_a_second = nvlink_bytes_a_second;
    gpus.push_back(std::move(gpu));
  }
  return gpus;
}

std::string assumed_text(const AssumedMachine& assumed) {
  std::string with;
  if (const KnownGpu* const known = find_gpu(assumed.gpu))
    with = fmt::format("{} {}", assumed.gpus, known->full_name);
  if (assumed.threads > 0) {
    with += fmt::format("{}{} as fast as one here", with.empty() ? "" : " and ",
                        counted(static_cast<std::uint64_t>(assumed.threads), "thread"));
  } else {
    with += with.empty() ? "this machine's processors" : " and this machine's cores";
  }
  return fmt::format("{} with {}",
                     assumed.machines > 1 ? fmt::format("{} machines, each", assumed.machines) : "a machine",
                     with);
}

}  // namespace countpm
