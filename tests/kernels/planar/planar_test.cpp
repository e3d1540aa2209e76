// planar: against the hafnian by sets, itself (determinant against Pfaffian), closed forms; residues modulo
// small primes, where pivots vanish all the time.
#include "kernels/planar/planar.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <thread>

#include "graph/errors.hpp"
#include "kernels/arithmetic/bound.hpp"
#include "kernels/planar/elimination/determinant.hpp"
#include "kernels/planar/elimination/dissection.hpp"
#include "kernels/planar/orientation/embedding.hpp"
#include "kernels/planar/orientation/kuratowski.hpp"
#include "kernels/support/instruction_sets.hpp"
#include "tests/kernels/best_rate.hpp"
#include "tests/kernels/planar/planar_graphs.hpp"

namespace countpm::planar_test {
namespace {

using namespace testing_support;

Arithmetic primes_of(unsigned count, unsigned bits, const mpz_class& skip = 1) {
  Arithmetic arithmetic;
  arithmetic.moduli = choose_primes(count, {skip}, bits);
  return arithmetic;
}

Partial run_all(const AnyBlock& block, const Arithmetic& arithmetic) {
  const std::unique_ptr<Job> job = planar_method().make_job(block, arithmetic, {});
  EXPECT_TRUE(std::isfinite(job->log2_work()));
  EXPECT_GT(job->bytes_per_thread(), 0U);
  const StopSignal stop;
  Partial total = zero(arithmetic);
  for (std::uint64_t unit = job->units(); unit-- > 0;) add(total, job->run(unit, stop), arithmetic);
  return total;
}

/// The count times the block's denominator.
mpz_class integer(const AnyBlock& block, unsigned bits = 50) {
  const auto count = static_cast<unsigned>((log2_upper_bound(block) + 2) / (bits - 1)) + 1;
  const Arithmetic arithmetic = primes_of(count, bits, denominator(block));
  EXPECT_EQ(planar_method().obstacle(block, arithmetic), std::nullopt);
  Partial total = run_all(block, arithmetic);
  multiply(total, from_factor(mpq_class(denominator(block)), arithmetic), arithmetic);
  return join_residues(std::get<Residues>(total), arithmetic.moduli, true);
}

constexpr ValueKind kinds[] = {ValueKind::ones, ValueKind::small_positive, ValueKind::small_signed,
                               ValueKind::large};

TEST(Planar, RandomGraphsAgainstSetsOfVertices) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const EdgeList graph = random_planar(random.below(17), random);
    const SparsePattern pattern = graph_of(graph.vertices, graph.edges);
    const auto integers = with_symmetric_values<std::int64_t>(pattern, kinds[seed % 4], random);
    const unsigned bits = seed % 2 == 0 ? 50 : 61;
    ASSERT_EQ(mpq_class(integer(general_block(integers), bits)), hafnian(integers)) << "seed " << seed << "\n"
                                                                                    << show(integers);
    const auto rationals = with_symmetric_values<mpq_class>(pattern, ValueKind::small_signed, random);
    const AnyBlock fractions = general_block(rationals);
    ASSERT_EQ(mpq_class(integer(fractions, bits)), hafnian(rationals) * denominator(fractions))
        << "seed " << seed << "\n"
        << show(rationals);
  }
}

TEST(Planar, RandomMatricesAgainstSetsOfVertices) {
  int positive = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const EdgeList graph = between_halves(random_planar(2 * random.below(10), random));
    const SparsePattern pattern = graph_of(graph.vertices, graph.edges);
    const auto integers = with_symmetric_values<std::int64_t>(pattern, kinds[seed % 4], random);
    const unsigned bits = seed % 2 == 0 ? 50 : 61;
    const mpq_class expected = hafnian(integers);
    positive += expected != 0 ? 1 : 0;
    ASSERT_EQ(mpq_class(integer(bipartite_block_of(integers), bits)), expected) << "seed " << seed << "\n"
                                                                                << show(integers);
    const auto rationals = with_symmetric_values<mpq_class>(pattern, ValueKind::small_signed, random);
    const AnyBlock fractions = bipartite_block_of(rationals);
    ASSERT_EQ(mpq_class(integer(fractions, bits)), hafnian(rationals) * denominator(fractions))
        << "seed " << seed << "\n"
        << show(rationals);
  }
  EXPECT_GT(positive, 50);
}

