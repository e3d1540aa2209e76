#include "kernels/exact/definition_general.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/arithmetic/dispatch.hpp"
#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/arithmetic/ring_values.hpp"
#include "kernels/exact/work_meter.hpp"

namespace countpm {
namespace {

constexpr std::size_t most_units = 4096;
constexpr Index least_free_edges = 4;   // a unit is worth its conversion of the entries
constexpr Index most_fixed_edges = 48;  // where vertices have no choice, prefixes would grow for nothing

/// The walk over partial matchings, on the pattern alone: which entry each decision has taken.
class Walk {
 public:
  explicit Walk(const SparsePattern& graph) : graph_(graph), used_(graph.rows, false) {}

  std::size_t depth() const { return taken_.size(); }
  bool complete() const { return 2 * taken_.size() == graph_.rows; }
  const std::vector<std::uint64_t>& taken() const { return taken_; }

  /// The first free vertex takes the neighbour at `entry`.
  void take(std::uint64_t entry) {
    vertex_.push_back(first_);
    taken_.push_back(entry);
    used_[first_] = used_[graph_.column[entry]] = true;
    while (first_ < graph_.rows && used_[first_]) ++first_;
  }
  /// Takes the last decision back and returns its entry.
  std::uint64_t give_back() {
    const std::uint64_t entry = taken_.back();
    first_ = vertex_.back();
    used_[first_] = used_[graph_.column[entry]] = false;
    vertex_.pop_back();
    taken_.pop_back();
    return entry;
  }
  /// The first entry of the first free vertex from `entry` on whose neighbour is free; past its end if none.
  std::uint64_t next(std::uint64_t entry) const {
    while (entry < end() && used_[graph_.column[entry]]) ++entry;
    return entry;
  }
  std::uint64_t begin() const { return graph_.row_start[first_]; }
  std::uint64_t end() const { return graph_.row_start[first_ + std::uint64_t{1}]; }

 private:
  const SparsePattern& graph_;
  std::vector<bool> used_;
  Index first_ = 0;  // the first free vertex
  std::vector<Index> vertex_;
  std::vector<std::uint64_t> taken_;
};

class GeneralDefinitionJob : public Job {
 public:
  GeneralDefinitionJob(AnyBlock block, Arithmetic arithmetic)
      : block_(std::move(block)), arithmetic_(std::move(arithmetic)) {
    make_units();
    forecast();
  }

  std::uint64_t units() const override { return std::max<std::size_t>(prefixes_.size(), 1); }
  double log2_work() const override { return log2_work_; }

  Partial run(std::uint64_t unit, const StopSignal& stop) const override {
    return sum_in_rings(arithmetic_, is_complex(block_), [&](const auto& ring, auto& sum) {
      const auto values = ring_values(ring, block_);
      WorkMeter meter(stop);
      prepare(sum, values.exponent);
      if (!prefixes_.empty()) walk(prefixes_[unit], values.value, sum, meter);
    });
  }

  double nominal_rate() const override {
    // Partial matchings a second on one core: estimates, not calibrated; measured_rate() is what plans use
    // where it matters.
    if (arithmetic_.kind == Arithmetic::Kind::residues)
      return 6e7 / static_cast<double>(std::max<std::size_t>(arithmetic_.moduli.size(), 1));
    return arithmetic_.precision == Precision::mpfr ? 8e6 : 3e7;
  }

  double measured_rate(double seconds) const override {
    const StopSignal never;
    WorkMeter meter(never, seconds);
    sum_in_rings(arithmetic_, is_complex(block_), [&](const auto& ring, auto& sum) {
      const auto values = ring_values(ring, block_);
      prepare(sum, values.exponent);
      do {
        for (const auto& prefix : prefixes_) {
          if (!walk(prefix, values.value, sum, meter)) break;
        }
      } while (meter.done() != 0 && meter.look());
    });
    if (meter.done() == 0) return nominal_rate();
    const double passes =
        arithmetic_.kind == Arithmetic::Kind::residues ? static_cast<double>(arithmetic_.moduli.size()) : 1;
    return std::max(static_cast<double>(meter.done()) / meter.elapsed_seconds() / std::max(passes, 1.0), 1.0);
  }

