#pragma once
// What the tests of ryser, sparyser and skipper share: an oracle by states, random blocks of every kind, and
// running a whole job.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "graph/sparse_matrix.hpp"
#include "kernels/method.hpp"
#include "tests/kernels/print_method.hpp"
#include "tests/kernels/run_units.hpp"
#include "tests/repeats.hpp"
#include "tests/shared_files.hpp"

namespace countpm::testing {

inline mpq_class to_exact(std::int64_t value) {
  return mpq_class(mpz_class(std::to_string(value)));
}
inline mpq_class to_exact(const mpq_class& value) {
  return value;
}
inline ComplexRational to_exact(const ComplexRational& value) {
  return value;
}

inline void add_product(mpq_class& into, const mpq_class& a, const mpq_class& b) {
  into += a * b;
}
inline void add_product(ComplexRational& into, const ComplexRational& a, const ComplexRational& b) {
  into.re += a.re * b.re - a.im * b.im;
  into.im += a.re * b.im + a.im * b.re;
}
inline mpq_class one_of(const mpq_class&) {
  return 1;
}
inline ComplexRational one_of(const ComplexRational&) {
  return {1, 0};
}

/// Of units first to last - 1, one after another, on the CPU.
inline Residues cpu_sum(const Job& job, std::uint64_t first, std::uint64_t last,
                        const Arithmetic& arithmetic) {
  return std::get<Residues>(sum_of_units(job, first, last, arithmetic));
}

/// The permanent row by row: the sum of products for every set of columns used so far. Exact; dense to n =
/// 12, any n where few sets occur (a band matrix). Multiplicities written out.
template <class Value>
auto permanent_by_states(const Block<Value>& given) {
  const Block<Value> block = expanded(given);
  const auto& matrix = block.matrix;
  using Exact = decltype(to_exact(std::declval<Value>()));
  std::map<std::vector<bool>, Exact> states;
  states[std::vector<bool>(matrix.columns)] = one_of(Exact());
  for (Index i = 0; i < matrix.rows; ++i) {
    std::map<std::vector<bool>, Exact> next;
    for (const auto& [used, value] : states) {
      std::vector<bool> after = used;
      for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
        const Index j = matrix.column[k];
        if (used[j]) continue;
        after[j] = true;
        add_product(next[after], value, to_exact(matrix.value[k]));
        after[j] = false;
      }
    }
    // a column whose last row has passed must be used
    std::vector<bool> later(matrix.columns);
    for (std::uint64_t k = matrix.row_start[i + std::uint64_t{1}]; k < matrix.column.size(); ++k)
      later[matrix.column[k]] = true;
    states.clear();
    for (auto& [used, value] : next) {
      bool alive = true;
      for (Index j = 0; j < matrix.columns && alive; ++j) alive = used[j] || later[j];
      if (alive) states.emplace(used, std::move(value));
    }
  }
  Exact sum{};
  for (const auto& [used, value] : states) add_product(sum, value, one_of(Exact()));
  return sum;
}

/// From rows of values; zeros are left out.
template <class Value>
Block<Value> dense_block(const std::vector<std::vector<Value>>& rows, Index columns) {
  Block<Value> block;
  block.matrix.rows = static_cast<Index>(rows.size());
  block.matrix.columns = columns;
  for (const auto& row : rows) {
    for (Index j = 0; j < columns; ++j) {
      if (row[j] == Value{}) continue;
      block.matrix.column.push_back(j);
      block.matrix.value.push_back(row[j]);
    }
    block.matrix.row_start.push_back(block.matrix.column.size());
  }
  return block;
}

template <class Value>
std::string text_of(const Value& value) {
  std::ostringstream out;
  if constexpr (std::is_same_v<Value, ComplexRational>) {
    out << value.re << '+' << value.im << 'i';
  } else {
    out << value;
  }
  return out.str();
}

template <class Value>
std::string text_of(const Block<Value>& block) {
  std::ostringstream out;
  out << block.matrix.rows << " x " << block.matrix.columns << "\n";
  for (Index i = 0; i < block.matrix.rows; ++i) {
    for (std::uint64_t k = block.matrix.row_start[i]; k < block.matrix.row_start[i + std::uint64_t{1}]; ++k) {
      out << block.matrix.column[k] << ':' << text_of(block.matrix.value[k]) << ' ';
    }
    out << "\n";
  }
  out << "multiplicity";
  for (const Index m : block.multiplicity) out << ' ' << m;
  return out.str();
}

using Random = std::mt19937_64;
inline std::uint64_t below(Random& random, std::uint64_t limit) {
  return random() % limit;
}

/// Columns with multiplicities that sum to n; none where `plain`.
inline std::vector<Index> random_multiplicity(Random& random, Index n, bool plain) {
  std::vector<Index> result;
  for (Index left = n; left > 0;) {
    const Index m =
        plain || below(random, 2) == 0 ? 1 : static_cast<Index>(1 + below(random, std::min<Index>(left, 4)));
    result.push_back(m);
    left -= m;
  }
  return result;
}

