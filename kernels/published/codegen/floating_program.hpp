#pragma once
// What `codegen` generates code for in floating point: published/codegen/program.hpp's walk with every row
// sum a double, or a double-double, of its own, or two of them: a complex number's parts.
//
// Places are in the order in which the columns first touch them, so that the products can be kept that a flip
// leaves alone, as sparyser keeps suffix products: level l is the rows that no column before Level::column
// touches, and
//
//   product_l = product_{l+1} prod_{i in level l} x_i
//
// is made again where that column or a later one has flipped, that is, in one step of 2^column. What the
// multiplications are bounded by is kept beside it (published/codegen/product.hpp).
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kernels/arithmetic/complex_number.hpp"
#include "kernels/arithmetic/double_double.hpp"
#include "kernels/published/codegen/program.hpp"
#include "kernels/subsets/gpu/walker.hpp"

namespace countpm::codegen {

enum class FloatingKind { doubles, pairs };

/// A row sum's change where a column comes in, or that of one part of it: an entry has none for a part that
/// is 0. `row` is a place, not the walk's row. low: 0 in doubles.
struct FloatingAdd {
  unsigned row = 0;
  DoubleDouble delta;
  bool imaginary = false;
};

/// Places begin .. end - 1: none of the columns 0 .. column - 1 touches them.
struct Level {
  unsigned column = 0;
  unsigned begin = 0;
  unsigned end = 0;
};

/// What tests and benchmarks force beside. Of Hybrid: register_columns of the most often flipped columns keep
/// their rows in registers. kept: products that are kept, at most; 0 is as published, every product from
/// scratch.
struct FloatingOverrides : Wishes {
  std::optional<unsigned> kept = {};
  std::optional<unsigned> register_columns = {};
  bool entries_in_memory = false;  // constant memory, not literals
};

struct FloatingProgram {
  FloatingKind kind = FloatingKind::doubles;
  bool complex = false;
  Form form = Form::pure_registers;
  unsigned ratio = 4;  // as in Wishes
  unsigned block = 0;  // as in Wishes
  bool entries_in_memory = false;
  bool exact_sums = false;       // of doubles: no slopes (ExactDoubleProduct, ExactComplexProduct)
  unsigned rows = 0;             // places 0 .. rows - 1
  unsigned registers = 0;        // places below are registers, the others global memory
  std::vector<unsigned> row_of;  // by place: the walk's row
  std::vector<unsigned> first;   // by place: the first column that touches it, or columns.size()
  /// Column 0 flips most often; columns 0 .. walked - 1 are walked over, the others chosen by an item's bits.
  std::vector<std::vector<FloatingAdd>> columns;
  unsigned walked = 0;
  unsigned kept = 0;          // products that are kept where there are so many levels
  std::vector<Level> levels;  // of falling column; together all places

  unsigned chosen() const { return static_cast<unsigned>(columns.size()) - walked; }
  LaunchShape launch_shape() const;
  /// For benchmarks: "PureReg, 40 of 40 row sums in registers, complex doubles, 4 products kept".
  std::string describe() const;
};

/// Of the walk's columns, as many of which are walked over as a GPU can spare, at most most_walked_floating.
/// O(columns rows + columns^2).
/// Value: double, DoubleDouble, Complex<double> or Complex<DoubleDouble>.
template <class Value>
FloatingProgram make_floating_program(const gray::Walk<Value>& walk, const FloatingOverrides& wishes = {});

/// Instructions of a step on a GPU, and how many of them its FP64 units run.
struct StepCost {
  double instructions = 0;
  double doubles = 0;
};
StepCost step_cost(const FloatingProgram& program);

}  // namespace countpm::codegen
