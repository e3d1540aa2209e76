#pragma once
// A PruneTree laid out for the lanes of pruned/simd.hpp, in the widest instruction set that the processor
// has.
#include <gmpxx.h>

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/pruned/prefix_walk.hpp"
#include "kernels/pruned/simd.hpp"
#include "kernels/support/aligned_memory.hpp"
#include "kernels/support/instruction_sets.hpp"
#include "kernels/support/own_pages.hpp"
#include "kernels/support/work_meter.hpp"

namespace countpm {

/// least <= sum <= most.
struct SumRange {
  std::int64_t least;
  std::int64_t most;
};

/// Immutable once made: any number of threads may walk at once.
class PackedWalk {
 public:
  /// What a walk uses up and sums up.
  struct Tally {
    mpz_class sum;             // exact, or modulo 2^(64 limbs)
    std::uint64_t leaves = 0;  // products
  };

  /// Where a walk's nodes wait: of one walk at a time. Whoever walks below many prefixes has one for all of
  /// them.
  struct Workspace {
    OwnPages nodes;
    std::vector<std::uint32_t> count;
    std::vector<std::uint32_t> leaves;
  };

  /// limbs: 1 or 2 where the sum is wanted modulo 2^64 or 2^128 only; 0: exact. Empty where the row sums are
  /// too wide for lanes of 16 bits, or too many, or `choice` is scalar or not supported.
  static std::optional<PackedWalk> make(const IntegerColumns<std::int64_t>& columns,
                                        const PruneTree<std::int64_t>& tree, unsigned limbs,
                                        LaneChoice choice);

  Workspace workspace() const;
  /// Adds the sum over everything below `prefix` (its own weight not included) to tally; the visits go to the
  /// meter. False where its time was up. workspace: as workspace() makes it.
  bool run(const Prefix<std::int64_t>& prefix, Workspace& workspace, WorkMeter& meter, Tally& tally) const;

  const char* variant_name() const { return variant_.name; }
  unsigned lane_bytes() const { return lane_bytes_; }
  unsigned blocks() const { return blocks_; }
  unsigned limbs() const { return limbs_; }
  /// What a visit takes on one core, with so many products below it: about one where most prefixes are
  /// pruned, half of the tail's 2^9 where none is.
  double visit_seconds(double products) const;
  std::uint64_t bytes_per_thread() const;
  std::uint64_t bytes_shared() const { return mask_bytes_; }

 private:
  bool halves_fit(const std::vector<std::int64_t>& largest) const;
  void place_rows(const std::vector<std::int64_t>& largest);
  void set_lane(unsigned char* block, std::size_t lane, std::int64_t value) const;
  pruned::TailRow lay_out_masks(const PruneTree<std::int64_t>& tree,
                                const PruneTree<std::int64_t>::Level& level, Index i, const SumRange& range,
                                std::vector<TailSet>& masks) const;
  void lay_out(const PruneTree<std::int64_t>& tree);
  std::size_t nodes() const { return (levels_.size() + 1) * room_; }
  /// Row sums, a set of the tail and a weight.
  std::size_t node_bytes() const { return vector_bytes() + sizeof(TailSet) + sizeof(std::int64_t); }
  std::size_t vector_bytes() const { return std::size_t{blocks_} * pruned::block_bytes; }

  pruned::Variant variant_{};
  unsigned lane_bytes_ = 1;
  unsigned blocks_ = 1;
  unsigned limbs_ = 1;
  std::size_t rows_ = 0;
  unsigned folds_ = 0;
  bool grouped_ = false;
  unsigned room_ = 64;
  std::uint64_t slice_ = 1;
  std::vector<std::size_t> lane_;  // of each row
  AlignedPointer<unsigned char> vectors_;
  AlignedPointer<unsigned char> masks_;
  std::size_t mask_bytes_ = 0;
  std::vector<std::vector<std::int64_t>> ways_;
  std::vector<pruned::Level> levels_;
  std::vector<pruned::TailRow> tail_rows_;
  pruned::Tree tree_{};
};

}  // namespace countpm