// Modulo 3 a third of all pivots vanish, in some lanes and not in others.
TEST(Planar, ResiduesModuloSmallPrimes) {
  Arithmetic arithmetic;
  for (const std::uint64_t prime : {3, 5, 7, 11, 13, 101, 257, 10007, 65537, 3, 3, 3, 5, 5, 2147483647})
    arithmetic.moduli.push_back({prime, 0});
  const auto check = [&](const AnyBlock& block, const mpz_class& expected, const std::string& what) {
    const auto total = std::get<Residues>(run_all(block, arithmetic));
    for (std::size_t k = 0; k < arithmetic.moduli.size(); ++k) {
      const std::uint64_t prime = arithmetic.moduli[k].prime;
      ASSERT_EQ(static_cast<std::uint64_t>(total.residue[k]), mpz_fdiv_ui(expected.get_mpz_t(), prime))
          << what << " modulo " << prime;
    }
  };
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const EdgeList graph = random_planar(2 * random.below(9), random);
    const auto general = with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                             ValueKind::small_signed, random);
    check(general_block(general), mpz_class(hafnian(general).get_num()),
          "seed " + std::to_string(seed) + "\n" + show(general));
    const EdgeList halves = between_halves(graph);
    const auto bipartite = with_symmetric_values<std::int64_t>(graph_of(halves.vertices, halves.edges),
                                                               ValueKind::small_signed, random);
    check(bipartite_block_of(bipartite), mpz_class(hafnian(bipartite).get_num()),
          "bipartite, seed " + std::to_string(seed) + "\n" + show(bipartite));
  }
}

// Larger graphs: the same number as a determinant, as a Pfaffian, by either code, modulo any prime.
TEST(Planar, DeterminantPfaffianAndBothLaneCodesAgree) {
  Arithmetic arithmetic = primes_of(9, 50);
  for (const std::uint64_t prime : {3, 7, 10007, 1000003}) arithmetic.moduli.push_back({prime, 0});
  const StopSignal stop;
  int nonzero = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    const std::string size =
        std::to_string(4 + random.below(15)) + "x" + std::to_string(6 + random.below(15));
    const AnyBlock lattice = lattice_block("square:" + size);
    const SparsePattern& pattern = std::get<Block<std::int64_t>>(lattice).matrix;
    EdgeList graph{2 * pattern.rows, {}};
    if (pattern.rows != pattern.columns) continue;
    for (Index i = 0; i < pattern.rows; ++i) {
      for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + 1]; ++k)
        graph.edges.emplace_back(i, pattern.column[k] + pattern.rows);
    }
    std::bernoulli_distribution kept(seed % 4 == 0 ? 1.0 : 0.93);
    std::erase_if(graph.edges, [&](const auto&) { return !kept(random); });
    const auto values = with_symmetric_values<std::int64_t>(graph_of(graph.vertices, graph.edges),
                                                            ValueKind::small_signed, random);
    const auto det = std::get<Residues>(run_all(bipartite_block_of(values), arithmetic));
    const auto pfaffian = std::get<Residues>(run_all(general_block(values), arithmetic));
    ASSERT_EQ(det, pfaffian) << "seed " << seed;
    nonzero += det.residue[0] != 0 ? 1 : 0;
    if (!processor_has(InstructionSet::avx512)) continue;
    for (const bool general : {false, true}) {
      const AnyBlock block = general ? AnyBlock(general_block(values)) : AnyBlock(bipartite_block_of(values));
      planar::BlockGraph plane = planar::block_graph(block);
      planar::Orientation orientation =
          planar::kasteleyn_orientation(plane, planar::test_planarity(plane).embedding);
      const planar::FrontTree tree = planar::front_tree(plane, planar::dissection_order(plane));
      const planar::SignedMatrix matrix =
          planar::signed_matrix(block, std::move(plane), std::move(orientation));
      std::vector<std::uint64_t> primes;
      for (std::size_t k = 0; k < planar::most_lanes; ++k) primes.push_back(arithmetic.moduli[k].prime);
      const auto lanes = planar::determinant(matrix, tree, planar::avx512_lanes(), primes, stop);
      for (std::size_t k = 0; k < primes.size(); ++k) {
        ASSERT_EQ(lanes[k], planar::determinant(matrix, tree, planar::portable_lanes(), {primes[k]}, stop)[0])
            << "seed " << seed << " general " << general << " prime " << primes[k];
      }
    }
  }
  EXPECT_GT(nonzero, 10);
}

