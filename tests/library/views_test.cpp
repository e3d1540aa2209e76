// Arrays with and without faults: exactly the faulty ones are refused, and none does harm.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/library/random_arrays.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using testing::Arrays;
using testing::random_arrays;

/// The edges of a graph, in arrays that may be put out of order.
struct EdgeArrays {
  GraphKind kind = GraphKind::undirected;
  std::uint64_t left = 0;
  std::uint64_t right = 0;
  std::vector<std::int64_t> from;
  std::vector<std::int64_t> to;
  std::vector<double> weight;

  EdgeView view() const {
    EdgeView edges;
    edges.kind = kind;
    edges.left = left;
    edges.right = right;
    edges.from = std::span<const std::int64_t>(from);
    edges.to = std::span<const std::int64_t>(to);
    edges.weights = std::span<const double>(weight);
    return edges;
  }
};

class Faults {
 public:
  explicit Faults(std::uint64_t seed) : random_(seed) {}

  std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  EdgeArrays edges() {
    EdgeArrays arrays;
    arrays.kind = static_cast<GraphKind>(below(3));
    arrays.left = 1 + below(6);
    arrays.right = arrays.kind == GraphKind::bipartite ? 1 + below(6) : 0;
    const std::uint64_t heads = arrays.kind == GraphKind::bipartite ? arrays.right : arrays.left;
    for (std::uint64_t i = 0; i < arrays.left; ++i) {
      for (std::uint64_t j = arrays.kind == GraphKind::undirected ? i + 1 : 0; j < heads; ++j) {
        if (below(2) == 0) continue;
        const bool turned = arrays.kind == GraphKind::undirected && below(2) == 0;
        arrays.from.push_back(static_cast<std::int64_t>(turned ? j : i));
        arrays.to.push_back(static_cast<std::int64_t>(turned ? i : j));
        arrays.weight.push_back(static_cast<double>(below(5)) / 4);
      }
    }
    return arrays;
  }

  /// Puts one fault in; false where there is no edge to put it in.
  bool spoil(EdgeArrays& arrays) {
    if (arrays.from.empty()) return false;
    const std::size_t k = below(arrays.from.size());
    switch (below(8)) {
      case 0:
        arrays.from[k] = -1 - static_cast<std::int64_t>(below(3));
        return true;
      case 1:
        arrays.from[k] = static_cast<std::int64_t>(arrays.left + below(3));
        return true;
      case 2:
        arrays.to[k] = std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(below(3));
        return true;
      case 3:
        arrays.to[k] = std::numeric_limits<std::int64_t>::min();
        return true;
      case 4:
        arrays.weight[k] = below(2) == 0 ? std::nan("") : std::numeric_limits<double>::infinity();
        return true;
      case 5:
        arrays.weight.pop_back();
        return true;
      case 6:
        arrays.to.push_back(0);
        return true;
      default:
        // Again, of whatever weight but 0, which is no edge.
        arrays.weight[k] = 1;
        arrays.from.push_back(arrays.from[k]);
        arrays.to.push_back(arrays.to[k]);
        arrays.weight.push_back(2);
        return true;
    }
  }

  Arrays matrix() { return random_arrays(1 + below(5), false, random_); }

  bool spoil(Arrays& arrays) {
    if (arrays.column.empty()) return false;
    const std::size_t k = below(arrays.column.size());
    switch (below(7)) {
      case 0:
        arrays.column[k] = -1;
        return true;
      case 1:
        arrays.column[k] = static_cast<std::int64_t>(arrays.size);
        return true;
      case 2:
        arrays.row_start[0] = 1;
        return true;
      case 3:
        arrays.row_start.back() += 1;
        return true;
      case 4:
        arrays.row_start.pop_back();
        return true;
      case 5:
        arrays.row_start[below(arrays.row_start.size())] = -7;
        return true;
      default:
        arrays.weight.push_back(3);
        return true;
    }
  }

 private:
  std::mt19937_64 random_;
};

template <class View>
bool is_refused(const View& view) {
  try {
    const Input input(view);
    return false;
  } catch (const InputError&) {
    return true;
  }
}

TEST(LibraryViews, ExactlyTheFaultyOnesOfManyAreRefused) {
  Faults faults(20261125);
  std::size_t spoilt = 0;
  for (int run = 0; run < testing::repeats(50'000); ++run) {
    EdgeArrays edges = faults.edges();
    ASSERT_FALSE(is_refused(edges.view())) << "run " << run;
    if (faults.spoil(edges)) {
      ++spoilt;
      ASSERT_TRUE(is_refused(edges.view())) << "run " << run;
    }
    Arrays matrix = faults.matrix();
    ASSERT_FALSE(is_refused(matrix.view())) << "run " << run;
    if (faults.spoil(matrix)) {
      ++spoilt;
      ASSERT_TRUE(is_refused(matrix.view())) << "run " << run;
    }
  }
  EXPECT_GT(spoilt, testing::fewest(80'000U));
}

TEST(LibraryViews, GraphsWithFaultsAreRefusedByEveryQuestion) {
  Graph graph;
  graph.kind = GraphKind::bipartite;
  graph.left_labels = graph.right_labels = LabelTable::numbered(2);
  graph.edges = {{0, 0}, {1, 1}, {0, 7}};
  EXPECT_THROW(Input{graph}, InputError);
  EXPECT_THROW(count(graph), InputError);
  EXPECT_THROW(permanent(graph), InputError);
  EXPECT_THROW(explain(graph), InputError);
  EXPECT_THROW(estimate(graph), InputError);
  EXPECT_THROW(marginals(graph), InputError);
  EXPECT_THROW(sample(graph, 1), InputError);
  EXPECT_THROW(bounds(graph), InputError);
  EXPECT_THROW(ln_z(graph), InputError);
}

TEST(LibraryViews, ZerosAreNoEdgesAndAreCounted) {
  const std::vector<std::int32_t> from{0, 0, 1, 1};
  const std::vector<std::uint64_t> to{0, 1, 0, 1};
  const std::vector<mpq_class> weight{1, 0, {4, 2}, 3};  // one of them not in lowest terms
  EdgeView view;
  view.kind = GraphKind::bipartite;
  view.left = view.right = 2;
  view.from = from;
  view.to = to;
  view.weights = weight;
  const ReadResult read = read_view(view);
  EXPECT_EQ(read.info.zeros_dropped, 1U);
  EXPECT_EQ(read.graph.edges.size(), 3U);
  EXPECT_EQ(read.graph.weight_kind, WeightKind::rational);
  EXPECT_EQ(std::get<mpz_class>(permanent(read)), 3);
}

TEST(LibraryViews, AMessageNamesTheEdge) {
  const std::vector<std::int64_t> from{0, 5};
  const std::vector<std::int64_t> to{1, 1};
  EdgeView view;
  view.left = 3;
  view.from = from;
  view.to = to;
  view.name = "mine";
  try {
    const Input input(view);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "mine: expected edges between 3 vertices, numbered from 0, found edge 1 (5 to 1)");
  }
}

TEST(LibraryViews, NumbersOfVerticesBeyondThe32BitsAreRefused) {
  EdgeView view;
  view.left = std::uint64_t{1} << 33;
  EXPECT_TRUE(is_refused(view));
  SparseView matrix;
  matrix.rows = std::uint64_t{1} << 40;
  EXPECT_TRUE(is_refused(matrix));
}

}  // namespace
}  // namespace countpm
