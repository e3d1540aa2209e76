#include "src/count/report_count.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "src/input/report.hpp"

namespace countpm {

CountResult report_input(const Graph& graph, const InputInfo& input) {
  CountResult result;
  summarise_input(graph, input, result);
  result.weighted = graph.weight_kind != WeightKind::none;
  return result;
}

void report_zero(Analysis analysis, CountResult& result) {
  result.violator = std::move(analysis.violator);
  result.count = "0";
  result.log10 = -std::numeric_limits<double>::infinity();
  result.method = "structure";
  result.reductions = report_rules({});
  result.checks.push_back({"zero iff no perfect matching", true, true,
                           fmt::format("a {} violator shows that there is none",
                                       result.violator->odd_components.empty() ? "Hall" : "Tutte")});
}

void report_blocks(const std::vector<PlannedBlock>& planned, const BlockCounts& counts, CountResult& result) {
  BlockReport by_reductions;
  by_reductions.method = "reductions";
  std::vector<mpq_class> reduced_counts;
  double longest = -1;
  result.method = "structure";
  for (std::size_t b = 0; b < planned.size(); ++b) {
    if (planned[b].plans.empty()) {
      by_reductions.work += 1;
      by_reductions.rows += rows_of(planned[b].block.original);
      by_reductions.entries += entries_of(planned[b].block.original);
      by_reductions.general = by_reductions.general || is_general(planned[b].block.original);
      if (const auto* exact = std::get_if<mpq_class>(&counts.counts[b])) reduced_counts.push_back(*exact);
      if (reduced_counts.empty()) by_reductions.count = to_string(counts.counts[b]);
    }
    for (std::size_t r = 0; r < planned[b].plans.size(); ++r) {
      const BlockPlan& plan = planned[b].plans[r];
      BlockReport report;
      report.rows = plan.forecast.rows;
      report.entries = plan.forecast.entries;
      report.general = plan.forecast.general;
      report.method = plan.method->name();
      report.count = to_string(to_number(counts.results[b][r].value, plan.choice));
      report.seconds = counts.results[b][r].seconds;
      report.predicted_seconds = plan.seconds;
      report.work = std::pow(2, plan.job->log2_work());
      report.work_name = plan.method->work_name();
      report.arithmetic = plan.choice.arithmetic.name();
      report.device = plan.processors.name();
      report.kernel = counts.results[b][r].kernel;
      if (report.seconds > longest) {
        longest = report.seconds;
        result.method = report.method;
        result.device = report.device;
      }
      result.blocks.push_back(std::move(report));
    }
  }
  if (by_reductions.work > 0) {
    if (!reduced_counts.empty()) by_reductions.count = product(std::move(reduced_counts)).get_str();
    by_reductions.work_name = "blocks";
    if (longest < 0) result.method = "reductions";
    result.blocks.push_back(std::move(by_reductions));
  }
}

void report_reductions(RuleTally tally, const std::vector<PlannedBlock>& planned, CountResult& result) {
  for (const PlannedBlock& block : planned) {
    for (const BlockPlan& plan : block.plans) tally.add(plan.job->tally());
  }
  result.reductions = report_rules(tally);
}

void report_total(const Number& total, WeightKind weight_kind, const Checks& checks, CountResult& result) {
  const bool exact = std::holds_alternative<mpq_class>(total);
  result.value = to_value(total, weight_kind);
  result.count = to_string(total);
  result.log10 = log10_of(total);
  result.exact = exact;
  result.proved = exact;
  result.error_bound = error_string(total);
  result.checks = checks.list();
}

void report_entropy(CountResult& result) {
  const bool positive = !result.count.starts_with('-') && !result.count.starts_with('(');
  if (result.problem == Problem::cycle_covers || result.vertices == 0 || !std::isfinite(result.log10) ||
      !positive)
    return;
  Entropy entropy;
  entropy.ln_z = result.log10 * std::numbers::ln10;
  entropy.per_vertex = entropy.ln_z / static_cast<double>(result.vertices);
  entropy.per_dimer = 2 * entropy.per_vertex;
  if (result.input.lattice && !result.weighted && result.input.vertices_removed == 0)
    entropy.limit = known_limit(result.input.path);
  result.entropy = std::move(entropy);
}

}  // namespace countpm
