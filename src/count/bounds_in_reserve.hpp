#pragma once
// What is certain of a count while it is on its way, so that it can be told at once where a limit is met:
// bounds of every block that the reductions left, and the counts of those that are done.
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "kernels/estimate/bounds/certified_bounds.hpp"
#include "src/count/bounded_product.hpp"
#include "src/count/bounded_result.hpp"
#include "src/count/planned_count.hpp"
#include "src/plan/planned_block.hpp"
#include "src/units/ledger.hpp"

namespace countpm {

class BoundsInReserve {
 public:
  /// Once the blocks are there: bounds from sums of rows, which are there at once, and, where that takes a
  /// quarter of a second and a tenth of the seconds left at most, better ones. Throws UnableError for
  /// negative and complex weights.
  void take(const ReducedCount& count, double seconds_left);
  /// Whether there is anything to tell.
  bool ready() const { return ready_; }

  /// Before the units run: better bounds, for a tenth of the time that the count is predicted to take, or
  /// has left, where that is less, and some milliseconds at least. Those that are farthest apart first.
  void improve(const std::vector<PlannedBlock>& planned, int threads, double seconds_left);
  /// Where the plans are beyond the limits: counts the blocks predicted to take a second at most (in half of
  /// the time left), and makes the bounds of the others as good as they get. Returns where the time limit
  /// ends that; throws InterruptedError.
  void make_the_best(const std::vector<PlannedBlock>& planned, const Resources& resources,
                     const CountOptions& options, Monitor& monitor);
  /// The counts of blocks whose ledgers hold all their units; ledgers: of every plan in turn. Throws
  /// CheckError where one is not within its bounds.
  void keep_finished(const std::vector<PlannedBlock>& planned, const std::vector<Ledger*>& ledgers);

  /// Precondition: ready().
  BoundedCount result(std::string reason, double seconds) const;

 private:
  struct Piece {
    AnyBlock block;
    CertifiedBounds bounds;
    bool improved = false;
    std::optional<Number> count;
    std::string method;
  };
  void improve_pieces(int threads, double seconds);
  void keep(Piece& piece, const BlockPlan& plan, const Ledger& ledger) const;

  bool ready_ = false;
  InputSummary summary_;
  WeightKind weight_kind_ = WeightKind::none;
  std::vector<std::string> notes_;
  BoundedProduct factor_;
  std::vector<Piece> pieces_;  // of all blocks in turn, as the plans are
};

}  // namespace countpm
