#pragma once
// Simulated annealing of the order in which a PruneTree decides the columns, given how likely each row is to
// survive its zero test.
#include <cstdint>
#include <random>
#include <vector>

#include "kernels/subsets/integer_columns.hpp"

namespace countpm {

/// What a walk costs, in units of one visit.
struct WalkCosts {
  // AMD EPYC (Zen 4), AVX-512, one block, 2026-11-21: some 15 cycles a visit, 3 a masked row, 45 a product.
  double visit = 1;
  double masked_row = 0.2;
  double product = 3;
};

/// Where the predicted cost is, for searches that weigh levels against each other.
struct LevelCosts {
  std::vector<double>
      cost;  // [levels]: share of the total that level k's children cost; they sum to 1 with products
  std::vector<double> open;  // [levels]: share of level k's nodes whose tail set is not empty, 0 .. 1
  double products = 0;       // share of the products
  double log2_total = 0;
};

/// The columns' pattern and what else the cost of an order depends on.
class OrderModel {
 public:
  /// log2_survival[i] = log2 P(row i's sum is not zero) <= 0, as if rows were independent.
  OrderModel(const IntegerColumns<std::int64_t>& columns, unsigned tail, std::vector<double> log2_survival);

  /// sum over levels of (nodes looked at) (visit + masked_row rows) + products, as log2. The nodes at level
  /// k: prod (copies + 1) prod_{complete rows} P, times m / (1 + m) for m expected subsets in the tail set.
  /// O(entries).
  double log2_cost(const std::vector<Index>& order);
  /// The same with its parts.
  LevelCosts level_costs(const std::vector<Index>& order);
  /// Improves order in place by `moves` swaps and shifts of columns, from temperature `hot` (in log2 of the
  /// cost) down. Deterministic for a state of `random`.
  void anneal(std::vector<Index>& order, std::uint64_t moves, double hot, std::mt19937_64& random);

  void set_log2_survival(std::vector<double> log2_survival);

 private:
  void close_rows(const std::vector<Index>& order);
  bool tail_allowed(const std::vector<Index>& order, std::size_t position) const;

  std::size_t rows_;
  unsigned tail_;
  std::vector<std::uint64_t> start_;
  std::vector<Index> row_;
  std::vector<Index> copies_;
  std::vector<double> survival_;
  // of the order at hand, by level
  std::vector<std::size_t> last_;
  std::vector<bool> in_tail_;
  std::vector<double> complete_;
  std::vector<double> masked_;
  std::vector<double> masked_rows_;
};

}  // namespace countpm
