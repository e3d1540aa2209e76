#pragma once
// What `codegen` generates code for: one block's Gray-code walk as a list of small steps, with every row sum
// at a place of its own. The interpreter runs it on the CPU, source.hpp writes it out as CUDA.
//
//   sum over subsets S of the walked and the chosen columns of (-1)^|S| prod_i (start_i + sum_{j in S}
//   delta_ij)
//
// PureReg keeps all row sums in registers. Hybrid keeps there what the most often flipped columns touch; the
// others are in global memory, and their product is computed anew only where a column that touches them
// flips. In both forms the first few columns may be unrolled, all their states at once: with D these
// columns and T the rows that they touch,
//
//   sum_{S in D} (-1)^|S| prod_i x_i(S) = (sum_{S in D} (-1)^|S| prod_{i in T} x_i(S)) prod_{i not in T} x_i
//
// where the sum on the right is taken column by column: rows of one pattern over D have one product a state
// of that pattern, and fit into 32 or 64 bits.
//
// D. Elbek, K. Kaya, Fully-automated code generation for efficient computation of sparse matrix permanents on
// GPUs, arXiv:2501.15126 (2025), for both forms, the ordering and the score; unrolling columns and
// exact limbs are ours.
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "kernels/settings.hpp"
#include "kernels/subsets/integer_columns.hpp"
#include "kernels/subsets/subset_plan.hpp"

namespace countpm::codegen {

enum class Form { pure_registers, hybrid };

/// A row sum's change where a column comes in. `row` is a place, not the block's row.
struct RowAdd {
  unsigned row = 0;
  std::int32_t delta = 0;
};

/// Factors whose product is below 2^31 in magnitude.
using Group = std::vector<unsigned>;

/// Launch parameters, as source text has them.
struct LaunchShape {
  unsigned threads = 256;  // of a block
  unsigned blocks_per_multiprocessor = 1;
  unsigned registers = 0;  // a thread, as estimated
};
/// As many threads as so many registers each allow, in blocks of one of these sizes, given in rising order;
/// of equals the largest. block: so many threads a block, whatever they have.
LaunchShape launch_shape_for(unsigned registers, std::initializer_list<unsigned> block_sizes,
                             unsigned block = 0);

struct Program {
  Form form = Form::pure_registers;
  unsigned ratio = 4;                 // as in Wishes
  unsigned block = 0;                 // as in Wishes
  unsigned rows = 0;                  // places 0 .. rows - 1
  unsigned registers = 0;             // places below are registers, the others global memory
  std::vector<Index> row_of;          // by place: the block's row
  std::vector<std::int32_t> bound;    // by place: >= 1, of the sum's magnitude wherever the walk goes
  std::vector<std::int32_t> divisor;  // by place: 2 where starts and deltas are all even, and halved; else 1
  /// Column 0 flips most often; columns 0 .. walked - 1 are walked over, the others chosen by an item's bits.
  std::vector<std::vector<RowAdd>> columns;
  unsigned walked = 0;
  std::vector<std::vector<RowAdd>> unrolled;  // the columns that are unrolled: at most most_unrolled
  std::vector<unsigned> unrolled_rows;        // the rows that they touch, all in registers
  std::vector<Group> register_groups;         // the other register rows
  std::vector<Group> global_groups;           // the global rows
  unsigned limbs = 1;                         // of 32 bits: the sum is exact modulo 2^(32 limbs)
  unsigned halvings = 0;  // the walk's sum times 2^halvings is the sum over the block's rows

  unsigned chosen() const { return static_cast<unsigned>(columns.size()) - walked; }
  bool touches_global(const std::vector<RowAdd>& column) const;
  /// What the unrolled columns' sum and its parts never exceed in magnitude: below 2^63.
  std::int64_t unrolled_bound() const;
  /// Limbs of that sum: 0, 1 or 2.
  unsigned unrolled_limbs() const;
  /// Terms of a step, and of an item: log2.
  unsigned log2_step_terms() const { return static_cast<unsigned>(unrolled.size()); }
  unsigned log2_item_terms() const { return walked + log2_step_terms(); }
  LaunchShape launch_shape() const;
  /// For `explain`: "PureReg, 40 of 40 row sums in registers, 2 columns unrolled, 6 limbs".
  std::string describe() const;
};

/// More states than 2^3 would only add code.
inline constexpr unsigned most_unrolled = 3;
/// The largest of a 32-bit product.
inline constexpr std::int64_t largest_group = (std::int64_t{1} << 31) - 1;

/// First fit by falling bound: as few groups as that finds. O(places^2).
std::vector<Group> grouped(std::vector<unsigned> places, const std::vector<std::int32_t>& bound);

/// By pattern m = 1 .. 2^unrolled - 1: the unrolled rows that just the columns of m touch. [0] is empty.
std::vector<std::vector<unsigned>> unrolled_classes(const Program& program);

/// What settings ask for, of programs of either kind.
struct Wishes {
  std::optional<Form> form;
  unsigned ratio = 4;   // GRratio: a global access in the time of register accesses; not measured
  unsigned block = 0;   // threads; 0: as many as the registers allow
  bool ordered = true;  // by permanent_order()
};
Wishes wishes_of(const Settings& settings);

/// What tests and benchmarks force beside. Hybrid: register_columns of the most often flipped columns keep
/// their rows in registers; by the score where empty.
struct Overrides : Wishes {
  std::optional<unsigned> unrolled = {};  // fewer where their sum does not fit
  std::optional<unsigned> register_columns = {};
};

/// Row sums beyond this have no place in 32 bits once they are doubled.
inline constexpr std::int64_t largest_bound = (std::int64_t{1} << 30) - 1;
/// Whether all row sums are within.
bool in_bounds(const IntegerColumns<std::int64_t>& columns);

/// Permanent ordering: column after column the one that adds fewest rows to those touched so far, then the
/// one of fewest entries. O(columns^2 + columns * entries).
std::vector<Index> permanent_order(const IntegerColumns<std::int64_t>& columns);

/// Instructions of a step on a GPU, as counted in what NVRTC makes of the text
/// (docs/internals/performance.md): a flip of average length, the products, the addition to the total, the
/// loop.
double step_instructions(const Program& program);

/// The program of the plan's inner columns. Precondition: in_bounds. modulus_bits: the sum is wanted modulo
/// 2^modulus_bits only; 0: exactly.
Program make_program(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                     unsigned modulus_bits, const Overrides& wishes = {});

/// Row sums in the block's order into the program's places, halved where it says so.
std::vector<std::int32_t> placed(const Program& program, const std::vector<std::int64_t>& sums);

/// Limbs that hold every number of magnitude up to the product of the rows' bounds.
unsigned limbs_for(const Program& program, const std::vector<Group>& groups);

}  // namespace countpm::codegen
