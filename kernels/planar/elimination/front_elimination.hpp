#pragma once
// Sparse elimination of an oriented planar graph's matrix modulo a group of primes.
//
// Multifrontal: fronts in postorder, of which only one is there at a time; what each passes on waits on a
// stack. Pivots are any nonzero entries among the complete rows and columns of a front, which is as good as
// partial pivoting modulo a prime; rows and columns without one go on to the parent, where more is complete.
// Where the determinant is not zero modulo the prime, a front delays at most as many rows (columns) as its
// border has columns (rows), so no prime makes fronts grow without bound, and what is left in a root in the
// end proves that the determinant is zero. O(n^1.5) multiplications a prime, O(n log n) memory.
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "kernels/planar/elimination/front_matrix.hpp"
#include "kernels/planar/elimination/front_tree.hpp"
#include "kernels/planar/elimination/lane_values.hpp"
#include "kernels/planar/elimination/lane_words.hpp"
#include "kernels/planar/elimination/time_limit.hpp"
#include "kernels/planar/orientation/signed_matrix.hpp"

namespace countpm::planar {

/// Of bipartite graphs, of each row the column of its pivot; else the vertices of the pivots, two by two in
/// their order. 0 where there is no pivot (yet).
std::vector<Index> image_of(const Pivots& pivots, const BlockGraph& graph);
/// The determinant's (Pfaffian's) residues, from the pivots of all fronts.
std::vector<std::uint64_t> residues_of(Pivots pivots, const BlockGraph& graph, const LaneArithmetic& lanes);

class FrontElimination {
 public:
  /// Called with every front, its number in the tree, after its elimination: `matrix` as eliminate_front()
  /// leaves it, with so many vertices' pivots.
  using Seen = std::function<void(std::size_t front, const FrontMatrix& matrix, std::size_t done)>;

  /// All of them outlive the elimination. `most_missing`: a root in which no more rows than that are left
  /// without a pivot, and as many columns, gets ones for them on its diagonal (of a skew one, on that of its
  /// pairs): the determinant is that of the matrix so mended, and missing() says how many rows were mended.
  FrontElimination(const SignedMatrix& matrix, const FrontTree& tree, const LaneArithmetic& lanes,
                   const StopSignal& stop, std::size_t most_missing = 0);
  /// With the matrix's values, where they are there already.
  FrontElimination(const SignedMatrix& matrix, const FrontTree& tree, const LaneArithmetic& lanes,
                   std::shared_ptr<const LaneValues> values, const StopSignal& stop,
                   std::size_t most_missing = 0);

  /// What a front passes on.
  struct PassedOn {
    std::vector<Index> rows;
    std::vector<Index> columns;
    std::size_t late_rows = 0;  // the first ones: complete, but without a pivot
    std::size_t late_columns = 0;
    // Its matrix, rows dense, where another elimination has passed it on; else it is on the stack.
    const std::uint64_t* words = nullptr;
  };
  /// What some fronts have passed on and none of them has taken, in their order.
  struct Remainder {
    std::vector<PassedOn> blocks;
    LaneWords words;
  };

  /// False: the rank is smaller than that of a matrix with most_missing rows too few, modulo all primes of
  /// the group. Throws PivotsDiffer, Stopped. With a time limit: stops there.
  bool run(TimeLimit* limit = nullptr, const Seen& seen = {});
  /// Of fronts first .. last - 1 alone, which take all of `taken`, what those before them have passed on; its
  /// words stay where they are until then. What they leave, in its turn, is for others: remainder().
  bool run_part(std::size_t first, std::size_t last, std::vector<PassedOn> taken, const Seen& seen);
  Remainder remainder();
  /// The determinant's (Pfaffian's) residues. Precondition: run() was true and not cut short; once.
  std::vector<std::uint64_t> result() { return residues_of(std::move(pivots_), graph_, lanes_); }
  std::size_t missing() const { return missing_; }
  /// So far: where the last front is left open by run(), without its border's.
  const Pivots& pivots() const { return pivots_; }
  /// The element of an edge's matrix entry at (a, b).
  const std::uint64_t* entry(Index edge) const;

 private:
  bool take(std::size_t front, const Seen& seen);
  std::size_t eliminate(const Front& front);
  void lay_out(const Front& front);
  std::size_t width_of_front() const;
  void append_sides(const std::vector<Index>& vertices);
  void number(const std::vector<Index>& vertices);
  void assemble(const Front& front);
  bool pass_on(const Front& front, std::size_t done);
  std::size_t words_of(const PassedOn& block) const;
  std::size_t mended(const Front& front, std::size_t done);

  const SignedMatrix& matrix_;
  const BlockGraph& graph_;
  const FrontTree& tree_;
  const LaneArithmetic& lanes_;
  const StopSignal& stop_;
  std::size_t most_missing_;
  std::size_t missing_ = 0;
  std::shared_ptr<const LaneValues> values_;
  FrontMatrix front_;
  LaneWords front_words_;
  std::vector<PassedOn> stack_;
  LaneWords stack_words_;
  std::size_t used_ = 0;         // words on the stack
  std::vector<Index> place_;     // of each vertex of the current front, in its rows or columns
  std::vector<Index> map_rows_;  // of a child's rows in the front
  std::vector<Index> map_columns_;
  Pivots pivots_;
};

}  // namespace countpm::planar