/// Domino tilings of an m x n board, m even, exactly: with p_0 = 1, p_1 = x, p_k+1 = x p_k + p_k-1,
/// Kasteleyn's product over the eigenvalues x = 2 cos(pi j / (n + 1)) of the path's adjacency matrix A is det
/// p_m(A) on every other vertex; p_m is a polynomial in A^2.
mpz_class domino_tilings(unsigned m, unsigned n) {
  if (m % 2 != 0) std::swap(m, n);
  if (m % 2 != 0) return 0;
  const std::size_t size = n / 2;
  using Matrix = std::vector<std::vector<mpz_class>>;
  const auto zero_matrix = [&] { return Matrix(size, std::vector<mpz_class>(size)); };
  // A^2 on vertices 1, 3, 5, ... of the path 0 .. n - 1
  Matrix square = zero_matrix();
  for (std::size_t i = 0; i < size; ++i) {
    square[i][i] = 2 * i + 2 < n ? 2 : 1;
    if (i + 1 < size) square[i][i + 1] = square[i + 1][i] = 1;
  }
  // p_{k+2} = (x^2 + 2) p_k - p_{k-2}
  Matrix before = zero_matrix();  // p_0
  for (std::size_t i = 0; i < size; ++i) before[i][i] = 1;
  Matrix now = square;  // p_2 = x^2 + 1
  for (std::size_t i = 0; i < size; ++i) now[i][i] += 1;
  for (unsigned k = 2; k < m; k += 2) {
    Matrix next = zero_matrix();
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = 0; j < size; ++j) {
        next[i][j] = 2 * now[i][j] - before[i][j];
        for (std::size_t t = i == 0 ? 0 : i - 1; t < std::min(i + 2, size); ++t)
          next[i][j] += square[i][t] * now[t][j];
      }
    }
    before = std::move(now);
    now = std::move(next);
  }
  // Bareiss; the leading minors are positive, as A^2 is
  mpz_class last = 1;
  for (std::size_t k = 0; k + 1 < size; ++k) {
    for (std::size_t i = k + 1; i < size; ++i) {
      for (std::size_t j = k + 1; j < size; ++j)
        now[i][j] = (now[i][j] * now[k][k] - now[i][k] * now[k][j]) / last;
    }
    last = now[k][k];
  }
  return size == 0 ? mpz_class(1) : now[size - 1][size - 1];
}

TEST(Planar, ClosedFormOfDominoTilings) {
  EXPECT_EQ(domino_tilings(2, 10), 89);
  EXPECT_EQ(domino_tilings(8, 8), 12988816);  // Kasteleyn (1961)
  EXPECT_EQ(domino_tilings(4, 7), 781);       // OEIS A005178
}

