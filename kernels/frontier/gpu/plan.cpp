#include "kernels/frontier/gpu/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/errors.hpp"
#include "graph/stop_poll.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/frontier/gpu/dense_slabs.hpp"
#include "kernels/frontier/gpu/tuning.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/order/sampled_forecast.hpp"
#include "kernels/frontier/ranked/ranked_join.hpp"
#include "kernels/frontier/tables/program.hpp"

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

// Which states are reached is asked where there is something to choose: some 10 ms.
constexpr double log2_work_to_sample = 22;
constexpr std::uint64_t sampling_effort = 3'000'000;

double seconds_sorted(const SortedFigures& sorted, const GpuInfo& gpu, std::uint64_t value_bytes) {
  // Values are read and written once a move, the records of 12 or 20 bytes several times.
  const double wider = (16 + static_cast<double>(value_bytes)) / 24;
  const double moves_a_second =
      nominal_moves_a_cycle / wider * gpu.clock_ghz * 1e9 * static_cast<double>(gpu.multiprocessors);
  return sorted.rounds * round_seconds + std::exp2(std::min(sorted.log2_moves, 1000.0)) / moves_a_second;
}

/// value_bytes: of a state modulo each modulus of a pass, each of which is pulled for itself.
double seconds_dense(const DenseFigures& dense, const GpuInfo& gpu, const ValueBytes& value_bytes) {
  const double values = std::exp2(dense.log2_moves) - dense.pairs + std::exp2(dense.log2_all);
  double cycles = 0;
  for (const std::uint64_t one : value_bytes) {
    const double stretches = one > sizeof(std::uint64_t) ? dense.short_stretches : dense.stretches;
    cycles +=
        dense.runs * dense_run_cycles + stretches * dense_stretch_cycles +
        values * static_cast<double>(one) / dense_bytes_a_cycle +
        dense.pairs * (static_cast<double>(one) + dense_bytes_to_find_a_pair) / dense_pair_bytes_a_cycle;
  }
  const double seconds = cycles / (gpu.clock_ghz * 1e9 * static_cast<double>(gpu.multiprocessors));
  if (gpu.others.empty()) {
    return seconds + static_cast<double>(value_bytes.size()) *
                         (dense.rounds * dense_round_seconds + dense.kinds * dense_kind_seconds);
  }
  const auto bytes = static_cast<double>(sum_of(value_bytes));
  const auto gpus = static_cast<double>(gpu.others.size() + 1);
  const bool reads = gpu.link_bytes_a_second > 0;
  // A predecessor is on another GPU where one of the highest bits differs, which say whose a set is: one kind
  // or so for each of these bits. Without a link whole slabs are copied.
  const double all = std::exp2(dense.log2_all) * (reads ? std::log2(gpus) : gpus);
  const double foreign = (reads ? std::min(all, std::exp2(dense.log2_moves)) : all) * (1 - 1 / gpus);
  const double link = reads ? gpu.link_bytes_a_second : copied_bytes_a_second;
  return dense.rounds * gpus * slab_round_seconds + (seconds + foreign * bytes / link) / gpus;
}

std::string gpus_text(const GpuInfo& gpu) {
  return gpu.others.empty() ? gpu.name : fmt::format("{} {} together", gpu.others.size() + 1, gpu.name);
}

std::string passes_text(const FormChoice& form) {
  return form.passes.size() > 1 ? fmt::format(", in {} passes", form.passes.size()) : std::string();
}

/// As many passes as it takes for `most_bytes` of values a state, or all in one where that is too little for
/// one modulus.
FormChoice in_passes(TableForm form, const ValueBytes& value_bytes, double most_bytes) {
  FormChoice choice;
  choice.form = form;
  if (most_bytes >= 1)
    choice.passes = group_moduli(value_bytes, static_cast<std::uint64_t>(std::min(most_bytes, 1e15)));
  choice.fits = !choice.passes.empty() || value_bytes.empty();
  if (choice.passes.empty()) choice.passes = {static_cast<std::uint32_t>(value_bytes.size())};
  return choice;
}

