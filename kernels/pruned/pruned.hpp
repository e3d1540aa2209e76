#pragma once
// The method "pruned": inclusion-exclusion with a free integer shift, walked as a tree that is pruned where a
// complete row sum is zero (pruned/tree.hpp).
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/method.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm {

const Method& pruned_method();

/// What tests and benchmarks may prescribe; what is empty is searched for.
struct PrunedChoice {
  LaneChoice lanes = LaneChoice::automatic;
  bool either_side = true;          // nothing prescribed: the cheaper of A and its transpose
  bool transposed = false;          // with a prescribed order or shift: of which side they are
  std::vector<Index> order;         // of all columns
  std::vector<std::int64_t> shift;  // one a row
  unsigned most_tail_columns = 9;
  unsigned most_device_tail_columns = 11;
  std::optional<std::string> plan;  // of another job: all of its tree and units; the above does not matter
  unsigned threads = 1;             // that search, and chains of the search
  std::uint32_t device_budget = 0;  // as DeviceItems::budget; 0: pruned_tuning's
};

/// What a pruned job has beside what every job has.
class PrunedJob : public Job {
 public:
  struct Profile {
    double visits = 0;  // prefixes looked at
    double leaves = 0;  // products
  };
  /// Of units first .. last - 1, run on this thread, and of listing all prefixes.
  virtual Profile measure(std::uint64_t first, std::uint64_t last) const = 0;
  /// As forecast.
  virtual Profile forecast() const = 0;
  virtual bool transposed() const = 0;
  /// "avx512, 8-bit lanes", ..., "whole numbers".
  virtual std::string path() const = 0;
};

/// Precondition: pruned_method() has no obstacle.
std::unique_ptr<PrunedJob> make_pruned_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                           std::uint64_t seed, const PrunedChoice& choice);

}  // namespace countpm
