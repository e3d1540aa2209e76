#include "src/count/letter_ranges.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include "graph/errors.hpp"
#include "graph/kinds/assignment.hpp"
#include "graph/stop_poll.hpp"
#include "matching/maximum_matching.hpp"

namespace countpm {
namespace {

/// The edges of a block at its vertices: rows, then columns; of a general block just its vertices.
struct EdgesAtVertices {
  std::vector<std::uint64_t> start;
  std::vector<std::pair<Index, std::uint64_t>> edge;  // the other end, and the entry

  explicit EdgesAtVertices(const Block<std::int64_t>& block) {
    const SparsePattern& matrix = block.matrix;
    const Index columns_from = block.general ? 0 : matrix.rows;
    start.assign(std::uint64_t{columns_from} + matrix.columns + 1, 0);
    const auto each = [&](const auto& seen) {
      for (Index i = 0; i < matrix.rows; ++i) {
        for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
          seen(i, columns_from + matrix.column[k], k);
          if (!block.general) seen(columns_from + matrix.column[k], i, k);
        }
      }
    };
    each([this](Index a, Index, std::uint64_t) { ++start[a + std::uint64_t{1}]; });
    std::partial_sum(start.begin(), start.end(), start.begin());
    edge.resize(start.back());
    std::vector<std::uint64_t> next(start.begin(), start.end() - 1);
    each([&](Index a, Index b, std::uint64_t k) { edge[next[a]++] = {b, k}; });
  }
};

/// f of the header, beside the entries, and the sum of all potentials.
struct TreePotentials {
  std::vector<std::int64_t> rest;
  mpz_class sum;
};

/// Of a connected block. weight: e, of general blocks 2 e. Loops of vertices that may stay alone have one
/// end.
TreePotentials tree_potentials(const Block<std::int64_t>& block, const std::vector<std::int64_t>& weight) {
  const EdgesAtVertices at(block);
  const std::size_t vertices = at.start.size() - 1;
  std::vector<std::int64_t> potential(vertices, 0);
  std::vector<std::int8_t> level(vertices, -1);
  std::vector<Index> queue{0};
  level[0] = 0;
  StopPoll poll;
  // Of an edge between two vertices of one level: how much the root's potential is off.
  std::optional<std::int64_t> off;
  std::optional<std::pair<Index, std::uint64_t>> loop;
  for (std::size_t head = 0; head < queue.size(); ++head) {
    const Index v = queue[head];
    poll.steps(at.start[v + std::size_t{1}] - at.start[v]);
    for (std::uint64_t k = at.start[v]; k < at.start[v + std::size_t{1}]; ++k) {
      const auto [w, entry] = at.edge[k];
      if (w == v && block.general) {
        loop = {v, entry};
        continue;
      }
      const std::int64_t left = weight[entry] - potential[v];
      if (level[w] < 0) {
        level[w] = static_cast<std::int8_t>(1 - level[v]);
        potential[w] = left;
        queue.push_back(w);
      } else if (level[w] == level[v] && !off) {
        off = (left - potential[w]) / 2 * (level[v] == 0 ? 1 : -1);
      }
    }
  }
  if (queue.size() != vertices) throw Error("exponents: the block is not connected");
  // Rather a loop: where they all have one exponent, it is then known whether it occurs an odd number of
  // times.
  if (loop) off = (weight[loop->second] - potential[loop->first]) * (level[loop->first] == 0 ? 1 : -1);
  TreePotentials result;
  for (std::size_t v = 0; v < vertices; ++v) {
    if (off) potential[v] += level[v] == 0 ? *off : -*off;
    result.sum += static_cast<std::int64_t>(potential[v]);
  }
  result.rest = weight;
  for (std::size_t v = 0; v < vertices; ++v) {
    for (std::uint64_t k = at.start[v]; k < at.start[v + 1]; ++k) {
      const auto [w, entry] = at.edge[k];
      if (!block.general && v >= block.matrix.rows) continue;
      result.rest[entry] -= potential[v];
      if (!block.general || w != v) result.rest[entry] -= potential[w];
    }
  }
  return result;
}

/// A general block's matching taken twice has every edge in both directions, and every loop once: at twice
/// its cost.
LeastAssignment least_of(const Block<std::int64_t>& block, const std::vector<std::int64_t>& cost, int sign) {
  const SparsePattern& pattern = block.matrix;
  std::vector<mpz_class> costs;
  costs.reserve(cost.size());
  for (const std::int64_t one : cost) costs.emplace_back(static_cast<std::int64_t>(sign * one));
  for (Index v = 0; v < pattern.rows && block.monomers; ++v) {
    for (std::uint64_t k = pattern.row_start[v]; k < pattern.row_start[v + std::uint64_t{1}]; ++k) {
      if (pattern.column[k] == v) costs[k] *= 2;
    }
  }
  std::optional<LeastAssignment> least = least_assignment(pattern, costs);
  if (!least) throw Error("exponents: the block has no perfect matching");
  return *std::move(least);
}

/// Whether a matching's edges, both ways, and its loops could be a permutation; without one there is none.
bool may_have_matchings(const Block<std::int64_t>& block) {
  return !block.monomers || maximum_matching(block.matrix).size == block.matrix.rows;
}

mpz_class sum_of_all(const std::vector<mpz_class>& numbers) {
  mpz_class sum;
  for (const mpz_class& one : numbers) sum += one;
  return sum;
}

std::int64_t exponent_in_64_bits(const mpz_class& value) {
  if (!value.fits_slong_p()) throw UnableError("exponents do not fit 64 bits", "smaller exponents");
  return value.get_si();
}

using LatticeVector = std::array<mpz_class, most_letters>;

bool is_zero_vector(const LatticeVector& vector) {
  return std::all_of(vector.begin(), vector.end(), [](const mpz_class& one) { return one == 0; });
}

std::size_t pivot_of(const LatticeVector& vector) {
  std::size_t at = 0;
  while (vector[at] == 0) ++at;
  return at;
}

void subtract_multiple(LatticeVector& from, const mpz_class& times, const LatticeVector& vector) {
  for (std::size_t l = 0; l < from.size(); ++l) from[l] -= times * vector[l];
}

/// In echelon form, by C. Hermite: the vector joins the lattice that the basis spans.
void add_to_basis(std::vector<LatticeVector>& basis, LatticeVector vector) {
  for (std::size_t at = 0; !is_zero_vector(vector);) {
    const std::size_t pivot = pivot_of(vector);
    while (at < basis.size() && pivot_of(basis[at]) < pivot) ++at;
    if (at == basis.size() || pivot_of(basis[at]) != pivot) {
      basis.insert(basis.begin() + static_cast<std::ptrdiff_t>(at), std::move(vector));
      break;
    }
    while (vector[pivot] != 0) {
      subtract_multiple(basis[at], basis[at][pivot] / vector[pivot], vector);
      std::swap(basis[at], vector);
    }
  }
  // Small entries: those above a pivot are less than it.
  for (std::size_t b = basis.size(); b-- > 0;) {
    for (std::size_t above = 0; above < b; ++above) {
      const std::size_t pivot = pivot_of(basis[b]);
      subtract_multiple(basis[above], basis[above][pivot] / basis[b][pivot], basis[b]);
    }
  }
}

std::vector<LatticeVector> basis_of(const std::vector<LatticeVector>& vectors) {
  const std::set<LatticeVector> different(vectors.begin(), vectors.end());
  std::vector<LatticeVector> basis;
  for (const LatticeVector& one : different) add_to_basis(basis, one);
  return basis;
}

/// A lattice that has all of them, each letter by itself.
std::vector<LatticeVector> basis_by_letters(const std::vector<LatticeVector>& vectors) {
  std::vector<LatticeVector> basis;
  for (std::size_t l = 0; l < most_letters; ++l) {
    LatticeVector one;
    for (const LatticeVector& vector : vectors) one[l] = gcd(one[l], vector[l]);
    if (one[l] != 0) basis.push_back(std::move(one));
  }
  return basis;
}

}  // namespace