/// seconds(bytes of a state's values): of one pass.
template <class Seconds>
void add_up_seconds(FormChoice& choice, const ValueBytes& value_bytes, const Seconds& seconds) {
  auto at = value_bytes.begin();
  for (const std::uint32_t size : choice.passes) {
    choice.seconds += seconds(ValueBytes(at, at + size));
    at += size;
  }
}

/// Slabs on the GPU and in host memory, one modulus a pass.
FormChoice waiting_form(const WaitingForecast& waiting, const GpuInfo& gpu, const ValueBytes& value_bytes) {
  FormChoice choice;
  choice.form = TableForm::dense;
  choice.passes.assign(value_bytes.size(), 1);
  choice.waits = true;
  const DenseFigures& figures = waiting.program().figures;
  const double values = std::exp2(figures.log2_moves) + std::exp2(figures.log2_all);
  for (const std::uint64_t bytes : value_bytes) {
    const auto room = waiting.room(dense_memory(gpu) / bytes);
    if (!room) return choice;
    // What is not on the GPU of the largest table alone: where that is too much, no schedule is made.
    const double largest = std::exp2(figures.log2_peak);
    const double least = largest * static_cast<double>(bytes) - static_cast<double>(dense_memory(gpu));
    if (least > static_cast<double>(gpu.host_bytes)) {
      choice.host_bytes = static_cast<std::uint64_t>(least);
      return choice;
    }
    const auto schedule = waiting.schedule(*room);
    choice.host_bytes = std::max(choice.host_bytes, schedule->figures.host_places * room->places * bytes);
    SlabRates rates;
    rates.seconds_a_copy = static_cast<double>(bytes) / gpu.host_link_bytes_a_second;
    rates.seconds_a_value = seconds_dense(figures, gpu, {bytes}) / values;
    rates.seconds_an_action = slab_action_seconds;
    choice.seconds += schedule_seconds(*schedule, waiting.program(), rates);
  }
  choice.seconds += static_cast<double>(choice.host_bytes) / locked_bytes_a_second;
  choice.fits = choice.host_bytes <= gpu.host_bytes;
  return choice;
}

SortedFigures sorted_figures(const FrontierDevicePlan& plan) {
  return {plan.key_bits, plan.log2_states, plan.log2_work + plan.log2_share, plan.rounds};
}

/// By how many doublings of the memory the form is missed, with one modulus at a time; infinity where there
/// is none.
double log2_missing(const FrontierDevicePlan& plan, TableForm form, const GpuInfo& gpu,
                    std::uint64_t least_bytes) {
  double states = plan.log2_states;
  std::uint64_t room = 0;
  if (form == TableForm::dense) {
    if (!plan.dense || gpu.others.size() + 1 > most_dense_slabs)
      return std::numeric_limits<double>::infinity();
    states = plan.dense->log2_states;
    room = dense_room(gpu, least_bytes);
  } else {
    const auto key_bytes = device_key_bytes(plan.key_bits);
    if (!key_bytes || !gpu.others.empty()) return std::numeric_limits<double>::infinity();
    room = frontier_room(gpu, *key_bytes, least_bytes).states;
  }
  return states - std::log2(static_cast<double>(std::max<std::uint64_t>(room, 1)));
}

std::uint64_t largest_of(const ValueBytes& value_bytes) {
  return value_bytes.empty() ? 1 : *std::max_element(value_bytes.begin(), value_bytes.end());
}

/// The form that misses the memory by less.
TableForm nearest_form(const FrontierDevicePlan& plan, const GpuInfo& gpu, std::uint64_t least_bytes) {
  return log2_missing(plan, TableForm::dense, gpu, least_bytes) <=
                 log2_missing(plan, TableForm::sorted, gpu, least_bytes)
             ? TableForm::dense
             : TableForm::sorted;
}

std::string no_form_for_keys(std::uint32_t key_bits) {
  return fmt::format("no form for GPUs where keys are wider than 128 bits, and these have {}", key_bits);
}

}  // namespace

