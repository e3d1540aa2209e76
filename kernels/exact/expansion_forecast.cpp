#include "kernels/exact/expansion_forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "matching/forbert_marx.hpp"

namespace countpm {
namespace {

constexpr int most_descents = 64;
constexpr std::uint64_t most_entries = 4'000'000;
// The cheapest method is looked for on so many leaves; after them ryser's forecast has to do.
constexpr int most_leaf_choices = 3;

double log2_add(double a, double b) {
  const double high = std::max(a, b);
  if (high == -std::numeric_limits<double>::infinity()) return high;
  return high + std::log2(1 + std::exp2(std::min(a, b) - high));
}

template <class Value>
struct Task {
  SparseMatrix<Value> matrix;
  double log2_weight;
};

}  // namespace

template <class Value>
double forecast_expansion(const Product<Value>& product, const ExpansionOptions& options,
                          std::uint64_t seed) {
  std::mt19937_64 random(seed);
  RuleTally ignored;
  std::uint64_t entries = 0;
  double total = -std::numeric_limits<double>::infinity();
  double rows = 0;
  for (const auto& matrix : product.matrices) rows += matrix.rows;
  int descents = 0;
  int leaf_choices = 0;
  bool drawn = true;  // whether the last descent drew lots at all
  for (; descents < most_descents && entries < most_entries && drawn; ++descents) {
    drawn = false;
    std::vector<Task<Value>> tasks;
    for (const auto& matrix : product.matrices) tasks.push_back({matrix, 0});
    double work = -std::numeric_limits<double>::infinity();
    while (!tasks.empty()) {
      Task<Value> task = std::move(tasks.back());
      tasks.pop_back();
      if (task.matrix.rows <= leaf_rows<Value>(options)) {
        work = log2_add(work, task.log2_weight + std::log2(small_leaf_work(task.matrix.rows)));
        continue;
      }
      entries += task.matrix.entries();
      if (entries >= most_entries && descents == 0) {
        // Cut short: w doublings took `rows - left` rows away, so the others will take w * left / (rows -
        // left) more.
        double left = task.matrix.rows;
        for (const auto& other : tasks) left += other.matrix.rows;
        const double gone = std::max(rows - left, 1.0);
        return std::max(task.log2_weight * rows / gone, 0.0);
      }
      auto split = forbert_marx_split(task.matrix, options.rules);
      if (!split) {
        // Where integers overflow the expansion goes on in wider ones; a method's forecast stands in for
        // that.
        const bool quick = ++leaf_choices > most_leaf_choices;
        const LeafJob leaf = make_leaf_job(Block<Value>{std::move(task.matrix), {}}, options, quick);
        work = log2_add(work, task.log2_weight + leaf.log2_work);
        continue;
      }
      work = log2_add(work, task.log2_weight);
      drawn = true;
      Product<Value> half =
          reduced_product((random() & 1) != 0 ? split->first : split->second, options.rules, ignored);
      for (auto& matrix : half.matrices) tasks.push_back({std::move(matrix), task.log2_weight + 1});
    }
    total = log2_add(total, work);
  }
  return std::max(total - std::log2(std::max(descents, 1)), 0.0);
}

template double forecast_expansion(const Product<std::int64_t>&, const ExpansionOptions&, std::uint64_t);
template double forecast_expansion(const Product<mpq_class>&, const ExpansionOptions&, std::uint64_t);
template double forecast_expansion(const Product<ComplexRational>&, const ExpansionOptions&, std::uint64_t);

}  // namespace countpm
