#include "kernels/oracle/definition_general.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <span>
#include <utility>

#include "kernels/arithmetic/log2_sum.hpp"
#include "kernels/oracle/term_walk.hpp"

namespace countpm {
namespace {

// Enough for many threads. They depend on integers alone, and so are the same on machines that share a count.
constexpr std::size_t most_general_units = 256;
constexpr Index least_free_edges = 4;   // a unit is worth its conversion of the entries
constexpr Index most_fixed_edges = 48;  // where vertices have no choice, prefixes would grow for nothing

/// The walk over partial matchings, on the pattern alone: which entry each decision has taken. A loop is an
/// entry like others: a vertex that is its own partner. An entry at a tile takes all vertices of the tile.
class Walk {
 public:
  Walk(const SparsePattern& graph, Index tiles)
      : graph_(graph), vertices_(graph.rows - tiles), used_(graph.rows, false) {}

  std::size_t depth() const { return taken_.size(); }
  bool complete() const { return first_ == vertices_; }
  const std::vector<std::uint64_t>& taken() const { return taken_; }

  /// The first free vertex takes the neighbour at `entry`.
  void take(std::uint64_t entry) {
    vertex_.push_back(first_);
    taken_.push_back(entry);
    set_used(entry, true);
    while (first_ < vertices_ && used_[first_]) ++first_;
  }
  /// Takes the last decision back and returns its entry.
  std::uint64_t give_back() {
    const std::uint64_t entry = taken_.back();
    first_ = vertex_.back();
    set_used(entry, false);
    vertex_.pop_back();
    taken_.pop_back();
    return entry;
  }
  /// The first entry of the first free vertex from `entry` on whose neighbour is free; past its end if none.
  std::uint64_t next(std::uint64_t entry) const {
    while (entry < end() && !is_free(graph_.column[entry])) ++entry;
    return entry;
  }
  std::uint64_t begin() const { return graph_.row_start[first_]; }
  std::uint64_t end() const { return graph_.row_start[first_ + std::uint64_t{1}]; }

 private:
  std::span<const Index> members_of(Index tile) const {
    return std::span(graph_.column).subspan(graph_.row_start[tile], graph_.row_degree(tile));
  }
  bool is_free(Index column) const {
    if (column < vertices_) return !used_[column];
    const std::span<const Index> members = members_of(column);
    return std::none_of(members.begin(), members.end(), [&](Index v) { return used_[v]; });
  }
  void set_used(std::uint64_t entry, bool used) {
    const Index column = graph_.column[entry];
    used_[first_] = used_[column] = used;
    if (column < vertices_) return;
    for (const Index v : members_of(column)) used_[v] = used;
  }

  const SparsePattern& graph_;
  Index vertices_;  // the others are tiles
  std::vector<bool> used_;
  Index first_ = 0;  // the first free vertex
  std::vector<Index> vertex_;
  std::vector<std::uint64_t> taken_;
};

class GeneralDefinitionJob : public TermWalkJob<GeneralDefinitionJob> {
 public:
  GeneralDefinitionJob(AnyBlock block, Arithmetic arithmetic)
      : TermWalkJob(std::move(block), std::move(arithmetic)) {
    forecast();
  }

  std::uint64_t units() const override { return std::max<std::size_t>(prefixes().size(), 1); }
  double log2_work() const override { return log2_work_; }
  /// Predicted without the units, where there is work for some.
  double speed_up(int threads) const override {
    constexpr double log2_work_of_many_units = 20;
    return log2_work_ < log2_work_of_many_units ? TermWalkJob::speed_up(threads) : std::max(threads, 1);
  }

  double nominal_rate() const override {
    // Partial matchings a second on one core: estimates, not calibrated; measured_rate() is what plans use
    // where it matters.
    return nominal_rate_of(arithmetic(), {6e7, 3e7, 8e6});
  }

 private:
  friend class TermWalkJob<GeneralDefinitionJob>;

  bool monomers() const { return has_monomers(block()); }
  Index factors() const { return monomers() ? pattern().rows : pattern().rows / 2; }

  /// All partial matchings of the depth that most_general_units allows, in lexicographic order; none where
  /// no matching is perfect. Made when a unit is first asked for: most plans choose another method, and of
  /// king 6 x 6 they were half of all planning (2026-11-30).
  const std::vector<std::vector<std::uint64_t>>& prefixes() const {
    std::call_once(made_, [this] { prefixes_ = made_prefixes(); });
    return prefixes_;
  }
  std::vector<std::vector<std::uint64_t>> made_prefixes() const {
    std::vector<std::vector<std::uint64_t>> prefixes;
    if (pattern().rows % 2 != 0 && !monomers()) return prefixes;
    prefixes.emplace_back();
    for (Index depth = 0; depth < most_fixed_edges && depth + least_free_edges < pattern().rows / 2;
         ++depth) {
      std::vector<std::vector<std::uint64_t>> longer;
      for (const auto& prefix : prefixes) {
        Walk walk(pattern(), tiles_of(block()));
        for (const std::uint64_t entry : prefix) walk.take(entry);
        if (walk.complete()) return prefixes;
        for (std::uint64_t k = walk.next(walk.begin()); k < walk.end(); k = walk.next(k + 1)) {
          longer.push_back(prefix);
          longer.back().push_back(k);
        }
        if (longer.size() > most_general_units) return prefixes;
      }
      prefixes = std::move(longer);
    }
    return prefixes;
  }

  // With k edges chosen, n - 2k vertices are free, and a vertex of degree d has d (n - 2k - 1) / (n - 1) free
  // neighbours on average. With monomers: of all matchings, a bound on their number.
  void forecast() {
    const Index n = pattern().rows;
    if (monomers()) {
      log2_work_ = 1;
      for (Index v = 0; v < n - tiles_of(block()); ++v)
        log2_work_ += std::log2(std::max<double>(pattern().row_degree(v), 1)) / 2;
      return;
    }
    double log2_degree = 0;
    for (Index v = 0; v < n; ++v) log2_degree += std::log2(std::max<double>(pattern().row_degree(v), 1)) / n;
    double product = 0;
    for (Index k = 0; 2 * k < n; ++k) {
      product +=
          log2_degree + std::log2(static_cast<double>(n - 2 * k - 1) / std::max<double>(n - 1, 1) + 1e-9);
      log2_work_ = k == 0 ? product : log2_sum(log2_work_, product);
    }
  }

  /// Adds the terms that begin with the unit's prefix. False where the meter called time.
  template <Ring R>
  bool walk(std::uint64_t unit, const std::vector<typename R::Element>& values, RunningSum<R>& sum,
            WorkMeter& meter) const {
    if (prefixes().empty()) return true;
    const std::vector<std::uint64_t>& prefix = prefixes()[unit];
    Walk at(pattern(), tiles_of(block()));
    std::vector<Term<R>> product{sum.start()};  // product[k]: of the first k edges chosen
    product.reserve(factors() + std::size_t{1});
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

  mutable std::once_flag made_;
  mutable std::vector<std::vector<std::uint64_t>> prefixes_;  // entries taken; prefixes() makes them
  double log2_work_ = 0;
};

}  // namespace

std::unique_ptr<Job> make_general_definition_job(const AnyBlock& block, const Arithmetic& arithmetic) {
  return std::make_unique<GeneralDefinitionJob>(block, arithmetic);
}

}  // namespace countpm