FrontierDevicePlan frontier_device_plan(const ClassGraph& graph, const DeviceOrders& orders,
                                        const std::vector<BranchPath>& paths) {
  FrontierDevicePlan plan;
  const bool whole = paths.size() == 1 && paths[0].empty();
  plan.line = orders.line_will_do;
  if (whole && orders.tree != nullptr) {
    const auto joined = make_dense_program(graph, *orders.tree);
    if (joined && joined->zero) {
      plan.line = true;  // whatever the order, nothing is to be done
    } else if (joined) {
      plan.tree = *orders.tree;
      plan.in_a_tree = joined->figures;
    }
  }
  plan.elimination = orders.linear != nullptr ? *orders.linear : without_joins(*orders.best);
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
  auto dense = make_dense_program(graph, plan.elimination);
  if (!dense || dense->zero) return plan;
  if (whole) {
    plan.dense = dense->figures;
    plan.program = std::make_shared<const DenseProgram>(*std::move(dense));
    plan.waiting = std::make_shared<const WaitingForecast>(*plan.program, most_dense_low_bits);
  }
  if (plan.log2_work > log2_work_to_sample) {
    const StopSignal& stop = stop_signal_here();
    const double bound = forecast_elimination(graph, plan.elimination).log2_transitions;
    plan.log2_share =
        sampled_forecast(graph, plan.elimination, sampling_effort, 1, stop).log2_transitions - bound;
  }
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

std::uint64_t dense_memory(const GpuInfo& gpu) {
  return static_cast<std::uint64_t>(memory_share * static_cast<double>(gpu.memory_bytes));
}

std::uint64_t dense_room(const GpuInfo& gpu, std::uint64_t value_bytes) {
  std::uint64_t memory = dense_memory(gpu);
  if (!gpu.others.empty() && !(gpu.link_bytes_a_second > 0)) memory -= memory / copy_share;
  return memory * (gpu.others.size() + 1) / value_bytes;
}

FormChoice sorted_form(const SortedFigures& sorted, const GpuInfo& gpu, const ValueBytes& value_bytes) {
  const auto key_bytes = device_key_bytes(sorted.key_bits);
  double most_bytes = 0;
  if (key_bytes) {
    // The memory for states does not depend on what they hold.
    const FrontierRoom room = frontier_room(gpu, *key_bytes, 0);
    const auto memory = static_cast<double>(room.states) * static_cast<double>(*key_bytes);
    most_bytes = memory / std::exp2(std::min(sorted.log2_states, 1000.0)) - static_cast<double>(*key_bytes);
  }
  if (!gpu.others.empty()) most_bytes = 0;
  FormChoice choice = in_passes(TableForm::sorted, value_bytes, most_bytes);
  add_up_seconds(choice, value_bytes,
                 [&](const ValueBytes& bytes) { return seconds_sorted(sorted, gpu, sum_of(bytes)); });
  return choice;
}

FormChoice dense_form(const DenseFigures& dense, const GpuInfo& gpu, const ValueBytes& value_bytes,
                      const WaitingForecast* waiting) {
  const double memory = static_cast<double>(dense_room(gpu, 1)) - static_cast<double>(dense.list_bytes);
  double states = std::exp2(dense.log2_states);
  if (!gpu.others.empty()) {
    if (gpu.others.size() + 1 > most_dense_slabs) return in_passes(TableForm::dense, value_bytes, 0);
    // A slab may have a run more than its share, of the old table and of the new one; and so may what is
    // copied.
    states += 3 * static_cast<double>(most_dense_run * (gpu.others.size() + 1));
  }
  FormChoice choice = in_passes(TableForm::dense, value_bytes, memory / states);
  if (!choice.fits && waiting != nullptr && gpu.host_bytes > 0 && gpu.others.empty())
    return waiting_form(*waiting, gpu, value_bytes);
  add_up_seconds(choice, value_bytes,
                 [&](const ValueBytes& bytes) { return seconds_dense(dense, gpu, bytes); });
  choice.gpus = gpu.others.size() + 1;
  choice.bytes_on_a_gpu = states / static_cast<double>(choice.gpus) *
                          static_cast<double>(largest_group(value_bytes, choice.passes));
  return choice;
}

FormChoice choose_form(const SortedFigures& sorted, const DenseFigures* dense, const GpuInfo& gpu,
                       const ValueBytes& value_bytes, const WaitingForecast* waiting) {
  FormChoice by_keys = sorted_form(sorted, gpu, value_bytes);
  if (dense == nullptr) return by_keys;
  FormChoice whole = dense_form(*dense, gpu, value_bytes, waiting);
  if (!whole.fits) return by_keys;
  return !by_keys.fits || whole.seconds < by_keys.seconds ? whole : by_keys;
}

FormChoice choose_form(const FrontierDevicePlan& plan, const GpuInfo& gpu, const ValueBytes& value_bytes) {
  const FormChoice line = choose_form(sorted_figures(plan), plan.dense ? &*plan.dense : nullptr, gpu,
                                      value_bytes, plan.waiting.get());
  return or_in_a_tree(plan.line ? &line : nullptr, plan.in_a_tree ? &*plan.in_a_tree : nullptr, gpu,
                      value_bytes);
}

FormChoice or_in_a_tree(const FormChoice* in_line, const DenseFigures* tree, const GpuInfo& gpu,
                        const ValueBytes& value_bytes) {
  FormChoice joined = in_passes(TableForm::dense, value_bytes, 0);
  if (tree != nullptr && gpu.others.empty()) joined = dense_form(*tree, gpu, value_bytes);
  joined.tree = true;
  if (in_line == nullptr) return joined;
  const bool better = joined.fits && (!in_line->fits || joined.seconds < in_line->seconds);
  return better ? joined : *in_line;
}

std::string frontier_device_text(const FrontierDevicePlan& plan, const FormChoice& form, bool joined) {
  if (form.tree && plan.in_a_tree)
    return fmt::format("; on a GPU{} as whole tables, 2^{:.1f} values at once{}",
                       joined ? "" : fmt::format(" with {} joins", plan.in_a_tree->joins),
                       plan.in_a_tree->log2_states, passes_text(form));
  const char* line = joined ? " in a line" : "";
  const std::string passes = passes_text(form);
  if (form.form == TableForm::dense && plan.dense && form.gpus > 1)
    return fmt::format("; each table{} on {} GPUs together, 2^{:.1f} values at once, {:.3g} GB on each{}",
                       line, form.gpus, plan.dense->log2_states, form.bytes_on_a_gpu / 1e9, passes);
  if (form.waits && plan.dense)
    return fmt::format(
        "; on a GPU{} as whole tables in slabs, 2^{:.1f} values at once, of which {:.3g} GB wait in host "
        "memory{}",
        line, plan.dense->log2_states, static_cast<double>(form.host_bytes) / 1e9, passes);
  if (form.form == TableForm::dense && plan.dense)
    return fmt::format("; on a GPU{} as whole tables, 2^{:.1f} values at once{}", line,
                       plan.dense->log2_states, passes);
  if (!joined && passes.empty()) return "";
  return fmt::format("; on a GPU{}{}2^{:.1f} states at once{}", line, joined ? ", " : " ", plan.log2_states,
                     passes);
}

std::string frontier_device_obstacle(const FrontierDevicePlan& plan, const GpuInfo& gpu,
                                     const ValueBytes& value_bytes) {
  if (choose_form(plan, gpu, value_bytes).fits) return {};
  const auto key_bytes = device_key_bytes(plan.key_bits);
  const std::uint64_t least_bytes = largest_of(value_bytes);
  if (!plan.line) {
    if (!plan.tree)
      return fmt::format(
          "no form for GPUs where tables are joined, as in the order that is asked for, but for matrices "
          "whose frontiers have {} vertices at most, {} of them in both tables",
          most_joined_width, most_shared_on_gpus);
    if (!gpu.others.empty()) return "several GPUs do not hold tables together that are joined";
  }
  const auto dense_refused = [&](const DenseFigures& dense) {
    return fmt::format(
        "whole tables of 2^{:.1f} values of {} bytes{} may be in use at once, and {} {} memory for "
        "2^{:.1f}",
        dense.log2_states, least_bytes, value_bytes.size() > 1 ? " (one modulus at a time)" : "",
        gpus_text(gpu), gpu.others.empty() ? "has" : "have",
        std::log2(static_cast<double>(std::max<std::uint64_t>(dense_room(gpu, least_bytes), 1))));
  };
  if (!plan.line) return dense_refused(*plan.in_a_tree);
  if (!gpu.others.empty() && !plan.dense)
    return "there are no whole tables, as several GPUs would hold them together";
  if (gpu.host_bytes > 0 && plan.waiting) {
    const FormChoice form = waiting_form(*plan.waiting, gpu, value_bytes);
    if (form.host_bytes > 0)
      return fmt::format(
          "whole tables of 2^{:.1f} values of {} bytes{} that do not fit {} would wait in at least {:.3g} GB "
          "of host memory, and {:.3g} GB may be used",
          plan.dense->log2_states, least_bytes, value_bytes.size() > 1 ? " (one modulus at a time)" : "",
          gpu.name, static_cast<double>(form.host_bytes) / 1e9, static_cast<double>(gpu.host_bytes) / 1e9);
  }
  if (nearest_form(plan, gpu, least_bytes) == TableForm::dense && plan.dense)
    return dense_refused(*plan.dense);
  if (!key_bytes) return no_form_for_keys(plan.key_bits);
  const FrontierRoom room = frontier_room(gpu, *key_bytes, least_bytes);
  return fmt::format(
      "tables of 2^{:.1f} states of {} bytes{}, eliminated in a line, may be in use at once, and {} has "
      "memory for 2^{:.1f}",
      plan.log2_states, *key_bytes + least_bytes, value_bytes.size() > 1 ? " (one modulus at a time)" : "",
      gpu.name, std::log2(static_cast<double>(room.states)));
}

std::optional<MemoryGap> frontier_memory_gap(const FrontierDevicePlan& plan, const GpuInfo& gpu,
                                             const std::vector<ValueBytes>& value_bytes) {
  MemoryGap gap;
  bool short_of_it = false;
  if (!plan.line) return std::nullopt;  // of a tree that is asked for nothing is known
  for (const ValueBytes& of_pass : value_bytes) {
    const FormChoice chosen = choose_form(plan, gpu, of_pass);
    if (chosen.fits) {
      gap.seconds += chosen.seconds;
      continue;
    }
    const std::uint64_t least_bytes = largest_of(of_pass);
    const TableForm nearest = nearest_form(plan, gpu, least_bytes);
    const double missing = log2_missing(plan, nearest, gpu, least_bytes);
    if (std::isinf(missing)) return std::nullopt;
    short_of_it = true;
    // What rounding hides is missing, too.
    gap.log2_times = std::max({gap.log2_times, missing, 1e-6});
    gap.seconds += nearest == TableForm::dense ? dense_form(*plan.dense, gpu, of_pass).seconds
                                               : sorted_form(sorted_figures(plan), gpu, of_pass).seconds;
  }
  if (!short_of_it) return std::nullopt;
  return gap;
}

void refuse_states(std::uint64_t states, std::uint64_t state_bytes, const FrontierRoom& room,
                   const GpuInfo& gpu) {
  throw UnableError(
      fmt::format("tables of {:.3g} states of {} bytes are in use at once, and {} has memory for {:.3g}",
                  static_cast<double>(states), state_bytes, gpu.name, static_cast<double>(room.states)),
      "--device cpu, or another method");
}

void refuse_dense_states(std::uint64_t states, std::uint64_t value_bytes, std::uint64_t room,
                         const GpuInfo& gpu) {
  throw UnableError(
      fmt::format("whole tables of {:.3g} values of {} bytes are in use at once, and {} has "
                  "memory for {:.3g}",
                  static_cast<double>(states), value_bytes, gpu.name, static_cast<double>(room)),
      "--device cpu, or another method");
}

void refuse_waiting(std::uint64_t host_bytes, const GpuInfo& gpu) {
  throw UnableError(
      fmt::format("whole tables that do not fit {} are to wait in {:.3g} GB of host memory, and {:.3g} GB "
                  "are allowed",
                  gpu.name, static_cast<double>(host_bytes) / 1e9, static_cast<double>(gpu.host_bytes) / 1e9),
      "a larger --memory-limit, or --device cpu");
}

void refuse_dense_form() {
  throw UnableError(
      "no whole tables for graphs with odd cycles, frontiers of more than 64 vertices, and joins on "
      "several GPUs or over more than 26 vertices",
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
                               const ValueBytes& value_bytes) {
  return choose_form(plan, gpu, value_bytes).seconds;
}

}  // namespace countpm