  std::uint64_t bytes_per_thread() const override {
    const std::uint64_t element =
        64 + (arithmetic_.kind == Arithmetic::Kind::floating ? 2 * arithmetic_.bits / 8 : 0);
    return 4096 + element * (std::uint64_t{graph().rows} * 2 + graph().entries());
  }

 private:
  const SparsePattern& graph() const {
    return std::visit([](const auto& block) -> const SparsePattern& { return block.matrix; }, block_);
  }

  template <class Sum>
  void prepare(Sum& sum, std::int64_t exponent) const {
    sum.expect_entries(graph().rows / 2);
    sum.scale(exponent);
  }

  /// All partial matchings of the depth that most_units allows, in lexicographic order.
  void make_units() {
    if (graph().rows % 2 != 0) return;
    prefixes_.emplace_back();
    for (Index depth = 0; depth < most_fixed_edges && depth + least_free_edges < graph().rows / 2; ++depth) {
      std::vector<std::vector<std::uint64_t>> longer;
      for (const auto& prefix : prefixes_) {
        Walk walk(graph());
        for (const std::uint64_t entry : prefix) walk.take(entry);
        for (std::uint64_t k = walk.next(walk.begin()); k < walk.end(); k = walk.next(k + 1)) {
          longer.push_back(prefix);
          longer.back().push_back(k);
        }
        if (longer.size() > most_units) return;
      }
      prefixes_ = std::move(longer);
    }
  }

  // With k edges chosen, n - 2k vertices are free, and a vertex of degree d has d (n - 2k - 1) / (n - 1) free
  // neighbours on average.
  void forecast() {
    const Index n = graph().rows;
    double log2_degree = 0;
    for (Index v = 0; v < n; ++v) log2_degree += std::log2(std::max<double>(graph().row_degree(v), 1)) / n;
    double product = 0;
    for (Index k = 0; 2 * k < n; ++k) {
      product +=
          log2_degree + std::log2(static_cast<double>(n - 2 * k - 1) / std::max<double>(n - 1, 1) + 1e-9);
      log2_work_ = k == 0 ? product : log2_sum(log2_work_, product);
    }
  }

  /// Adds the terms that begin with the prefix. False where the meter called time.
  template <Ring R>
  bool walk(const std::vector<std::uint64_t>& prefix, const std::vector<typename R::Element>& values,
            RunningSum<R>& sum, WorkMeter& meter) const {
    Walk at(graph());
    std::vector<Term<R>> product{sum.start()};  // product[k]: of the first k edges chosen
    product.reserve(graph().rows / 2 + std::size_t{1});
    const auto take = [&](std::uint64_t entry) {
      product.push_back(product.back());
      sum.times(product.back(), values[entry]);
      at.take(entry);
    };
    for (const std::uint64_t entry : prefix) take(entry);
    std::uint64_t next = at.complete() ? 0 : at.begin();
    while (true) {
      if (at.complete()) {
        sum.add(product.back());
      } else if (next = at.next(next); next < at.end()) {
        if (meter.spend(1) && !meter.look()) return false;
        take(next);
        if (!at.complete()) next = at.begin();
        continue;
      }
      if (at.depth() == prefix.size()) return true;
      next = at.give_back() + 1;
      product.pop_back();
    }
  }

  AnyBlock block_;
  Arithmetic arithmetic_;
  std::vector<std::vector<std::uint64_t>> prefixes_;  // entries taken; empty: no matching is perfect
  double log2_work_ = 0;
};

}  // namespace

std::unique_ptr<Job> make_general_definition_job(const AnyBlock& block, const Arithmetic& arithmetic) {
  return std::make_unique<GeneralDefinitionJob>(block, arithmetic);
}

}  // namespace countpm
