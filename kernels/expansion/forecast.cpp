#include "kernels/expansion/forecast.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>

#include "graph/clock.hpp"
#include "graph/stop_signal.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "matching/forbert_marx.hpp"

namespace countpm {
namespace {

constexpr int most_descents = 64;
constexpr std::uint64_t most_table_entries = 4'000'000;
// After some descents, so many nodes are out of reach by far: 447 rows took 0.6 s to be forecast at 2^160.
constexpr double log2_hopeless_work = 110;
constexpr int descents_where_hopeless = 4;
// The cheapest method is looked for on so many leaves; after them ryser's forecast has to do.
constexpr int most_leaf_choices = 3;
constexpr double leaf_seconds = 0.005;

/// A weighted sum of works and of seconds, as logarithms.
struct Sums {
  double work = -std::numeric_limits<double>::infinity();
  double seconds = -std::numeric_limits<double>::infinity();

  void add(double log2_weight, double log2_work, double log2_seconds) {
    work = log2_sum(work, log2_weight + log2_work);
    seconds = log2_sum(seconds, log2_weight + log2_seconds);
  }
};

template <class Value>
struct Task {
  SparseMatrix<Value> matrix;
  double log2_weight;
};
template <class Value>
class Descents {
 public:
  Descents(const ExpansionOptions& options, std::uint64_t seed, bool timed)
      : options_(options), random_(seed), timed_(timed) {}

  /// One descent; false where it was cut short for looking at too many entries.
  bool descend(const Product<Value>& product) {
    drew_ = false;
    tasks_.clear();
    for (const auto& matrix : product.matrices) tasks_.push_back({matrix, 0});
    while (!tasks_.empty()) {
      if (entries_ >= most_table_entries) return false;
      Task<Value> task = std::move(tasks_.back());
      tasks_.pop_back();
      visit(task);
    }
    return true;
  }

  const Sums& sums() const { return sums_; }
  bool drew_lots() const { return drew_; }
  bool too_many_entries() const { return entries_ >= most_table_entries; }
  /// log2 of the weight where the descent was cut short, and the rows that were left.
  double depth() const { return depth_; }
  double rows_left() const {
    double rows = 0;
    for (const auto& task : tasks_) rows += task.matrix.rows;
    return rows;
  }

 private:
  void visit(Task<Value>& task) {
    check_stop();
    const double start = seconds_now();
    entries_ += task.matrix.entries();
    if (task.matrix.rows <= leaf_rows<Value>(options_)) {
      if (timed_) small_permanent_(task.matrix);
      sums_.add(task.log2_weight, std::log2(small_leaf_work(task.matrix.rows)),
                std::log2(seconds_now() - start + 2e-7));
      return;
    }
    auto split = forbert_marx_split(task.matrix, options_.rules);
    if (!split) {
      // Where integers overflow the expansion goes on in wider ones; a method's forecast stands in for that.
      visit_leaf(std::move(task.matrix), task.log2_weight);
      return;
    }
    drew_ = true;
    const double splitting = seconds_now() - start;
    Product<Value> half =
        reduced_product((random_() & 1) != 0 ? split->first : split->second, options_.rules, ignored_);
    // Both halves will be reduced.
    const double seconds = splitting + 2 * (seconds_now() - start - splitting);
    sums_.add(task.log2_weight, 0, std::log2(seconds + 1e-7));
    depth_ = task.log2_weight + 1;
    for (auto& matrix : half.matrices) tasks_.push_back({std::move(matrix), task.log2_weight + 1});
  }

  void visit_leaf(SparseMatrix<Value>&& matrix, double log2_weight) {
    const bool quick = ++leaf_choices_ > most_leaf_choices;
    const LeafJob leaf = make_leaf_job(Block<Value>{std::move(matrix), {}}, options_, quick);
    if (timed_ && !quick)
      log2_slower_ = std::log2(leaf.job->nominal_rate()) - std::log2(leaf.job->measured_rate(leaf_seconds));
    sums_.add(log2_weight, leaf.log2_work,
              leaf.log2_work - std::log2(nominal_nodes_per_second) + log2_slower_);
  }

  const ExpansionOptions& options_;
  std::mt19937_64 random_;
  bool timed_;
  SmallPermanent small_permanent_;
  RuleTally ignored_;
  std::vector<Task<Value>> tasks_;
  Sums sums_;
  std::uint64_t entries_ = 0;
  int leaf_choices_ = 0;
  double log2_slower_ = 0;  // leaf methods, measured against their nominal rates
  double depth_ = 0;
  bool drew_ = false;
};

}  // namespace

template <class Value>
ExpansionForecast forecast_expansion(const Product<Value>& product, const ExpansionOptions& options,
                                     std::uint64_t seed, std::optional<double> seconds) {
  const double start = seconds_now();
  Descents<Value> descents(options, seed, seconds.has_value());
  int done = 0;
  do {
    if (!descents.descend(product)) {
      if (done > 0) break;  // the sums hold a part of a descent more: within the error of a sample
      double rows = 0;
      for (const auto& matrix : product.matrices) rows += matrix.rows;
      const double work = std::max(descents.depth() * rows / std::max(rows - descents.rows_left(), 1.0), 0.0);
      return {work, work + descents.sums().seconds - descents.sums().work};
    }
    ++done;
    if (done == descents_where_hopeless && descents.sums().work > log2_hopeless_work) break;
  } while (done < most_descents && descents.drew_lots() && !descents.too_many_entries() &&
           (!seconds || seconds_now() - start < *seconds));
  if (!std::isfinite(descents.sums().work))
    return {0, -std::log2(nominal_nodes_per_second)};  // nothing is left to count
  const double log2_done = std::log2(done);
  const double work = std::max(descents.sums().work - log2_done, 0.0);
  return {work, work + descents.sums().seconds - descents.sums().work};
}

template ExpansionForecast forecast_expansion(const Product<std::int64_t>&, const ExpansionOptions&,
                                              std::uint64_t, std::optional<double>);
template ExpansionForecast forecast_expansion(const Product<mpq_class>&, const ExpansionOptions&,
                                              std::uint64_t, std::optional<double>);
template ExpansionForecast forecast_expansion(const Product<ComplexRational>&, const ExpansionOptions&,
                                              std::uint64_t, std::optional<double>);

}  // namespace countpm
