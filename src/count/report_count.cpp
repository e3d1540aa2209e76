#include "src/count/report_count.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <utility>

#include "kernels/arithmetic/ball.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "src/input/report.hpp"
#include "src/number/exact_complex.hpp"

namespace countpm {

CountResult report_input(const Graph& graph, const InputInfo& input) {
  CountResult result;
  summarise_input(graph, input, result);
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

void report_blocks(const std::vector<PlannedBlock>& planned, const BlockCounts& counts,
                   WeightKind weight_kind, unsigned precision_bits, CountResult& result) {
  const auto text = [&](const Number& number) {
    if (!result.residues.empty()) return std::string();  // some may be residues, and all are of no use
    return shown_number(number, weight_kind, precision_bits).digits;
  };
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
      const auto* exact = std::get_if<mpq_class>(&counts.counts[b]);
      if (exact != nullptr && !result.polynomial) reduced_counts.push_back(*exact);
      if (reduced_counts.empty() && !result.polynomial) by_reductions.count = text(counts.counts[b]);
    }
    for (std::size_t r = 0; r < planned[b].plans.size(); ++r) {
      const BlockPlan& plan = planned[b].plans[r];
      BlockReport report;
      report.rows = plan.forecast.rows;
      report.entries = plan.forecast.entries;
      report.general = plan.forecast.general;
      report.method = plan.method->name();
      if (!result.polynomial) report.count = text(counts.numbers[b][r]);
      report.seconds = counts.results[b][r].seconds;
      report.predicted_seconds = plan.seconds;
      report.work = std::pow(2, plan.job->log2_work());
      report.work_name = plan.method->work_name();
      report.arithmetic = plan.choice.name();
      report.device = plan.processors.name();
      report.kernel = counts.results[b][r].kernel;
      report.plan = plan.job->describe();
      if (report.seconds > longest) {
        longest = report.seconds;
        result.method = report.method;
        result.device = report.device;
      }
      result.blocks.push_back(std::move(report));
    }
  }
  if (by_reductions.work > 0) {
    if (!reduced_counts.empty() && result.residues.empty())
      by_reductions.count = text(product(std::move(reduced_counts)));
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

void report_total(const Number& total, WeightKind weight_kind, unsigned precision_bits, const Checks& checks,
                  CountResult& result) {
  NumberText text = shown_number(total, weight_kind, precision_bits);
  result.value = to_value(total, weight_kind, precision_bits);
  result.count = std::move(text.digits);
  result.log10 = log10_of(total);
  result.exact = text.exact;
  result.proved = text.exact;
  result.rounded = !text.exact && std::holds_alternative<mpq_class>(total);
  result.error_bound = std::move(text.error);
  result.checks = checks.list();
}

void report_complex(const ComplexRational& total, CountResult& result) {
  ComplexBall value = exact_complex_value(total);
  result.count = value.digits;
  result.value = std::move(value);
  result.log10 = log10_of(Number(ball_from(total, 192)));
}

void report_entropy(CountResult& result) {
  const bool positive = !result.count.starts_with('-') && !result.count.starts_with('(');
  const bool free = result.matched && result.matched->free > 0;  // dimers do not cover all vertices
  const bool dimers =
      result.problem == Problem::perfect_matchings || result.problem == Problem::general_perfect_matchings;
  if (!dimers || free || result.input.degrees || result.vertices == 0 || !std::isfinite(result.log10) ||
      !positive)
    return;
  Entropy entropy;
  entropy.ln_z = result.log10 * std::numbers::ln10;
  entropy.per_vertex = entropy.ln_z / static_cast<double>(result.vertices);
  entropy.per_dimer = 2 * entropy.per_vertex;
  if (result.input.lattice && !result.weighted && !result.input.ground_states &&
      result.input.vertices_removed == 0)
    entropy.limit = known_limit(result.input.path);
  result.entropy = std::move(entropy);
}

}  // namespace countpm
