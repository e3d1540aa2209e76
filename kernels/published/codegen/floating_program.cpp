#include "kernels/published/codegen/floating_program.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "kernels/published/codegen/form.hpp"
#include "kernels/subsets/gpu/tuning.hpp"

namespace countpm::codegen {
namespace {

constexpr unsigned floating_least_walked = 5;
// Items enough for every thread of a GPU: 2^20 or more, where the walk can spare them.
constexpr double floating_log2_items = 20;
constexpr unsigned most_registers_of_others = 248;
constexpr unsigned floating_global_registers = 32;  // values on their way where there are global rows
// More would save hardly a row in 32 steps.
constexpr unsigned most_kept = 4;

using Parts = Complex<DoubleDouble>;

Parts parts_of(double value) {
  return {{value, 0}, {}};
}
Parts parts_of(DoubleDouble value) {
  return {value, {}};
}
Parts parts_of(const Complex<double>& value) {
  return {{value.re, 0}, {value.im, 0}};
}
Parts parts_of(const Parts& value) {
  return value;
}

/// Places by the first column that touches them.
template <class Value>
void place_rows(FloatingProgram& program, const gray::Walk<Value>& walk) {
  program.rows = walk.rows;
  std::vector<unsigned> first(walk.rows, walk.columns);
  for (unsigned column = walk.columns; column-- > 0;) {
    for (unsigned row = 0; row < walk.rows; ++row) {
      const Parts delta = parts_of(walk.deltas[std::size_t{column} * walk.rows + row]);
      if (delta.re.high != 0 || delta.im.high != 0) first[row] = column;
    }
  }
  program.row_of.resize(walk.rows);
  for (unsigned row = 0; row < walk.rows; ++row) program.row_of[row] = row;
  std::stable_sort(program.row_of.begin(), program.row_of.end(),
                   [&](unsigned a, unsigned b) { return first[a] < first[b]; });
  for (const unsigned row : program.row_of) program.first.push_back(first[row]);
  for (unsigned column = 0; column < walk.columns; ++column) {
    std::vector<FloatingAdd> adds;
    for (unsigned place = 0; place < walk.rows; ++place) {
      const Parts delta = parts_of(walk.deltas[std::size_t{column} * walk.rows + program.row_of[place]]);
      if (delta.re.high != 0) adds.push_back({place, delta.re, false});
      if (delta.im.high != 0) adds.push_back({place, delta.im, true});
    }
    program.columns.push_back(std::move(adds));
  }
}

/// Levels of the first `kept` columns and of the other rows, those in global memory apart.
void lay_levels(FloatingProgram& program, unsigned register_columns) {
  program.levels.clear();
  const unsigned kept = std::min({program.kept, register_columns, program.walked});
  for (unsigned place = 0; place < program.rows; ++place) {
    unsigned column = std::min(program.first[place], kept);
    if (place >= program.registers) column = std::max(kept, std::min(register_columns, program.walked));
    const bool apart = place == program.registers;
    if (program.levels.empty() || program.levels.back().column != column || apart)
      program.levels.push_back({column, place, place});
    program.levels.back().end = place + 1;
  }
  std::reverse(program.levels.begin(), program.levels.end());
}

void keep_sums_in_registers(FloatingProgram& program, unsigned kept) {
  program.registers = 0;
  const bool all = kept > program.columns.size();
  while (program.registers < program.rows && (all || program.first[program.registers] < kept))
    ++program.registers;
  lay_levels(program, kept);
}

}  // namespace

template <class Value>
FloatingProgram make_floating_program(const gray::Walk<Value>& walk, const FloatingOverrides& wishes) {
  FloatingProgram program;
  program.complex = std::is_same_v<Value, Complex<double>> || std::is_same_v<Value, Parts>;
  const bool doubles = std::is_same_v<Value, double> || std::is_same_v<Value, Complex<double>>;
  program.kind = doubles ? FloatingKind::doubles : FloatingKind::pairs;
  program.ratio = wishes.ratio;
  program.block = wishes.block;
  program.entries_in_memory = wishes.entries_in_memory;
  program.exact_sums = walk.exact_sums && program.kind == FloatingKind::doubles;
  place_rows(program, walk);
  const double spare =
      std::clamp(walk.log2_subsets - floating_log2_items, static_cast<double>(floating_least_walked),
                 static_cast<double>(gray::most_walked_floating));
  program.walked = std::min(static_cast<unsigned>(spare), walk.columns);
  const auto keeping = [&](unsigned kept) {
    FloatingProgram made = program;
    made.kept = kept;
    // Double-doubles and complex numbers have enough to do for one block of 256 threads, as ryser's.
    const unsigned limit = doubles && !made.complex ? half_of_registers : most_registers_of_others;
    choose_form(made, wishes.form, wishes.register_columns, limit, keep_sums_in_registers);
    return made;
  };
  if (wishes.kept) return keeping(*wishes.kept);
  FloatingProgram best = keeping(0);
  for (unsigned kept = 1; kept <= most_kept; ++kept) {
    FloatingProgram made = keeping(kept);
    if (step_cost(made).instructions < step_cost(best).instructions) best = std::move(made);
  }
  return best;
}
template FloatingProgram make_floating_program(const gray::Walk<double>&, const FloatingOverrides&);
template FloatingProgram make_floating_program(const gray::Walk<DoubleDouble>&, const FloatingOverrides&);
template FloatingProgram make_floating_program(const gray::Walk<Complex<double>>&, const FloatingOverrides&);
template FloatingProgram make_floating_program(const gray::Walk<Parts>&, const FloatingOverrides&);

namespace {

/// With what its error is bounded by: of doubles an IMAD and an FADD, of complex numbers a maximum, too.
StepCost cost_of_multiplication(const FloatingProgram& program) {
  const bool doubles = program.kind == FloatingKind::doubles;
  if (!program.complex) {
    const double bound = program.exact_sums ? 0 : 2;
    return {doubles ? 1 + bound : 11, doubles ? 1.0 : 11.0};
  }
  const double products = doubles ? 4 : 76;
  return {products + (program.exact_sums ? 0 : 3), products};
}

/// A term, its bound included, and the loop with the branches to a column's code and back.
StepCost cost_of_adding_up(const FloatingProgram& program) {
  const bool doubles = program.kind == FloatingKind::doubles;
  if (program.complex)
    return program.exact_sums ? StepCost{38, 18} : doubles ? StepCost{48, 20} : StepCost{80, 48};
  return program.exact_sums ? StepCost{22, 8} : doubles ? StepCost{28, 10} : StepCost{36, 24};
}

}  // namespace

LaunchShape FloatingProgram::launch_shape() const {
  // What nvcc 13 takes for sm_90, n = 20 to 48 and densities .2 to .5, without spilling.
  const bool doubles = kind == FloatingKind::doubles;
  const unsigned sum = (doubles ? 2 : 4) * (complex ? 2 : 1);  // of 32 bits
  const unsigned product = complex ? sum + (exact_sums ? 0 : 1) : doubles ? 3 : 6;
  const unsigned slow_bound = complex && !exact_sums ? 28 : 0;  // with its square roots
  const unsigned others = doubles ? 36 + slow_bound : 60;
  const auto products = static_cast<unsigned>(levels.empty() ? 0 : levels.size() - 1);
  const unsigned on_their_way = registers < rows ? floating_global_registers : 0;
  // Whole warps on each of a multiprocessor's four partitions, which have the registers.
  return launch_shape_for(sum * registers + product * products + others + on_their_way, {128, 256}, block);
}

std::string FloatingProgram::describe() const {
  std::string text = form == Form::pure_registers ? "PureReg, " : "Hybrid, ";
  text += std::to_string(registers) + " of " + std::to_string(rows) + " row sums in registers, ";
  if (complex) text += "complex ";
  text += kind == FloatingKind::doubles ? "doubles" : "double-doubles";
  if (exact_sums) text += ", exact sums";
  const std::size_t products = levels.empty() ? 0 : levels.size() - 1;
  if (products > 0) text += ", " + std::to_string(products) + " products kept";
  return text + (entries_in_memory ? ", entries in constant memory" : "");
}

StepCost step_cost(const FloatingProgram& program) {
  const bool doubles = program.kind == FloatingKind::doubles;
  // FP64: an addition. A literal of 64 bits takes two moves, what is in constant memory one load.
  const StepCost addition{doubles ? 1.0 : 20.0, doubles ? 1.0 : 20.0};
  const StepCost multiplication = cost_of_multiplication(program);
  const double operand = (program.entries_in_memory ? 1 : 2) * (doubles ? 1 : 2);
  StepCost cost = cost_of_adding_up(program);
  const auto add = [&](const StepCost& one, double times) {
    cost.instructions += one.instructions * times;
    cost.doubles += one.doubles * times;
  };
  double flips = 0.5;
  for (unsigned c = 0; c < program.walked; ++c) {
    const auto entries = static_cast<double>(program.columns[c].size());
    const auto outside = static_cast<double>(
        std::count_if(program.columns[c].begin(), program.columns[c].end(),
                      [&](const FloatingAdd& change) { return change.row >= program.registers; }));
    add(addition, flips * entries);
    cost.instructions += flips * (operand * entries + 2 * outside);
    flips /= 2;
  }
  for (const Level& level : program.levels) {
    const double share = std::exp2(-static_cast<double>(level.column));
    add(multiplication, share * (level.end - level.begin));
    cost.instructions += level.column == 0 ? 0 : 2;  // whether it is its turn
    if (level.begin >= program.registers) cost.instructions += share * (level.end - level.begin);
  }
  return cost;
}

}  // namespace countpm::codegen
