// Goal: the eliminations found for matrices and graphs: peaks and work after the greedy start and after more
// and more seconds of search, to compare kinds of orders with.
//   bench_orders KIND SECONDS FILE...
// Every file goes through the decomposition and the reductions first; a line is of its hardest block.
#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>

#include "bench/clock.hpp"
#include "graph/read.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "src/structure/blocks.hpp"

namespace {

using namespace countpm;

void look_at(const std::string& path, OrderKind kind, double seconds) {
  ReadResult result = read_graph(Source::from_argument(path));
  const Instance instance = to_instance(std::move(result.graph));
  const std::string name = path.substr(path.find_last_of('/') + 1);
  const StopSignal stop;
  struct Hardest {
    Index classes = 0;
    std::uint64_t rows = 0, entries = 0;
    EliminationForecast greedy, forecast, linear, sampled;
    double start_seconds = 0, seconds = 0, sample_seconds = 0;
  };
  std::optional<Hardest> hardest;
  const auto search = [&](const AnyBlock& block) {
    Hardest now;
    now.rows = rows_of(block);
    now.entries = entries_of(block);
    double at = bench::thread_seconds();
    OrderSearch orders(class_graph(block), 1, kind);
    now.start_seconds = bench::thread_seconds() - at;
    now.classes = orders.graph().classes();
    now.greedy = orders.forecast();
    at = bench::thread_seconds();
    orders.improve(seconds, stop);
    now.seconds = bench::thread_seconds() - at;
    now.forecast = orders.forecast();
    now.linear = orders.linear_forecast();
    at = bench::thread_seconds();
    orders.sample(seconds / 4, stop);
    now.sample_seconds = bench::thread_seconds() - at;
    now.sampled = orders.forecast();
    if (!hardest || now.forecast.log2_transitions > hardest->forecast.log2_transitions) hardest = now;
  };
  std::vector<std::string> notes;
  const Analysis analysis = analyse(instance, result.info, {}, notes);
  if (analysis.violator) {
    fmt::print("| {} | no perfect matching |\n", name);
    return;
  }
  const ReducedInstance reduced = reduce_blocks(instance, analysis, RuleSet{});
  for (const ReducedBlock& outer : reduced.blocks) {
    for (const AnyBlock& block : outer.reduced) search(block);
  }
  if (!hardest) {
    fmt::print("| {} | reduced away |\n", name);
    return;
  }
  const Hardest& h = *hardest;
  fmt::print(
      "| {} | {} | {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | "
      "{:.3f} | {:.2f} | {:.3f} |\n",
      name, instance.pattern.rows, h.rows, h.classes, h.greedy.log2_peak_states, h.greedy.log2_transitions,
      h.forecast.log2_peak_states, h.forecast.log2_transitions, h.forecast.peak_width,
      h.forecast.log2_peak_bytes_states, h.linear.log2_transitions, h.sampled.log2_peak_states,
      h.sampled.log2_transitions, h.start_seconds, h.seconds, h.sample_seconds);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    fmt::print(stderr, "bench_orders KIND SECONDS FILE...\n");
    return 2;
  }
  const OrderKind kind = order_named(arguments[1]);
  const double seconds = std::atof(arguments[2]);
  fmt::print(
      "log2 of states and of transitions (work); by the bound but for those sampled; CPU seconds\n\n"
      "| file | n | block | classes | greedy peak | greedy work | peak | work | width | alive | work of the "
      "best line | "
      "sampled peak | sampled work | start s | search s | sample s |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  for (int i = 3; i < count; ++i) {
    try {
      look_at(arguments[i], kind, seconds);
    } catch (const std::exception& error) {
      fmt::print("| {} | {} |\n", arguments[i], error.what());
    }
    std::fflush(stdout);
  }
  return 0;
}