LetterRanges::LetterRanges(const Block<std::int64_t>& places, const LetterWeights& letters)
    : general_(places.general), letters_(letters.letters.size()) {
  if (!may_have_matchings(places)) return;
  std::vector<Vector> rest(places.matrix.value.size());
  for (std::size_t l = 0; l < letters_; ++l) {
    std::vector<std::int64_t> weight;
    weight.reserve(rest.size());
    for (const std::int64_t place : places.matrix.value)
      weight.push_back((general_ ? 2 : 1) *
                       std::int64_t{letters.weight[static_cast<std::size_t>(place)].exponent[l]});
    const TreePotentials tree = tree_potentials(places, weight);
    sum_[l] = tree.sum;
    for (std::size_t k = 0; k < rest.size(); ++k) rest[k][l] = static_cast<std::int64_t>(tree.rest[k]);
  }
  const auto product_of_counts = [](const std::vector<Axis>& axes) {
    mpz_class product = 1;
    for (const Axis& axis : axes) product *= static_cast<std::uint64_t>(axis.count);
    return product;
  };
  axes_ = axes_of(places, basis_of(rest), rest);
  if (!may_be_integers()) {
    axes_.clear();
    sum_ = {};
    return;
  }
  coefficients_ = product_of_counts(axes_);
  if (axes_.size() < 2) return;
  // A basis may lie askew to the exponents that occur.
  std::vector<Axis> by_letters = axes_of(places, basis_by_letters(rest), rest);
  const mpz_class others = product_of_counts(by_letters);
  if (others >= coefficients_) return;
  axes_ = std::move(by_letters);
  coefficients_ = others;
}

