#include "kernels/published/codegen/program.hpp"

#include <gmpxx.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "kernels/published/codegen/form.hpp"

namespace countpm::codegen {
namespace {

constexpr unsigned most_walked = 10;
constexpr unsigned least_walked = 5;
// Items enough for every thread of a GPU: 2^20 or more, where the walk can spare them.
constexpr double log2_items = 20;

// A multiprocessor of compute capability 7.0 to 9.0: registers, threads, and the most a thread can have.
constexpr unsigned multiprocessor_registers = 65536;
constexpr unsigned multiprocessor_threads = 2048;
constexpr unsigned most_registers = 255;
// What a step needs beside row sums and limbs: addresses, counters, intermediate products.
constexpr unsigned other_registers = 24;
constexpr unsigned global_registers = 16;  // values on their way where there are global rows

mpz_class product_bound(const Program& program, const Group& group) {
  mpz_class product = 1;
  for (const unsigned place : group) product *= program.bound[place];
  return product;
}

/// Rows by their first column of `order`, those of no column last.
std::vector<Index> rows_by_first_touch(const IntegerColumns<std::int64_t>& columns,
                                       const std::vector<Index>& order) {
  std::vector<bool> seen(columns.rows);
  std::vector<Index> rows;
  for (const Index column : order) {
    for (std::uint64_t k = columns.start[column]; k < columns.start[column + std::uint64_t{1}]; ++k) {
      if (!seen[columns.row[k]]) rows.push_back(columns.row[k]);
      seen[columns.row[k]] = true;
    }
  }
  for (Index row = 0; row < columns.rows; ++row) {
    if (!seen[row]) rows.push_back(row);
  }
  return rows;
}

void place_rows(Program& program, const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan) {
  program.rows = columns.rows;
  program.row_of = rows_by_first_touch(columns, plan.inner);
  double log2_sum = plan.log2_terms;
  for (const Index row : program.row_of) {
    // Halved sums are r_i + 2 (...): all even where r_i is.
    const bool even = plan.form == RyserForm::halved && columns.row_sum[row] % 2 == 0;
    program.divisor.push_back(even ? 2 : 1);
    program.halvings += even ? 1 : 0;
    const std::int64_t bound = std::max<std::int64_t>(columns.row_bound[row] / program.divisor.back(), 1);
    program.bound.push_back(static_cast<std::int32_t>(bound));
    log2_sum += std::log2(static_cast<double>(bound));
  }
  constexpr double limb_bits = 32;
  program.limbs = static_cast<unsigned>(std::ceil((log2_sum + 2) / limb_bits));
}

std::vector<RowAdd> adds_of(const Program& program, const std::vector<unsigned>& place_of,
                            const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                            Index column) {
  std::vector<RowAdd> adds;
  const std::int64_t factor = plan.form == RyserForm::halved ? 2 : 1;
  for (std::uint64_t k = columns.start[column]; k < columns.start[column + std::uint64_t{1}]; ++k) {
    const unsigned place = place_of[columns.row[k]];
    adds.push_back({place, static_cast<std::int32_t>(factor * columns.value[k] / program.divisor[place])});
  }
  std::sort(adds.begin(), adds.end(), [](const RowAdd& a, const RowAdd& b) { return a.row < b.row; });
  return adds;
}

/// Draws the first `count` columns together; false where there are not so many that touch a row, or their sum
/// does not fit into 63 bits.
bool unroll(Program& program, unsigned count) {
  if (program.columns.size() < count) return false;
  std::vector<bool> touched(program.rows, false);
  for (unsigned c = 0; c < count; ++c) {
    if (program.columns[c].empty()) return false;
    for (const RowAdd& add : program.columns[c]) touched[add.row] = true;
  }
  mpz_class bound = 1;
  std::vector<unsigned> rows;
  for (unsigned place = 0; place < program.rows; ++place) {
    if (!touched[place]) continue;
    rows.push_back(place);
    bound *= program.bound[place];
  }
  constexpr unsigned most_bits = 63;
  if (mpz_sizeinbase(bound.get_mpz_t(), 2) + count > most_bits) return false;
  const auto end = program.columns.begin() + static_cast<std::ptrdiff_t>(count);
  program.unrolled.assign(program.columns.begin(), end);
  program.columns.erase(program.columns.begin(), end);
  program.unrolled_rows = std::move(rows);
  return true;
}

/// Registers for the unrolled rows and those of `kept` columns, whose places come first.
void keep_in_registers(Program& program, unsigned kept) {
  program.registers = 0;
  const auto keep = [&](const std::vector<RowAdd>& column) {
    for (const RowAdd& add : column) program.registers = std::max(program.registers, add.row + 1);
  };
  for (const std::vector<RowAdd>& column : program.unrolled) keep(column);
  for (unsigned c = 0; c < kept && c < program.columns.size(); ++c) keep(program.columns[c]);
  if (kept > program.columns.size()) program.registers = program.rows;
  std::vector<unsigned> inside;
  std::vector<unsigned> outside;
  for (unsigned place = 0; place < program.rows; ++place) {
    if (place >= program.registers) {
      outside.push_back(place);
    } else if (!std::binary_search(program.unrolled_rows.begin(), program.unrolled_rows.end(), place)) {
      inside.push_back(place);
    }
  }
  program.register_groups = grouped(inside, program.bound);
  program.global_groups = grouped(outside, program.bound);
}

}  // namespace

bool Program::touches_global(const std::vector<RowAdd>& column) const {
  return std::any_of(column.begin(), column.end(), [&](const RowAdd& add) { return add.row >= registers; });
}

std::int64_t Program::unrolled_bound() const {
  std::int64_t product = 1;
  for (const unsigned place : unrolled_rows) product *= bound[place];
  return product << unrolled.size();
}

unsigned Program::unrolled_limbs() const {
  if (unrolled.empty()) return 0;
  return unrolled_bound() <= largest_group || limbs == 1 ? 1 : 2;
}

std::vector<Group> grouped(std::vector<unsigned> places, const std::vector<std::int32_t>& bound) {
  std::stable_sort(places.begin(), places.end(), [&](unsigned a, unsigned b) { return bound[a] > bound[b]; });
  std::vector<Group> groups;
  std::vector<std::int64_t> product;
  for (const unsigned place : places) {
    std::size_t g = 0;
    while (g < groups.size() && product[g] > largest_group / bound[place]) ++g;
    if (g == groups.size()) {
      groups.emplace_back();
      product.push_back(1);
    }
    groups[g].push_back(place);
    product[g] *= bound[place];
  }
  return groups;
}

std::vector<std::vector<unsigned>> unrolled_classes(const Program& program) {
  std::vector<std::vector<unsigned>> classes(std::size_t{1} << program.unrolled.size());
  for (const unsigned place : program.unrolled_rows) {
    std::size_t pattern = 0;
    for (std::size_t c = 0; c < program.unrolled.size(); ++c) {
      const bool touches = std::any_of(program.unrolled[c].begin(), program.unrolled[c].end(),
                                       [&](const RowAdd& add) { return add.row == place; });
      pattern |= std::size_t{touches ? 1U : 0U} << c;
    }
    classes[pattern].push_back(place);
  }
  return classes;
}

unsigned limbs_for(const Program& program, const std::vector<Group>& groups) {
  mpz_class product = 1;
  for (const Group& group : groups) product *= product_bound(program, group);
  constexpr std::size_t limb_bits = 32;
  return static_cast<unsigned>((mpz_sizeinbase(product.get_mpz_t(), 2) + limb_bits - 1) / limb_bits);
}

LaunchShape Program::launch_shape() const {
  std::vector<Group> all = register_groups;
  all.push_back(unrolled_rows);
  all.insert(all.end(), global_groups.begin(), global_groups.end());
  const unsigned product = std::min(limbs_for(*this, all) + 1, limbs);
  const unsigned kept = global_groups.empty() ? 0 : limbs_for(*this, global_groups) + 1 + global_registers;
  return launch_shape_for(registers + limbs + product + kept + other_registers, {64, 128, 192, 256}, block);
}

LaunchShape launch_shape_for(unsigned registers, std::initializer_list<unsigned> block_sizes,
                             unsigned block) {
  LaunchShape shape;
  constexpr unsigned granule = 8;  // registers are given out by eight
  shape.registers = std::min((registers + granule - 1) / granule * granule, most_registers);
  if (block != 0) {
    // Where registers do not suffice for one such block, the compiler spills.
    shape.threads = block;
    shape.blocks_per_multiprocessor = std::max(
        1U, std::min(multiprocessor_registers / (shape.registers * block), multiprocessor_threads / block));
    return shape;
  }
  unsigned best = 0;
  for (const unsigned threads : block_sizes) {
    const unsigned given = (shape.registers + granule - 1) / granule * granule;
    const unsigned blocks =
        std::min(multiprocessor_registers / (given * threads), multiprocessor_threads / threads);
    if (blocks == 0 || blocks * threads < best) continue;
    best = blocks * threads;
    shape.threads = threads;
    shape.blocks_per_multiprocessor = blocks;
  }
  return shape;
}

std::string Program::describe() const {
  std::string text = form == Form::pure_registers ? "PureReg" : "Hybrid";
  text += ", " + std::to_string(registers) + " of " + std::to_string(rows) + " row sums in registers";
  if (!unrolled.empty()) text += ", " + std::to_string(unrolled.size()) + " columns unrolled";
  return text + ", " + std::to_string(limbs) + " limbs";
}

Wishes wishes_of(const Settings& settings) {
  Wishes wishes;
  if (settings.is(Setting::form, "pure")) wishes.form = Form::pure_registers;
  if (settings.is(Setting::form, "hybrid")) wishes.form = Form::hybrid;
  wishes.ratio = static_cast<unsigned>(settings.number(Setting::ratio).value_or(wishes.ratio));
  wishes.block = static_cast<unsigned>(settings.number(Setting::block).value_or(wishes.block));
  wishes.ordered = !settings.is(Setting::order, "off");
  return wishes;
}

bool in_bounds(const IntegerColumns<std::int64_t>& columns) {
  return std::all_of(columns.row_bound.begin(), columns.row_bound.end(),
                     [](std::int64_t bound) { return bound <= largest_bound; });
}

std::vector<Index> permanent_order(const IntegerColumns<std::int64_t>& columns) {
  std::vector<bool> seen(columns.rows);
  std::vector<bool> placed_column(columns.columns());
  std::vector<Index> order;
  while (order.size() < columns.columns()) {
    Index best = no_index;
    std::uint64_t best_new = 0;
    for (Index column = 0; column < columns.columns(); ++column) {
      if (placed_column[column]) continue;
      std::uint64_t fresh = 0;
      for (std::uint64_t k = columns.start[column]; k < columns.start[column + std::uint64_t{1}]; ++k)
        fresh += seen[columns.row[k]] ? 0 : 1;
      if (best != no_index &&
          (fresh > best_new || (fresh == best_new && columns.entries_of(column) >= columns.entries_of(best))))
        continue;
      best = column;
      best_new = fresh;
    }
    placed_column[best] = true;
    order.push_back(best);
    for (std::uint64_t k = columns.start[best]; k < columns.start[best + std::uint64_t{1}]; ++k)
      seen[columns.row[k]] = true;
  }
  return order;
}

namespace {

/// Of the unrolled columns' sum.
double unrolled_instructions(const Program& program) {
  if (program.unrolled.empty()) return 0;
  const bool narrow = program.unrolled_bound() <= largest_group;
  const double product = narrow ? 1 : 3;
  const std::vector<std::vector<unsigned>> classes = unrolled_classes(program);
  double count = narrow ? 2 : 6;  // sign and magnitude
  for (std::size_t pattern = 1; pattern < classes.size(); ++pattern) {
    // In every state but the first a row's change is added.
    const double states = std::exp2(std::popcount(pattern));
    const auto rows = static_cast<double>(classes[pattern].size());
    if (rows > 0) count += rows * (states - 1) + (rows - 1) * states;
  }
  for (std::size_t c = 0; c < program.unrolled.size(); ++c) {
    double factors = c == 0 ? 0 : 1;
    for (std::size_t pattern = 1; pattern < classes.size(); ++pattern) {
      if (static_cast<std::size_t>(std::countr_zero(pattern)) == c && !classes[pattern].empty()) ++factors;
    }
    const double states = std::exp2(program.unrolled.size() - c);
    count += states * std::max(factors - 1, 0.0) * product + states / 2 * (narrow ? 1 : 2);
  }
  return count;
}

}  // namespace

double step_instructions(const Program& program) {
  double count = 12;  // the loop, the branches to a column's code and back, signs
  double flips = 0.5;
  double stale = 0;
  for (unsigned c = 0; c < program.walked; ++c) {
    const std::vector<RowAdd>& column = program.columns[c];
    count += flips * static_cast<double>(column.size());
    if (program.touches_global(column)) stale += flips;
    flips /= 2;
  }
  // A product of groups: factors, magnitudes and signs, then limb by limb two instructions.
  const auto product = [&](const std::vector<Group>& groups, unsigned limbs) {
    double sum = 0;
    for (const Group& group : groups) {
      sum += static_cast<double>(group.size()) + 1 + 2 * limbs;
      limbs = std::min(limbs + 1, program.limbs);
    }
    return sum;
  };
  const unsigned unrolled_limbs = program.unrolled_limbs();
  count += unrolled_instructions(program) + product(program.register_groups, unrolled_limbs);
  if (!program.global_groups.empty()) {
    const unsigned kept = limbs_for(program, program.global_groups);
    count += 2.0 * kept * (unrolled_limbs + static_cast<double>(program.register_groups.size()));
    count += stale * (product(program.global_groups, 0) + 2 * (program.rows - program.registers));
  }
  return count + 2 * program.limbs;
}

namespace {

/// The program with up to `unrolled` columns unrolled.
Program program_unrolling(Program program, unsigned unrolled, const SubsetPlan& plan,
                          const Overrides& wishes) {
  while (unrolled > 0 && !unroll(program, unrolled)) --unrolled;
  const auto count = static_cast<unsigned>(program.columns.size());
  const double spare = std::clamp(plan.log2_terms - log2_items, static_cast<double>(least_walked),
                                  static_cast<double>(most_walked));
  program.walked = std::min(static_cast<unsigned>(spare), count);
  choose_form(program, wishes.form, wishes.register_columns, half_of_registers, keep_in_registers);
  return program;
}

}  // namespace

Program make_program(const IntegerColumns<std::int64_t>& columns, const SubsetPlan& plan,
                     unsigned modulus_bits, const Overrides& wishes) {
  Program program;
  program.ratio = wishes.ratio;
  program.block = wishes.block;
  place_rows(program, columns, plan);
  constexpr unsigned limb_bits = 32;
  if (modulus_bits != 0) program.limbs = std::min(program.limbs, modulus_bits / limb_bits);
  std::vector<unsigned> place_of(program.rows);
  for (unsigned place = 0; place < program.rows; ++place) place_of[program.row_of[place]] = place;
  for (const Index column : plan.inner)
    program.columns.push_back(adds_of(program, place_of, columns, plan, column));
  if (wishes.unrolled) return program_unrolling(program, *wishes.unrolled, plan, wishes);
  Program best = program_unrolling(program, 0, plan, wishes);
  const auto cost = [](const Program& made) {
    return step_instructions(made) / std::exp2(made.log2_step_terms());
  };
  for (unsigned unrolled = 1; unrolled <= most_unrolled; ++unrolled) {
    Program made = program_unrolling(program, unrolled, plan, wishes);
    if (cost(made) < cost(best)) best = std::move(made);
  }
  return best;
}

std::vector<std::int32_t> placed(const Program& program, const std::vector<std::int64_t>& sums) {
  std::vector<std::int32_t> result(program.rows);
  for (unsigned place = 0; place < program.rows; ++place)
    result[place] = static_cast<std::int32_t>(sums[program.row_of[place]] / program.divisor[place]);
  return result;
}

}  // namespace countpm::codegen
