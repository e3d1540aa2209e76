// Factors of random graphs against the sum over all sets of edges, and of complete ones against known
// numbers.
#include "kernels/factors/factors.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

#include "kernels/factors/factor_graph.hpp"
#include "kernels/factors/plan.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm::factors_test {
namespace {

using namespace countpm::testing;

template <class Value>
struct WeightedEdge {
  Index from = 0;
  Index to = 0;
  Value in = 1;
  Value out = 1;
};

/// A graph, and how many edges each vertex is to have.
template <class Value>
struct Problem {
  Index left = 0;  // of a bipartite graph: vertices 0 .. left - 1 are on one side
  std::vector<Index> needs;
  std::vector<WeightedEdge<Value>> edges;

  Index degree(Index v) const {
    return static_cast<Index>(std::count_if(
        edges.begin(), edges.end(), [&](const auto& edge) { return edge.from == v || edge.to == v; }));
  }
};

/// The sum over all sets of edges, times what the gadgets' orders count.
template <class Value>
mpq_class sum_over_sets(const Problem<Value>& problem) {
  mpq_class sum = 0;
  for (std::uint64_t set = 0; set < std::uint64_t{1} << problem.edges.size(); ++set) {
    std::vector<Index> left = problem.needs;
    mpq_class product = 1;
    bool fits = true;
    for (std::size_t k = 0; k < problem.edges.size() && fits; ++k) {
      const auto& edge = problem.edges[k];
      if ((set >> k & 1) == 0) {
        product *= to_exact(edge.out);
        continue;
      }
      product *= to_exact(edge.in);
      fits = left[edge.from]-- > 0 && left[edge.to]-- > 0;
    }
    if (fits && std::all_of(left.begin(), left.end(), [](Index need) { return need == 0; })) sum += product;
  }
  for (Index v = 0; v < problem.needs.size(); ++v) {
    for (Index k = 2; k + problem.needs[v] <= problem.degree(v); ++k) sum *= k;
  }
  return sum;
}

/// Each vertex of degree d as d nodes, one an edge, joined to d - f equal ones. As a bipartite block the
/// nodes of one colour are rows. `together`: equal columns are one. direct: edges without such nodes, for
/// what reductions leave where one edge of an end is left out; they weigh 1 where a factor has them.
template <class Value>
Block<Value> gadget_block(const Problem<Value>& problem, bool general, bool together,
                          const std::vector<bool>& direct = {}) {
  std::vector<bool> is_row;
  std::vector<std::vector<Index>> ports(problem.needs.size());
  const auto add_node = [&](bool row) {
    is_row.push_back(row);
    return static_cast<Index>(is_row.size() - 1);
  };
  struct Joined {
    Index a;
    Index b;
    Value value;
  };
  std::vector<Joined> joined;
  std::vector<Index> multiplicity_of_node;
  std::vector<Index> spare_of(problem.needs.size());
  for (Index v = 0; v < problem.needs.size(); ++v) spare_of[v] = problem.degree(v) - problem.needs[v];
  for (std::size_t k = 0; k < problem.edges.size(); ++k) {
    const auto& edge = problem.edges[k];
    if (!direct.empty() && direct[k]) continue;
    const Index a = add_node(edge.from < problem.left);
    const Index b = add_node(edge.to < problem.left);
    ports[edge.from].push_back(a);
    ports[edge.to].push_back(b);
    joined.push_back({a, b, edge.in});
  }
  multiplicity_of_node.assign(is_row.size(), 1);
  // an edge's `out` stands at its first end
  std::vector<std::size_t> next(problem.needs.size(), 0);
  std::vector<std::vector<Value>> out(problem.needs.size());
  for (std::size_t k = 0; k < problem.edges.size(); ++k) {
    const auto& edge = problem.edges[k];
    if (!direct.empty() && direct[k]) continue;
    out[edge.from].push_back(edge.out);
    out[edge.to].push_back(Value{1});
  }
  std::vector<std::vector<Index>> hubs(problem.needs.size());
  for (Index v = 0; v < problem.needs.size(); ++v) {
    const Index spare = spare_of[v];
    const bool row = v >= problem.left;
    const Index nodes = together && !general && !row ? 1 : spare;
    for (Index k = 0; k < nodes; ++k) {
      const Index hub = add_node(row);
      multiplicity_of_node.push_back(spare / nodes);
      hubs[v].push_back(hub);
      for (std::size_t p = 0; p < ports[v].size(); ++p) joined.push_back({ports[v][p], hub, out[v][p]});
    }
  }
  for (std::size_t k = 0; k < problem.edges.size() && !direct.empty(); ++k) {
    if (!direct[k]) continue;
    for (const Index a : hubs[problem.edges[k].from]) {
      for (const Index b : hubs[problem.edges[k].to]) joined.push_back({a, b, problem.edges[k].out});
    }
  }
  std::vector<Index> place(is_row.size());
  Index rows = 0;
  Index columns = 0;
  std::vector<Index> multiplicity;
  for (Index node = 0; node < is_row.size(); ++node) {
    if (general || is_row[node]) {
      place[node] = rows++;
    } else {
      place[node] = columns++;
      multiplicity.push_back(multiplicity_of_node[node]);
    }
  }
  if (general) columns = rows;
  std::vector<std::vector<Value>> value(rows, std::vector<Value>(columns));
  for (const Joined& one : joined) {
    if (general) {
      value[place[one.a]][place[one.b]] = one.value;
      value[place[one.b]][place[one.a]] = one.value;
    } else {
      value[place[is_row[one.a] ? one.a : one.b]][place[is_row[one.a] ? one.b : one.a]] = one.value;
    }
  }
  Block<Value> block = dense_block(value, columns);
  block.general = general;
  if (!general && together) block.multiplicity = multiplicity;
  return block;
}

/// Both sides of a bipartite graph need as much as the other.
template <class Value, class Weight>
std::optional<Problem<Value>> random_problem(Random& random, bool bipartite, std::size_t most_edges,
                                             const Weight& weight) {
  Problem<Value> problem;
  const auto size = static_cast<Index>(6 + below(random, 4));
  problem.left = bipartite ? size / 2 : 0;
  problem.needs.assign(size, 0);
  const std::uint64_t density = 5 + below(random, 6);
  const bool twins = below(random, 2) == 0;
  for (Index u = 0; u < size; ++u) {
    for (Index v = u + 1; v < size; ++v) {
      if (bipartite && (u < problem.left) == (v < problem.left)) continue;
      if (below(random, 10) >= density) continue;
      WeightedEdge<Value> edge{u, v, weight(), weight()};
      if (twins && u % 2 == 1) edge.in = edge.out = 1;
      problem.edges.push_back(edge);
    }
  }
  if (problem.edges.size() > most_edges) return std::nullopt;
  Index rows = 0;
  Index columns = 0;
  for (Index v = 0; v < size; ++v) {
    const Index degree = problem.degree(v);
    if (degree < 3) return std::nullopt;
    problem.needs[v] = static_cast<Index>(1 + below(random, degree - 1));
    (v < problem.left ? rows : columns) += problem.needs[v];
  }
  if (bipartite && rows != columns) return std::nullopt;
  if (!bipartite && columns % 2 != 0) return std::nullopt;
  return problem;
}

Residues count(const AnyBlock& block, const Arithmetic& arithmetic) {
  return run_residues(*factors_method().make_job(block, arithmetic, {}), arithmetic);
}

template <class Value, class Weight>
void agrees_with_all_sets(std::uint64_t seed, int rounds, const Weight& weight) {
  Random random(seed);
  int counted = 0;
  for (int round = 0; counted < rounds; ++round) {
    ASSERT_LT(round, 2000 * rounds);
    const bool bipartite = below(random, 2) == 0;
    auto problem = random_problem<Value>(random, bipartite, 15, [&] { return weight(random); });
    if (!problem) continue;
    ++counted;
    const bool general = !bipartite || below(random, 3) == 0;
    std::vector<bool> direct(problem->edges.size(), false);
    for (std::size_t k = 0; k < direct.size(); ++k) {
      auto& edge = problem->edges[k];
      const auto one_left_out = [&](Index v) { return problem->degree(v) == problem->needs[v] + 1; };
      if (k == 0 || (!one_left_out(edge.from) && !one_left_out(edge.to)) || below(random, 2) == 0) continue;
      direct[k] = true;
      edge.in = 1;
    }
    const AnyBlock block = gadget_block(*problem, general, below(random, 2) == 0, direct);
    Arithmetic arithmetic;
    arithmetic.moduli = choose_primes(3);
    ASSERT_FALSE(factors_method().obstacle(block, arithmetic)) << "round " << round;
    const Residues expected = testing::residues_of(sum_over_sets(*problem), arithmetic);
    const auto job = factors_method().make_job(block, arithmetic, {});
    ASSERT_EQ(run_residues(*job, arithmetic), expected) << "round " << round;
    ASSERT_EQ(run_residues(*job->with_moduli_subset(arithmetic), arithmetic), expected) << "round " << round;
  }
}

TEST(Factors, AreThoseOfAllSetsOfEdges) {
  agrees_with_all_sets<std::int64_t>(1, repeats(60), [](Random&) { return std::int64_t{1}; });
}
TEST(Factors, WithIntegerWeightsAreThoseOfAllSetsOfEdges) {
  agrees_with_all_sets<std::int64_t>(2, repeats(60), [](Random& random) {
    const std::uint64_t kind = below(random, 4);
    if (kind == 0) return std::int64_t{1};
    if (kind == 1)
      return static_cast<std::int64_t>(below(random, 9)) - 4 == 0 ? std::int64_t{5} : std::int64_t{-3};
    return static_cast<std::int64_t>(random() >> 2) | 1;
  });
}
TEST(Factors, WithFractionsAreThoseOfAllSetsOfEdges) {
  agrees_with_all_sets<mpq_class>(3, repeats(60), [](Random& random) {
    const mpq_class value = random_rational(random);
    return value == 0 ? mpq_class(-2, 3) : value;
  });
}

template <class Value>
Problem<Value> complete(Index vertices, Index left, Index need) {
  Problem<Value> problem;
  problem.left = left;
  problem.needs.assign(vertices, need);
  for (Index u = 0; u < vertices; ++u) {
    for (Index v = u + 1; v < vertices; ++v) {
      if (left == 0 || (u < left) != (v < left)) problem.edges.push_back({u, v, 1, 1});
    }
  }
  return problem;
}

mpz_class factors_of_complete(Index vertices, Index left, Index need) {
  const auto problem = complete<std::int64_t>(vertices, left, need);
  const AnyBlock block = gadget_block(problem, left == 0, true);
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(80);
  mpz_class count = join_residues(factors_test::count(block, arithmetic), arithmetic.moduli, true);
  mpz_class orders = 1;
  const Index spare = (left == 0 ? vertices - 1 : vertices - left) - need;
  mpz_fac_ui(orders.get_mpz_t(), spare);
  for (Index v = 0; v < vertices; ++v) {
    EXPECT_TRUE(mpz_divisible_p(count.get_mpz_t(), orders.get_mpz_t()));
    count /= orders;
  }
  return count;
}

// N. J. A. Sloane, OEIS: A001499 (n x n matrices with two ones in each row and column), A001501 (three),
// A001205 (2-regular graphs), A002829 (cubic graphs), A005815 (4-regular ones).
TEST(Factors, OfCompleteGraphsAreKnownNumbers) {
  EXPECT_EQ(factors_of_complete(12, 6, 2), 67950);
  EXPECT_EQ(factors_of_complete(20, 10, 2), mpz_class("1371785398200"));
  EXPECT_EQ(factors_of_complete(14, 7, 3), 68938800);
  EXPECT_EQ(factors_of_complete(8, 0, 2), 3507);
  EXPECT_EQ(factors_of_complete(10, 0, 3), 11180820);
  EXPECT_EQ(factors_of_complete(10, 0, 4), 66462606);
}

TEST(Factors, PlansKeepOneListOfEqualVertices) {
  const auto problem = complete<std::int64_t>(24, 12, 2);
  const auto graph = factors::factor_graph_of(AnyBlock(gadget_block(problem, false, true)));
  ASSERT_TRUE(graph);
  EXPECT_EQ(graph->needs, problem.needs);
  const auto plan = factors::plan_factors(*graph);
  ASSERT_TRUE(plan);
  EXPECT_LE(plan->most_states, 13);  // of 12 columns, so many that need 2: the rest follows
}

// A path of three edges is one in any block.
TEST(Factors, OtherBlocksAreRefusedOrCounted) {
  Random random(9);
  int counted = 0;
  const Arithmetic arithmetic = residues_modulo({first_prime, 10007});
  for (int round = 0; round < repeats(2000); ++round) {
    const auto n = static_cast<Index>(6 + below(random, 4));
    const auto block = random_block<std::int64_t>(random, n, 0.35, below(random, 2) == 0, [&] {
      return static_cast<std::int64_t>(below(random, 5)) + 1;
    });
    if (factors_method().obstacle(block, arithmetic)) continue;
    ++counted;
    ASSERT_EQ(count(block, arithmetic), testing::residues_of(permanent_by_states(block), arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
  EXPECT_GT(counted, repeats(50));
  // A hub that weighs 2 at one of its nodes is two, and what is joined to both is no path's.
  auto block = gadget_block(complete<std::int64_t>(6, 3, 1), false, false);
  block.matrix.value.back() = 2;
  ASSERT_FALSE(factors_method().obstacle(block, arithmetic));
  EXPECT_EQ(count(block, arithmetic), testing::residues_of(permanent_by_states(block), arithmetic));
}

}  // namespace
}  // namespace countpm::factors_test
