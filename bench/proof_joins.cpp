// Goal: whether proofs would gain from joins: of the blocks of a matrix, without reductions, the states of
// all tables and the work along the best line that is found, and on the best tree with joins.
//   bench_proof_joins SECONDS FILE...
// So many seconds of search for each block and kind of order; blocks of few states are not searched for.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "graph/read.hpp"
#include "kernels/frontier/order/order_search.hpp"
#include "src/structure/blocks.hpp"

namespace {

using namespace countpm;

struct Cost {
  double states = 0, transitions = 0, widest = 0;

  void add(const EliminationForecast& forecast) {
    states += std::exp2(forecast.log2_states);
    transitions += std::exp2(forecast.log2_transitions);
    widest = std::max(widest, forecast.log2_peak_states);
  }
};

void look_at(const std::string& path, double seconds) {
  constexpr double log2_easy_states = 12;
  constexpr double first_share = 0.05;
  ReadResult result = read_graph(Source::from_argument(path));
  const Instance instance = to_instance(std::move(result.graph));
  const std::string name = path.substr(path.find_last_of('/') + 1);
  std::vector<std::string> notes;
  const Analysis analysis = analyse(instance, result.info, {}, notes);
  if (analysis.violator) {
    fmt::print("| {} | no perfect matching |\n", name);
    return;
  }
  const ReducedInstance reduced = reduce_blocks(instance, analysis, RuleSet{});
  const StopSignal stop;
  Cost line, tree;
  for (const ReducedBlock& outer : reduced.blocks) {
    for (const OrderKind kind : {OrderKind::annealing, OrderKind::tree}) {
      OrderSearch search(class_graph(outer.original, false), 1, kind);
      if (search.linear_forecast().log2_states > log2_easy_states) {
        search.improve(first_share * seconds, stop);
        search.improve((1 - first_share) * seconds, stop);
      }
      if (kind == OrderKind::annealing) {
        line.add(search.linear_forecast());
      } else {
        tree.add(search.forecast());
      }
    }
  }
  fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", name,
             instance.pattern.rows, line.widest, std::log2(line.states), std::log2(line.transitions),
             tree.widest, std::log2(tree.states), std::log2(tree.transitions));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) {
    fmt::print(stderr, "bench_proof_joins SECONDS FILE...\n");
    return 2;
  }
  const double seconds = std::atof(arguments[1]);
  fmt::print(
      "log2, by bounds\n\n| file | n | line: widest | states | work | tree: widest | states | work |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (int i = 2; i < count; ++i) {
    try {
      look_at(arguments[i], seconds);
    } catch (const std::exception& error) {
      fmt::print("| {} | {} |\n", arguments[i], error.what());
    }
    std::fflush(stdout);
  }
  return 0;
}