/// value() makes a nonzero entry.
template <class Value, class Make>
Block<Value> random_block(Random& random, Index n, double density, bool plain, const Make& value) {
  std::vector<Index> multiplicity = random_multiplicity(random, n, plain);
  const auto columns = static_cast<Index>(multiplicity.size());
  std::vector<std::vector<Value>> rows(n, std::vector<Value>(columns));
  std::bernoulli_distribution present(density);
  for (auto& row : rows) {
    for (auto& entry : row) {
      if (present(random)) entry = value();
    }
  }
  Block<Value> block = dense_block(rows, columns);
  if (!plain) block.multiplicity = std::move(multiplicity);
  return block;
}

inline Block<std::int64_t> random_pattern(Random& random, Index n, double density) {
  return random_block<std::int64_t>(random, n, density, true, [] { return std::int64_t{1}; });
}

/// Small 0/1, small signed, 16-bit, beyond 2^40, near 2^62.
inline Block<std::int64_t> random_integers(Random& random, Index n, bool plain) {
  const double density = 0.2 + 0.1 * static_cast<double>(below(random, 9));
  const std::uint64_t kind = below(random, 5);
  return random_block<std::int64_t>(random, n, density, plain, [&]() -> std::int64_t {
    const std::int64_t sign = below(random, 2) == 0 ? 1 : -1;
    switch (kind) {
      case 0:
        return 1;
      case 1:
        return sign * static_cast<std::int64_t>(1 + below(random, 4));
      case 2:
        return sign * static_cast<std::int64_t>(1 + below(random, 1000));
      case 3:
        return sign * static_cast<std::int64_t>(1 + below(random, std::uint64_t{1} << 40));
      default:
        return sign * static_cast<std::int64_t>((std::uint64_t{1} << 62) - 1 - below(random, 1000));
    }
  });
}

inline mpq_class random_rational(Random& random) {
  const std::uint64_t kind = below(random, 3);
  mpq_class value(static_cast<long>(1 + below(random, 50)),
                  static_cast<unsigned long>(kind == 0 ? 1 : 1 + below(random, 12)));
  if (kind == 2) value *= mpq_class("123456789012345678901234567890/7");
  if (below(random, 2) == 0) value = -value;
  value.canonicalize();
  return value;
}

inline Arithmetic residues_modulo(const std::vector<std::uint64_t>& primes) {
  Arithmetic arithmetic;
  for (const std::uint64_t prime : primes) arithmetic.moduli.push_back({prime, 0});
  return arithmetic;
}
inline Arithmetic wrap_around(unsigned bits) {
  Arithmetic arithmetic;
  arithmetic.moduli = {{0, bits}};
  return arithmetic;
}
inline constexpr std::uint64_t first_prime = 2305843009213693951ULL;  // 2^61 - 1
inline constexpr std::uint64_t second_prime = 2305843009213693921ULL;

/// value modulo each modulus. Precondition: denominators are invertible.
inline Residues residues_of(const mpq_class& value, const Arithmetic& arithmetic) {
  Residues result;
  for (const Modulus& modulus : arithmetic.moduli) {
    mpz_class number = modulus.prime != 0 ? mpz_class(std::to_string(modulus.prime))
                                          : mpz_class(mpz_class(1) << modulus.power_of_two);
    mpz_class residue;
    mpz_invert(residue.get_mpz_t(), value.get_den_mpz_t(), number.get_mpz_t());
    residue *= value.get_num();
    mpz_fdiv_r(residue.get_mpz_t(), residue.get_mpz_t(), number.get_mpz_t());
    const mpz_class low = residue & mpz_class("18446744073709551615");
    const mpz_class high = residue >> 64;
    result.residue.push_back(uint128{high.get_ui()} << 64 | low.get_ui());
  }
  return result;
}

/// All units, each reduced and added.
inline Residues run_residues(const Job& job, const Arithmetic& arithmetic) {
  const StopSignal never;
  std::vector<mpz_class> sums(arithmetic.moduli.size());
  for (std::uint64_t unit = 0; unit < job.units(); ++unit) {
    const Partial partial = job.run(unit, never);
    const auto& residues = std::get<Residues>(partial);
    for (std::size_t k = 0; k < sums.size(); ++k) {
      const uint128 r = residues.residue[k];
      sums[k] +=
          (mpz_class(static_cast<unsigned long>(r >> 64)) << 64) + mpz_class(static_cast<unsigned long>(r));
    }
  }
  Residues result;
  for (std::size_t k = 0; k < sums.size(); ++k) {
    Arithmetic one;
    one.moduli = {arithmetic.moduli[k]};
    result.residue.push_back(residues_of(mpq_class(sums[k]), one).residue[0]);
  }
  return result;
}

