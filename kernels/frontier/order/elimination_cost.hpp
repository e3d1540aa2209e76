#pragma once
// What a forecast knows about single steps and tables.
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "kernels/frontier/order/order_search.hpp"
#include "kernels/frontier/order/state_count.hpp"

namespace countpm {

/// forecast_elimination, or empty as soon as it shows that there are more than 2^log2_limit transitions.
std::optional<EliminationForecast> forecast_within(const ClassGraph& graph, const Elimination& elimination,
                                                   double log2_limit);

/// One step by the bound: -infinity throughout for steps that do nothing.
struct StepForecast {
  double log2_states = 0;       // of the table that it makes
  double log2_transitions = 0;  // of all its rounds
  double log2_alive = 0;        // the rest of the stack, input and output
};
/// As forecast_elimination, step by step.
std::vector<StepForecast> forecast_steps(const ClassGraph& graph, const Elimination& elimination);

/// A table after a step.
struct TableView {
  const std::vector<Index>& frontier;
  const FrontierProfile& profile;
  std::vector<Index> eliminated;  // P, with the classes that are closed
};
/// Goes through the program and shows the tables after the given steps (ascending), O(classes) each.
void visit_tables(const ClassGraph& graph, const Elimination& elimination,
                  const std::vector<std::size_t>& steps,
                  const std::function<void(std::size_t step, const TableView& table)>& visit);

}  // namespace countpm