TEST(Planar, SquareLattices) {
  const auto check = [](unsigned m, unsigned n) {
    const std::string size = std::to_string(m) + "x" + std::to_string(n);
    if (m * n % 2 != 0) return;  // sides of different sizes: no block
    const AnyBlock block = lattice_block("square:" + size);
    EXPECT_EQ(integer(block), domino_tilings(m, n)) << size;
  };
  for (unsigned m = 1; m <= 12; ++m) {
    for (unsigned n = m; n <= 12; ++n) check(m, n);
  }
  for (const auto& [m, n] :
       {std::pair(1, 40), {2, 39}, {7, 40}, {16, 16}, {17, 30}, {24, 24}, {31, 38}, {40, 40}})
    check(m, n);
}

TEST(LongPlanar, SquareLatticesTo40) {
  for (unsigned m = 1; m <= 40; ++m) {
    for (unsigned n = m; n <= 40; ++n) {
      if (m * n % 2 != 0) continue;
      const std::string size = std::to_string(m) + "x" + std::to_string(n);
      ASSERT_EQ(integer(lattice_block("square:" + size)), domino_tilings(m, n)) << size;
    }
  }
}

TEST(LongPlanar, SquareLattice100x100) {
  EXPECT_EQ(integer(lattice_block("square:100x100")), domino_tilings(100, 100));
}

TEST(Planar, AztecDiamonds) {
  for (unsigned n = 1; n <= 12; ++n)
    EXPECT_EQ(integer(lattice_block("aztec:" + std::to_string(n))), mpz_class(1) << (n * (n + 1) / 2)) << n;
}

// N. Elkies, G. Kuperberg, M. Larsen, J. Propp (1992): weights a across and b down give (a^2 +
// b^2)^(n(n+1)/2).
TEST(Planar, WeightedAztecDiamonds) {
  for (unsigned n = 1; n <= 6; ++n) {
    mpz_class expected;
    mpz_ui_pow_ui(expected.get_mpz_t(), 13, n * (n + 1) / 2);
    EXPECT_EQ(integer(lattice_block("aztec:" + std::to_string(n) + ":weights=2,-3")), expected) << n;
  }
}

// P. A. MacMahon, Combinatory Analysis (1916): plane partitions in a box.
TEST(Planar, LozengeTilingsOfHexagons) {
  const auto macmahon = [](unsigned a, unsigned b, unsigned c) {
    mpq_class product = 1;
    for (unsigned i = 1; i <= a; ++i) {
      for (unsigned j = 1; j <= b; ++j) {
        for (unsigned k = 1; k <= c; ++k) product *= mpq_class(i + j + k - 1, i + j + k - 2);
      }
    }
    return product;
  };
  for (unsigned a = 1; a <= 6; ++a) {
    for (unsigned b = a; b <= 7; b += 2) {
      for (const unsigned c : {b, b + 3}) {
        const std::string size = std::to_string(a) + "x" + std::to_string(b) + "x" + std::to_string(c);
        EXPECT_EQ(mpq_class(integer(lattice_block("hexagon:" + size))), macmahon(a, b, c)) << size;
      }
    }
  }
}

TEST(Planar, HoneycombParallelograms) {
  for (unsigned r = 1; r <= 8; ++r) {
    for (unsigned c = r; c <= 16; c += 3) {
      mpz_class expected;
      mpz_bin_uiui(expected.get_mpz_t(), r + c, r);
      const std::string size = std::to_string(r) + "x" + std::to_string(c);
      EXPECT_EQ(integer(lattice_block("honeycomb:" + size)), expected) << size;
    }
  }
}

TEST(Planar, TriangularStrips) {
  for (unsigned n = 2; n <= 10; ++n) {
    const AnyBlock block = lattice_block("triangular:2x" + std::to_string(n));
    ASSERT_TRUE(is_general(block));
    EXPECT_EQ(mpq_class(integer(block)), hafnian(std::get<Block<std::int64_t>>(block).matrix)) << n;
  }
}

