#pragma once
// Results for pages, with a label that would do harm if it were not text.
#include <string>

#include "src/html/pages.hpp"

namespace countpm::test {

inline const std::string harmful = "<script>alert(1)</script>\"'&<img src=x onerror=alert(2)>";

template <class Summary>
void fill_input(Summary& result) {
  result.input.path = "folder/" + harmful;
  result.input.sha256 = std::string(64, 'a');
  result.kind = GraphKind::bipartite;
  result.problem = Problem::perfect_matchings;
  result.vertices = 16;
  result.edges = 23;
}

inline std::vector<RuleReport> sample_rules() {
  return {{"degree-one", 3, 6}, {"twins", 0, 0}};
}

inline ViolatorReport sample_violator() {
  ViolatorReport violator;
  violator.side = "left";
  for (int k = 0; k < 14; ++k) violator.vertices.push_back(harmful + std::to_string(k));
  violator.neighbours = {"x", harmful};
  return violator;
}

inline CountResult sample_count() {
  CountResult result;
  fill_input(result);
  result.count = "12988816";
  result.log10 = 7.1135686;
  result.entropy = Entropy{16.379, 0.2559, 0.5118, KnownLimit{0.2915609, "square lattice", "Kasteleyn 1961"}};
  result.method = "first";
  result.threads = 2;
  BlockReport block;
  block.rows = 8;
  block.entries = 23;
  block.method = "first";
  block.count = "12988816";
  block.seconds = 0.25;
  block.predicted_seconds = 0.5;
  block.work = 812;
  block.work_name = "subsets";
  block.arithmetic = "modulo 2^64";
  block.kernel = "built in, for 8 rows";
  result.blocks = {block};
  result.reductions = sample_rules();
  result.checks = {{"parity", true, true, "even, as " + harmful},
                   {"double-check", false, true, "left out: not asked for"}};
  result.audit = AuditReport{0.1, 7, 3, 30, 0.1, {"first on the CPU"}, 0.01};
  result.seconds.count = 0.25;
  result.seconds.total = 0.5;
  result.notes = {"a note about " + harmful};
  return result;
}

inline CountResult zero_count() {
  CountResult result = sample_count();
  result.count = "0";
  result.log10 = -std::numeric_limits<double>::infinity();
  result.entropy.reset();
  result.audit.reset();
  result.blocks.clear();
  result.method = "structure";
  result.violator = sample_violator();
  return result;
}

inline Explanation sample_explanation() {
  Explanation result;
  fill_input(result);
  result.rows = result.columns = result.matching_size = 8;
  result.structure_blocks = 1;
  result.reductions = sample_rules();
  result.factor = "2";
  BlockForecast block;
  block.rows = 8;
  block.entries = 23;
  block.log2_bound = 12.3;
  block.arithmetic = "modulo 2^64";
  block.bounds = BoundsReport{1.234, 5.678, "lower theorem", "upper theorem"};
  MethodForecast quick;
  quick.method = "first";
  quick.log10_seconds = -3;
  quick.log10_work = 2;
  quick.work_name = "subsets";
  quick.plan = "order 3 1 2 " + harmful;
  quick.memory_bytes = 4096;
  quick.chosen = true;
  MethodForecast slow = quick;
  slow.method = "second";
  slow.log10_seconds = 9;
  slow.chosen = false;
  slow.plan = "";
  MethodForecast cannot;
  cannot.method = "third";
  cannot.obstacle = Refusal{RefusalKind::structure, "the block is not " + harmful};
  block.methods = {quick, slow, cannot};
  result.blocks = {block};
  result.log10_total_seconds = -3;
  return result;
}

inline EstimateResult sample_estimate() {
  EstimateResult result;
  fill_input(result);
  Estimate estimate;
  estimate.log10 = 7.1135686;
  estimate.log10_sample_mean = estimate.log10;
  estimate.relative_error = 0.0084;
  estimate.confidence = 0.95;
  estimate.low_log10 = 7.11;
  estimate.high_log10 = 7.117;
  estimate.samples = 12'000;
  estimate.seed = 3;
  result.estimate = estimate;
  result.sampler = "walks";
  EstimatedBlock block;
  block.rows = 8;
  block.entries = 23;
  block.method = "walks";
  block.log10 = 7.1135686;
  block.relative_error = 0.004;
  block.samples = 12'000;
  block.nonzero = 11'000;
  block.seconds = 0.4;
  block.second = SecondEstimate{"others", 7.11, 7.0, 100, 100, 90, 50, false, 0.01};
  result.blocks = {block};
  result.reductions = sample_rules();
  result.checks = {{"certified bounds", true, true, "between"}};
  result.notes = {harmful};
  return result;
}

}  // namespace countpm::test
