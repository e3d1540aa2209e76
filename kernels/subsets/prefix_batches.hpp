#pragma once
// What the Gray-code jobs on GPUs share on the host: the walk over a plan's inner columns, and the prefixes
// of a range of units that it starts from.
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/subsets/gpu/tuning.hpp"
#include "kernels/subsets/gpu/walker.hpp"
#include "kernels/subsets/prefixes.hpp"

namespace countpm::gray {

/// Over the first `walked` inner columns.
inline Walk<std::int64_t> walk_over(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                                    unsigned walked) {
  Walk<std::int64_t> walk;
  walk.rows = columns.rows;
  walk.columns = walked;
  for (unsigned c = 0; c < walked; ++c) {
    std::vector<std::int64_t> delta(columns.rows, 0);
    add_column(delta, columns, plan.form, plan.inner[c], 1);
    walk.deltas.insert(walk.deltas.end(), delta.begin(), delta.end());
  }
  return walk;
}

/// Gathers prefixes, and calls take(them) as often as there are most_prefixes.
template <class Value, class Take>
class PrefixBatch {
 public:
  explicit PrefixBatch(const Take& take) : take_(take) {}

  void add(const std::vector<Value>& start, bool minus) {
    prefixes_.starts.insert(prefixes_.starts.end(), start.begin(), start.end());
    prefixes_.minuses.push_back(minus ? 1 : 0);
    if (prefixes_.size() >= most_prefixes) flush();
  }
  /// Those that are left.
  void flush() {
    if (prefixes_.size() > 0) take_(std::exchange(prefixes_, {}));
  }

 private:
  const Take& take_;
  Prefixes<Value> prefixes_;
};

/// Calls take(prefixes) for the prefixes of units first .. last - 1, at most most_prefixes at a time: one for
/// every subset of the inner columns that are not walked over. Precondition: no multiplicities.
template <class Take>
void for_each_batch(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan, unsigned walked,
                    std::uint64_t first, std::uint64_t last, const Take& take) {
  const auto chosen = static_cast<unsigned>(plan.inner.size()) - walked;
  PrefixBatch<std::int64_t, Take> batch(take);
  for (std::uint64_t unit = first; unit < last; ++unit) {
    for_each_prefix(columns, plan, unit,
                    [&](const std::vector<std::int64_t>& start, const mpz_class& weight) {
                      batch.add(start, weight < 0);  // +1 or -1
                      for (std::uint64_t choice = 1; choice < std::uint64_t{1} << chosen; ++choice) {
                        std::vector<std::int64_t> sums = start;
                        bool minus = weight < 0;
                        for (unsigned c = 0; c < chosen; ++c) {
                          if ((choice >> c & 1) == 0) continue;
                          add_column(sums, columns, plan.form, plan.inner[walked + c], 1);
                          minus = !minus;
                        }
                        batch.add(sums, minus);
                      }
                      return true;
                    });
  }
  batch.flush();
}

}  // namespace countpm::gray
