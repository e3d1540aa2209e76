#include "kernels/frontier/frontier_device_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/errors.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/frontier/frontier_tuning.hpp"
#include "kernels/frontier/order_search.hpp"
#include "kernels/frontier/program.hpp"

namespace countpm {
namespace {

using namespace frontier_tuning;

Elimination without_joins(const Elimination& elimination) {
  using Kind = EliminationStep::Kind;
  Elimination line;
  line.steps.push_back({Kind::push, no_index});
  for (const EliminationStep& step : elimination.steps) {
    if (step.kind == Kind::eliminate) line.steps.push_back(step);
  }
  return line;
}

std::string no_form_for_keys(std::uint32_t key_bits) {
  return fmt::format("no form for GPUs where keys are wider than 128 bits, and these have {}", key_bits);
}

}  // namespace

FrontierDevicePlan frontier_device_plan(const ClassGraph& graph, const Elimination& best,
                                        const Elimination* linear, const std::vector<BranchPath>& paths) {
  FrontierDevicePlan plan;
  plan.elimination = linear != nullptr ? *linear : without_joins(best);
  const Program program = make_program(graph, plan.elimination);
  plan.key_bits = program.key_bits;
  plan.rounds = static_cast<double>(program.rounds.size()) * static_cast<double>(paths.size());
  // Some of the units, spread evenly, stand for all.
  constexpr std::size_t looked_at = 32;
  double work = -std::numeric_limits<double>::infinity();
  std::size_t count = 0;
  for (std::size_t k = 0; k < paths.size(); k += paths.size() / looked_at + 1, ++count) {
    EliminationForecast forecast;
    if (paths[k].empty()) {
      forecast = forecast_elimination(graph, plan.elimination);
    } else {
      const BranchGraph branch = branch_graph(graph, plan.elimination, paths[k]);
      forecast = forecast_elimination(branch.graph, branch.elimination);
    }
    work = log2_sum(work, forecast.log2_transitions);
    plan.log2_states = std::max(plan.log2_states, forecast.log2_peak_bytes_states);
  }
  work += std::log2(static_cast<double>(paths.size()) / static_cast<double>(count));
  plan.log2_work = std::max(work, 0.0);
  return plan;
}

FrontierRoom frontier_room(const GpuInfo& gpu, std::uint64_t key_bytes, std::uint64_t value_bytes) {
  // Two places for each record, and what sorting and counting take.
  const std::uint64_t record_bytes = 2 * (key_bytes + sizeof(std::uint32_t)) + 1;
  const auto memory = static_cast<std::uint64_t>(memory_share * static_cast<double>(gpu.memory_bytes));
  const std::uint64_t most = gpu.emulated ? slice_records_emulated : slice_records;
  FrontierRoom room;
  room.records = std::min(most, memory / slice_share / record_bytes);
  room.states = (memory - room.records * record_bytes) / (key_bytes + value_bytes);
  return room;
}

std::optional<std::uint64_t> device_key_bytes(std::uint32_t key_bits) {
  if (key_bits > 128) return std::nullopt;
  return key_bits <= 64 ? 8 : 16;
}

std::string frontier_device_obstacle(const FrontierDevicePlan& plan, const GpuInfo& gpu,
                                     std::uint64_t value_bytes) {
  const auto key_bytes = device_key_bytes(plan.key_bits);
  if (!key_bytes) return no_form_for_keys(plan.key_bits);
  const FrontierRoom room = frontier_room(gpu, *key_bytes, value_bytes);
  if (plan.log2_states <= std::log2(static_cast<double>(room.states))) return {};
  return fmt::format(
      "tables of 2^{:.1f} states of {} bytes, eliminated in a line, may be in use at once, and {} has memory "
      "for 2^{:.1f}",
      plan.log2_states, *key_bytes + value_bytes, gpu.name, std::log2(static_cast<double>(room.states)));
}

void refuse_states(std::uint64_t states, std::uint64_t state_bytes, const FrontierRoom& room,
                   const GpuInfo& gpu) {
  throw UnableError(
      fmt::format("tables of {:.3g} states of {} bytes are in use at once, and {} has memory for {:.3g}",
                  static_cast<double>(states), state_bytes, gpu.name, static_cast<double>(room.states)),
      "--device cpu, or another method");
}

void refuse_streams(std::uint64_t streams, const GpuInfo& gpu) {
  throw UnableError(fmt::format("a step has {} streams, more than {} has memory to sort", streams, gpu.name),
                    "--device cpu, or another method");
}

void refuse_keys(std::uint32_t key_bits) {
  throw UnableError(no_form_for_keys(key_bits), "--device cpu, or another method");
}

double frontier_device_seconds(const FrontierDevicePlan& plan, const GpuInfo& gpu,
                               std::uint64_t value_bytes) {
  // Values are read and written once a move, the records of 12 or 20 bytes several times.
  const double wider = (16 + static_cast<double>(value_bytes)) / 24;
  const double moves_a_second =
      nominal_moves_a_cycle / wider * gpu.clock_ghz * 1e9 * static_cast<double>(gpu.multiprocessors);
  return plan.rounds * round_seconds + std::exp2(std::min(plan.log2_work, 1000.0)) / moves_a_second;
}

}  // namespace countpm