bool LetterRanges::may_be_integers() const {
  // All matchings have the same exponents: of general blocks half of the sums.
  if (general_ && axes_.empty())
    return std::all_of(sum_.begin(), sum_.end(),
                       [](const mpz_class& one) { return mpz_even_p(one.get_mpz_t()) != 0; });
  return std::all_of(axes_.begin(), axes_.end(), [](const Axis& axis) { return axis.possible; });
}

std::vector<LetterRanges::Axis> LetterRanges::axes_of(const Block<std::int64_t>& places,
                                                      const std::vector<Vector>& basis,
                                                      const std::vector<Vector>& rest) const {
  std::vector<Vector> left = rest;
  std::vector<Axis> axes;
  for (const Vector& vector : basis) {
    const std::size_t pivot = pivot_of(vector);
    std::vector<std::int64_t> coordinate;
    coordinate.reserve(left.size());
    StopPoll poll;
    for (Vector& one : left) {
      poll.step();
      const mpz_class times = one[pivot] / vector[pivot];
      subtract_multiple(one, times, vector);
      coordinate.push_back(exponent_in_64_bits(times));
    }
    axes.push_back(axis_of(places, vector, coordinate, basis.size() == 1));
  }
  return axes;
}

LetterRanges::Axis LetterRanges::axis_of(const Block<std::int64_t>& places, Vector vector,
                                         const std::vector<std::int64_t>& coordinate, bool alone) const {
  Axis axis;
  axis.vector = std::move(vector);
  axis.part.resize(coordinate.size());
  const LeastAssignment least = least_of(places, coordinate, 1);
  // In a general block potentials are the means of a vertex's as row and as column: halves.
  for (Index i = 0; i < places.matrix.rows; ++i) {
    for (std::uint64_t k = places.matrix.row_start[i]; k < places.matrix.row_start[i + std::uint64_t{1}];
         ++k) {
      const Index j = places.matrix.column[k];
      mpz_class part = static_cast<std::int64_t>(coordinate[k]);
      if (general_) part *= 2;
      part -= least.row[i] + least.column[j];
      if (general_ && i != j) part -= least.row[j] + least.column[i];
      axis.part[k] = exponent_in_64_bits(part);
    }
  }
  const LeastAssignment largest = least_of(places, axis.part, -1);
  const mpz_class most = -largest.weight;
  axis.potentials = sum_of_all(least.row) + sum_of_all(least.column);
  if (!general_) {
    axis.count = static_cast<std::uint64_t>(exponent_in_64_bits(most)) + 1;
    axis.reversed.resize(axis.part.size());
    for (Index i = 0; i < places.matrix.rows; ++i) {
      for (std::uint64_t k = places.matrix.row_start[i]; k < places.matrix.row_start[i + std::uint64_t{1}];
           ++k)
        axis.reversed[k] = exponent_in_64_bits(mpz_class(static_cast<std::int64_t>(-axis.part[k])) -
                                               largest.row[i] - largest.column[places.matrix.column[k]]);
    }
    return axis;
  }
  // With S the sum of the coordinates over a matching and T that of the parts: T = 2 S - potentials, so that
  // T is as odd as the potentials' sum; and twice the exponents are sum + S vector, which, where no other
  // axis adds to them, makes S even or odd where the vector has an odd entry.
  const bool by_fours =
      alone && std::any_of(axis.vector.begin(), axis.vector.end(),
                           [](const mpz_class& one) { return mpz_odd_p(one.get_mpz_t()) != 0; });
  axis.parts_a_digit = by_fours ? 4 : 2;
  const auto is_possible = [&](std::int64_t parts) {
    const mpz_class twice = axis.potentials + static_cast<std::int64_t>(parts);
    if (mpz_odd_p(twice.get_mpz_t()) != 0) return false;
    for (std::size_t l = 0; l < letters_ && alone; ++l) {
      const mpz_class two_exponents = sum_[l] + axis.vector[l] * mpz_class(twice / 2);
      if (mpz_odd_p(two_exponents.get_mpz_t()) != 0) return false;
    }
    return true;
  };
  while (axis.offset < axis.parts_a_digit && !is_possible(axis.offset)) ++axis.offset;
  axis.possible = axis.offset < axis.parts_a_digit;
  if (!axis.possible) return axis;
  const std::int64_t room = exponent_in_64_bits(most / 2) - axis.offset;
  axis.count = static_cast<std::uint64_t>(std::max<std::int64_t>(room, 0) / axis.parts_a_digit) + 1;
  return axis;
}