/// The nonzero pattern of a file of ../shared, with ones; empty where it is not there.
inline std::optional<Block<std::int64_t>> shared_matrix(const std::string& file) {
  std::optional<SparsePattern> pattern = shared_files::pattern_of(file);
  if (!pattern) return std::nullopt;
  Block<std::int64_t> block;
  static_cast<SparsePattern&>(block.matrix) = std::move(*pattern);
  block.matrix.value.assign(block.matrix.column.size(), 1);
  return block;
}

/// Job::with_moduli_subset of one modulus by itself: the same units, each of the same residue.
inline void expect_units_again(const Job& job, const Arithmetic& arithmetic) {
  const StopSignal never;
  for (std::size_t k = 0; k < arithmetic.moduli.size(); ++k) {
    Arithmetic alone;
    alone.moduli = {arithmetic.moduli[k]};
    const std::unique_ptr<Job> again = job.with_moduli_subset(alone);
    ASSERT_TRUE(again);
    ASSERT_EQ(again->units(), job.units());
    for (std::uint64_t unit = 0; unit < job.units(); ++unit) {
      const Partial expected = job.run(unit, never);
      const Partial partial = again->run(unit, never);
      ASSERT_EQ(std::get<Residues>(partial).residue.size(), 1U);
      ASSERT_EQ(std::get<Residues>(partial).residue[0], std::get<Residues>(expected).residue[k])
          << "unit " << unit << " modulus " << k;
    }
  }
}

/// One of the arithmetics of residues, small primes and powers of two among them.
inline Arithmetic some_residues(std::uint64_t seed) {
  switch (seed % 6) {
    case 0:
      return residues_modulo({first_prime});
    case 1:
      return residues_modulo({first_prime, second_prime, 4611686018427387847ULL});
    case 2:
      return residues_modulo({3});
    case 3:
      return residues_modulo({10007, 5});
    case 4:
      return wrap_around(64);
    default:
      return wrap_around(128);
  }
}

/// count(block, arithmetic) against the oracle on integers of every size.
template <class Count>
void expect_integers_agree(std::uint64_t seed, const Count& count) {
  Random random(seed);
  for (int round = 0; round < testing::repeats(2000); ++round) {
    const auto block = random_integers(random, static_cast<Index>(below(random, 10)), below(random, 2) == 0);
    const mpq_class expected = permanent_by_states(block);
    const Arithmetic arithmetic = some_residues(random());
    ASSERT_EQ(count(block, arithmetic), residues_of(expected, arithmetic)) << "round " << round << "\n"
                                                                           << text_of(block);
  }
}

/// ... and on rationals.
template <class Count>
void expect_rationals_agree(std::uint64_t seed, const Arithmetic& arithmetic, const Count& count) {
  Random random(seed);
  for (int round = 0; round < testing::repeats(300); ++round) {
    const auto block =
        random_block<mpq_class>(random, static_cast<Index>(below(random, 8)), 0.5, below(random, 2) == 0,
                                [&] { return random_rational(random); });
    ASSERT_EQ(count(block, arithmetic), residues_of(permanent_by_states(block), arithmetic))
        << "round " << round << "\n"
        << text_of(block);
  }
}

/// 302 rows: a column of 300 copies, and two of 151 rows each. Its permanent: 151^2 300!.
template <class Count>
void expect_huge_multiplicity(const Arithmetic& arithmetic, const Count& count) {
  const Index n = 302;
  std::vector<std::vector<std::int64_t>> rows(n, {1, 0, 0});
  for (Index i = 0; i < n; ++i) rows[i][1 + i % 2] = 1;
  Block<std::int64_t> block = dense_block(rows, 3);
  block.multiplicity = {300, 1, 1};
  mpz_class expected = 151 * 151;
  for (unsigned k = 1; k <= 300; ++k) expected *= k;
  EXPECT_EQ(count(block, arithmetic), residues_of(mpq_class(expected), arithmetic));
}

/// A cycle with six chords, rows and columns permuted at random, and the same in band order for the oracle.
struct ChordedCycle {
  Block<std::int64_t> block;
  Block<std::int64_t> band;
};
inline ChordedCycle chorded_cycle(Random& random, Index n, std::int64_t chord_value) {
  std::vector<Index> column(n);
  for (Index j = 0; j < n; ++j) column[j] = j;
  std::shuffle(column.begin(), column.end(), random);
  std::vector<std::vector<std::int64_t>> rows(n, std::vector<std::int64_t>(n));
  for (Index i = 0; i < n; ++i) rows[i][column[i]] = rows[i][column[(i + 1) % n]] = 1;
  for (int chord = 0; chord < 6; ++chord) rows[below(random, n)][below(random, n)] = chord_value;
  std::vector<std::vector<std::int64_t>> band(n, std::vector<std::int64_t>(n));
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) band[i][j] = rows[i][column[j]];
  }
  return {dense_block(rows, n), dense_block(band, n)};
}

}  // namespace countpm::testing
