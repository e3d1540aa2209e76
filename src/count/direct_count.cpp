#include "src/count/direct_count.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>
#include <vector>

#include "graph/clock.hpp"
#include "kernels/arithmetic/to_mpz.hpp"
#include "matching/general_matching.hpp"
#include "src/count/dense_permanent.hpp"
#include "src/count/report_count.hpp"
#include "src/count/small_graph.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/number/number.hpp"

namespace countpm {
namespace {

constexpr std::uint64_t most_steps = 40'000;
// A complete graph of so many vertices takes 96,430, in less time than planning does.
constexpr std::size_t few_vertices = 20;
constexpr std::uint64_t steps_of_few_vertices = 150'000;

/// Transitions that are worth trying.
std::uint64_t worth_trying(const SmallGraph& graph) {
  if (!graph.two_sides) return graph.vertices <= few_vertices ? steps_of_few_vertices : most_steps;
  // Inclusion-exclusion goes through 2^(n-1) subsets in the time of a quarter as many transitions, or less.
  constexpr std::size_t few_rows = 20;
  constexpr std::uint64_t least_steps = 1'000;
  constexpr std::uint64_t most_steps_of_few_rows = 16'000;
  if (graph.left > few_rows) return most_steps;
  return std::clamp((std::uint64_t{1} << graph.left) / 8, least_steps, most_steps_of_few_rows);
}

mpz_class same(mpz_class sum, const mpz_class& again, const char* ways) {
  if (sum != again)
    throw CheckError(fmt::format("counted twice, {}: {} and {}", ways, sum.get_str(), again.get_str()));
  return sum;
}

std::optional<mpz_class> eliminated_twice(const SmallGraph& graph) {
  const std::uint64_t steps = worth_trying(graph);
  std::vector<std::uint8_t> order = greedy_order(graph);
  const std::optional<int128> sum = eliminate(graph, order, steps);
  if (!sum) return std::nullopt;
  std::reverse(order.begin(), order.end());
  const std::optional<int128> again = eliminate(graph, order, 4 * steps);
  if (!again) return std::nullopt;
  return same(to_mpz(*sum), to_mpz(*again), "in two orders");
}

std::optional<mpz_class> permanent_twice(const SmallGraph& graph) {
  if (!graph.two_sides || graph.vertices != 2 * graph.left) return std::nullopt;
  std::optional<mpz_class> sum = dense_permanent(graph, false);
  if (!sum) return std::nullopt;
  const std::optional<mpz_class> again = dense_permanent(graph, true);
  if (!again) return std::nullopt;
  return same(*std::move(sum), *again, "by rows and by columns");
}

Index largest_size(const SmallGraph& graph) {
  SparsePattern pattern;
  pattern.rows = pattern.columns = static_cast<Index>(graph.vertices);
  for (std::size_t v = 0; v < graph.vertices; ++v) {
    for (std::uint64_t left = graph.neighbours[v]; left != 0; left &= left - 1)
      pattern.column.push_back(static_cast<Index>(std::countr_zero(left)));
    pattern.row_start.push_back(pattern.column.size());
  }
  return general_maximum_matching(pattern).size;
}

std::optional<DirectSum> largest_twice(const SmallGraph& graph) {
  const std::uint64_t steps = worth_trying(graph);
  std::vector<std::uint8_t> order = greedy_order(graph);
  const std::optional<LargestMatchings> found = eliminate_largest(graph, order, steps);
  if (!found) return std::nullopt;
  std::reverse(order.begin(), order.end());
  const std::optional<LargestMatchings> again = eliminate_largest(graph, order, 4 * steps);
  if (!again) return std::nullopt;
  const Index size = largest_size(graph);
  if (found->edges != size || again->edges != size)
    throw CheckError(fmt::format("a largest matching has {} edges, and those counted have {} and {}", size,
                                 found->edges, again->edges));
  return DirectSum{same(to_mpz(found->sum), to_mpz(again->sum), "in two orders"), true, found->edges};
}

}  // namespace

bool asks_how(const Options& options) {
  const auto& rules = options.rules.enabled;
  return options.method != "auto" || options.device == "gpu" || options.gpus > 0 || options.double_check ||
         !options.modulo.empty() || options.audit_share > 0 || options.order != OrderKind::automatic ||
         !options.settings.empty() || std::find(rules.begin(), rules.end(), false) != rules.end();
}

std::optional<DirectSum> direct_sum(const SmallGraph& graph) {
  if (const std::optional<SmallGraph> sided = on_two_sides(graph)) return direct_sum(*sided);
  DirectSum result;
  std::optional<mpz_class> sum = eliminated_twice(graph);
  result.eliminated = sum.has_value();
  if (!sum) sum = permanent_twice(graph);
  if (!sum) return std::nullopt;
  result.value = *std::move(sum);
  if (is_odd(graph) != (mpz_odd_p(result.value.get_mpz_t()) != 0))
    throw CheckError(fmt::format("the count is {} and the determinant modulo 2 is {}", result.value.get_str(),
                                 is_odd(graph) ? 1 : 0));
  return result;
}

std::optional<DirectSum> direct_sum(const Graph& graph, const Options& options) {
  const bool largest =
      options.matchings == MatchingSize::maximum && graph.kind != GraphKind::directed && !graph.monomers;
  if (asks_how(options) || (!largest && !asks_for_perfect(graph, options))) return std::nullopt;
  const std::optional<SmallGraph> small = small_graph(graph);
  if (!small) return std::nullopt;
  return largest ? largest_twice(*small) : direct_sum(*small);
}

std::optional<CountResult> direct_count(const ReadResult& read, const Options& options) {
  const double start = seconds_now();
  // Of ground states and of sets with degrees count() says why not.
  const bool own_matchings = read.info.ground_states || read.info.degrees;
  if (own_matchings && options.matchings != MatchingSize::perfect) return std::nullopt;
  const std::optional<DirectSum> sum = direct_sum(read.graph, options);
  if (!sum) return std::nullopt;
  const std::size_t left = read.graph.left_labels.size();
  const std::size_t right = read.graph.right_labels.size();
  // Then count() says that a matrix has no permanent but 0.
  if (sum->largest && read.graph.kind == GraphKind::bipartite && *sum->largest < std::min(left, right))
    return std::nullopt;
  CountResult result = report_input(read.graph, read.info);
  result.problem = read.graph.monomers                      ? Problem::matchings
                   : read.graph.kind == GraphKind::directed ? Problem::cycle_covers
                                                            : Problem::perfect_matchings;
  if (sum->largest) {
    result.matched = MatchedVertices{options.matchings, *sum->largest, left + right - 2 * *sum->largest};
  }
  result.value = sum->value;
  result.count = sum->value.get_str();
  result.log10 = log10_of(Number(mpq_class(sum->value)));
  result.method = "direct";
  result.reductions = report_rules({});
  result.checks = {
      sum->eliminated ? Check{"two orders", true, true, "eliminated in two orders, with the same count"}
                      : Check{"transpose", true, true, "by rows and by columns, with the same count"},
      sum->largest ? Check{"largest matching", true, true, "found by itself, it has as many edges"}
                   : Check{"parity", true, true, "the determinant modulo 2 is the count modulo 2"}};
  report_entropy(result);
  result.seconds.count = result.seconds.total = seconds_now() - start;
  return result;
}

}  // namespace countpm