mpz_class LetterRanges::bits_of(std::uint64_t digit_bits, const std::vector<std::int64_t>& parts) const {
  mpz_class result;
  mpz_class width = static_cast<std::uint64_t>(digit_bits);
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    // The digits' bits are a multiple of parts_a_digit.
    result += width / static_cast<std::int64_t>(axes_[a].parts_a_digit) * static_cast<std::int64_t>(parts[a]);
    width *= static_cast<std::uint64_t>(axes_[a].count);
  }
  return result;
}

mpz_class LetterRanges::shift_of(std::uint64_t entry, std::uint64_t digit_bits) const {
  std::vector<std::int64_t> parts;
  for (const Axis& axis : axes_) parts.push_back(axis.part[entry]);
  return bits_of(digit_bits, parts);
}

mpz_class LetterRanges::shift_of_sum(std::uint64_t digit_bits) const {
  std::vector<std::int64_t> parts;
  for (const Axis& axis : axes_) parts.push_back(axis.offset);
  return bits_of(digit_bits, parts);
}

std::vector<std::int64_t> LetterRanges::exponents_of(std::uint64_t digit) const {
  // Of general blocks four times the exponents.
  const std::uint64_t times = general_ ? 4 : 1;
  Vector total = sum_;
  if (general_) {
    for (mpz_class& one : total) one *= 2;
  }
  for (const Axis& axis : axes_) {
    mpz_class along = static_cast<std::uint64_t>(digit % axis.count);
    along = along * static_cast<std::int64_t>(axis.parts_a_digit) + static_cast<std::int64_t>(axis.offset) +
            axis.potentials;
    subtract_multiple(total, -along, axis.vector);
    digit /= axis.count;
  }
  std::vector<std::int64_t> result;
  for (std::size_t l = 0; l < letters_; ++l) {
    if (mpz_divisible_ui_p(total[l].get_mpz_t(), times) == 0) return {};
    result.push_back(exponent_in_64_bits(total[l] / times));
  }
  return result;
}

ExponentRange LetterRanges::range_of(std::size_t letter) const {
  const std::int64_t times = general_ ? 4 : 1;
  mpz_class least = sum_[letter] * (general_ ? 2 : 1);
  mpz_class more;
  mpz_class step;
  for (const Axis& axis : axes_) {
    least += axis.vector[letter] * (axis.potentials + static_cast<std::int64_t>(axis.offset));
    const mpz_class one = axis.vector[letter] * static_cast<std::int64_t>(axis.parts_a_digit);
    const mpz_class all = one * static_cast<std::uint64_t>(axis.count - 1);
    if (all == 0) continue;
    step = gcd(step, one);
    if (all < 0) least += all;
    more += abs(all);
  }
  // With several axes in a general block, some are between integers.
  const mpz_class first =
      least + (times - mpz_fdiv_ui(least.get_mpz_t(), static_cast<std::uint64_t>(times))) % times;
  const mpz_class last = least + more;
  ExponentRange range;
  range.first = exponent_in_64_bits(first / times);
  range.step = step % times == 0 && step != 0 ? exponent_in_64_bits(step / times) : 1;
  const mpz_class room = last / times - first / times;
  range.count =
      static_cast<std::uint64_t>(exponent_in_64_bits(room)) / static_cast<std::uint64_t>(range.step) + 1;
  return range;
}

}  // namespace countpm