TEST(Planar, EqualColumnsAreWrittenOut) {
  // K_2,m with weights: two rows, one column twice; and joined to a board.
  Block<std::int64_t> block;
  block.matrix.rows = 4;
  block.matrix.columns = 3;
  block.matrix.row_start = {0, 2, 4, 6, 7};
  block.matrix.column = {0, 1, 0, 1, 1, 2, 2};
  block.matrix.value = {2, 5, 3, -1, 7, 4, 6};
  block.multiplicity = {2, 1, 1};
  const auto written_out = expanded(block);
  EXPECT_EQ(mpq_class(integer(block)), permanent(written_out.matrix));
  EXPECT_NE(integer(block), 0);
}

TEST(Planar, NoVertexAndNoMatching) {
  EXPECT_EQ(integer(Block<std::int64_t>{}), 1);
  Block<std::int64_t> empty_general;
  empty_general.general = true;
  EXPECT_EQ(integer(empty_general), 1);
  EXPECT_EQ(integer(general_block(with_ones(cycle(5)))), 0);
  // As many rows as columns, and three rows with two columns between them.
  Block<std::int64_t> hall;
  hall.matrix.rows = hall.matrix.columns = 4;
  hall.matrix.row_start = {0, 2, 4, 5, 9};
  hall.matrix.column = {0, 1, 0, 1, 1, 0, 1, 2, 3};
  hall.matrix.value.assign(9, 1);
  EXPECT_EQ(integer(hall), 0);
}

TEST(Planar, RefusesWhatItCannot) {
  const Arithmetic arithmetic = primes_of(2, 50);
  const auto obstacle = [&](const SparsePattern& graph) {
    const auto refusal = planar_method().obstacle(general_block(with_ones(graph)), arithmetic);
    return refusal ? refusal->text : "";
  };
  EXPECT_NE(obstacle(petersen()).find("not planar, nor a lattice closed to a torus"), std::string::npos);
  EXPECT_NE(obstacle(complete(5)).find("not planar: 5 vertices, and with 10 edges"), std::string::npos);
  EXPECT_EQ(obstacle(complete(4)), "");
  const AnyBlock torus = lattice_block("torus:4x4");
  EXPECT_NE(planar_method().obstacle(torus, arithmetic), std::nullopt);
  const AnyBlock board = lattice_block("square:4x4");
  EXPECT_EQ(planar_method().obstacle(board, arithmetic), std::nullopt);
  Arithmetic wrap;
  wrap.moduli = {{0, 64}};
  EXPECT_NE(planar_method().obstacle(board, wrap), std::nullopt);
  EXPECT_NE(planar_method().obstacle(board, {Arithmetic::Kind::floating, {}, Precision::plain, 53}),
            std::nullopt);
}

// Every pair of ends that K5 or K3,3 joins has its path, of different edges that are those given, and no
// more.
void expect_paths(const planar::BlockGraph& graph, const std::vector<Index>& edges,
                  const std::string& where) {
  const planar::KuratowskiPaths found = planar::kuratowski_paths(graph, edges);
  std::set<std::pair<Index, Index>> joined;
  std::multiset<std::pair<Index, Index>> walked;
  for (const std::vector<Index>& path : found.paths) {
    joined.insert(std::minmax(path.front(), path.back()));
    for (std::size_t k = 1; k < path.size(); ++k) walked.insert(std::minmax(path[k - 1], path[k]));
  }
  std::multiset<std::pair<Index, Index>> given;
  for (const Index e : edges) given.insert(std::minmax(graph.edges[e].a, graph.edges[e].b));
  EXPECT_EQ(walked, given) << where;
  std::set<std::pair<Index, Index>> expected;
  const std::vector<Index>& ends = found.ends;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    for (std::size_t j = i + 1; j < ends.size(); ++j) {
      if (found.five() || (i < 3 && j >= 3)) expected.insert(std::minmax(ends[i], ends[j]));
    }
  }
  EXPECT_EQ(joined, expected) << where;
  EXPECT_EQ(found.paths.size(), expected.size()) << where;
}

// Every vertex of degree 0 or 2, but for 5 of degree 4 or 6 of degree 3.
TEST(Planar, KuratowskiSubgraphs) {
  int found = 0;
  int fives = 0;
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    const SparsePattern pattern = random_graph(5 + random.below(20), seed % 3 == 0 ? 0.5 : 0.2, random);
    const planar::BlockGraph graph = planar::block_graph(general_block(with_ones(pattern)));
    if (planar::test_planarity(graph).planar) continue;
    ++found;
    const std::vector<Index> edges = planar::kuratowski_subgraph(graph);
    std::vector<int> degree(graph.vertices, 0);
    planar::BlockGraph shown = graph;
    shown.edges.clear();
    for (const Index e : edges) {
      shown.edges.push_back(graph.edges[e]);
      ++degree[graph.edges[e].a];
      ++degree[graph.edges[e].b];
    }
    EXPECT_FALSE(planar::test_planarity(shown).planar) << "seed " << seed;
    const auto of_degree = [&](int d) { return std::count(degree.begin(), degree.end(), d); };
    const bool five = of_degree(4) == 5 && of_degree(3) == 0;
    const bool three = of_degree(4) == 0 && of_degree(3) == 6;
    fives += five ? 1 : 0;
    EXPECT_TRUE(five || three) << "seed " << seed;
    EXPECT_EQ(of_degree(0) + of_degree(2) + (five ? 5 : 6), static_cast<long>(graph.vertices))
        << "seed " << seed;
    expect_paths(graph, edges, "seed " + std::to_string(seed));
  }
  EXPECT_GT(found, 50);
  EXPECT_GT(fives, 0);
}

TEST(Planar, AnEmbeddingThatIsNotPlaneIsFound) {
  const planar::BlockGraph graph = planar::block_graph(general_block(with_ones(complete(4))));
  planar::Planarity planarity = planar::test_planarity(graph);
  ASSERT_TRUE(planarity.planar);
  EXPECT_NO_THROW(planar::kasteleyn_orientation(graph, planarity.embedding));
  std::swap(planarity.embedding.around[0], planarity.embedding.around[1]);
  EXPECT_THROW(planar::kasteleyn_orientation(graph, planarity.embedding), CheckError);
}

TEST(Planar, UnitsAddUpFromAnyThread) {
  const AnyBlock block = lattice_block("square:20x20");
  const Arithmetic arithmetic = primes_of(20, 50);
  const Partial expected = run_all(block, arithmetic);
  for (unsigned threads = 1; threads <= 4; ++threads) {
    const std::unique_ptr<Job> job = planar_method().make_job(block, arithmetic, {});
    ASSERT_EQ(job->units(), 3U);
    std::vector<Partial> partials(threads, zero(arithmetic));
    std::vector<std::thread> pool;
    for (unsigned t = 0; t < threads; ++t) {
      pool.emplace_back([&, t] {
        const StopSignal stop;
        for (std::uint64_t unit = t; unit < job->units(); unit += threads)
          add(partials[t], job->run(unit, stop), arithmetic);
      });
    }
    for (std::thread& thread : pool) thread.join();
    Partial total = zero(arithmetic);
    for (const Partial& partial : partials) add(total, partial, arithmetic);
    EXPECT_EQ(std::get<Residues>(total), std::get<Residues>(expected)) << threads;
  }
}

TEST(Planar, StopsWhereAsked) {
  const std::unique_ptr<Job> job =
      planar_method().make_job(lattice_block("square:30x30"), primes_of(2, 50), {});
  StopSignal stop;
  stop.request();
  EXPECT_THROW(job->run(0, stop), Stopped);
  EXPECT_GT(best_rate(*job, 1e4), 1e4);
}

}  // namespace
}  // namespace countpm::planar_test
