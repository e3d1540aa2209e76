#include "kernels/doubles/small_integers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "graph/errors.hpp"
#include "kernels/doubles/variant.hpp"

namespace countpm {
namespace {

constexpr double half_ulp = 0x1p-53;
constexpr double bound_slack = 1 + 0x1p-20;
constexpr std::size_t least_rows_of_walks = 4;  // so that eight lanes differ in three columns' signs
constexpr std::size_t least_rows_of_sets = 3;   // so that eight lanes are the sets of three rows

/// Of each row the sum of magnitudes, at least `least`, multiplied; infinite where a sum is no exact double.
double product_of_magnitudes(std::span<const std::int64_t> entries, std::size_t rows, std::size_t columns,
                             double least) {
  double product = 1;
  for (std::size_t i = 0; i < rows; ++i) {
    double magnitude = 0;
    for (std::size_t j = 0; j < columns; ++j)
      magnitude += std::abs(static_cast<double>(entries[i * columns + j]));
    if (!(magnitude < 0x1p50)) return HUGE_VAL;
    product *= std::max(magnitude, least);
  }
  return product;
}

/// The integer that is `word` modulo 2^bits and `value` but for `error`, which is below 2^(bits - 2).
int128 joined(std::uint64_t word, double value, double error, int bits) {
  const auto near = static_cast<int128>(std::nearbyint(value));
  const int unused = 64 - bits;
  const auto off = static_cast<std::int64_t>((word - static_cast<std::uint64_t>(near)) << unused) >> unused;
  if (std::abs(static_cast<double>(off)) > error + 2)
    throw CheckError(fmt::format("counted modulo 2^{} and in doubles: the sums are {} apart", bits, off));
  return near + off;
}

/// The walk through a matrix of which `at(row, column)` is an entry: its sum modulo 2^64 and, of `doubles`,
/// in doubles.
class SignWalk {
 public:
  SignWalk(const lanes::DoubleVariant& variant, std::size_t rows)
      : variant_(variant),
        rows_(rows),
        lane_columns_(static_cast<std::size_t>(std::countr_zero(variant.lanes))) {}

  std::size_t steps() const { return std::size_t{1} << (rows_ - 1 - lane_columns_); }

  template <bool doubles, class At>
  void sum(const At& at) {
    const std::size_t lane_count = variant_.lanes;
    for (std::size_t i = 0; i < rows_; ++i) {
      std::int64_t all = at(i, 0);
      for (std::size_t j = 1 + lane_columns_; j < rows_; ++j) {
        const std::int64_t entry = at(i, j);
        all += entry;
        const std::size_t place = (j - 1 - lane_columns_) * rows_ + i;
        word_flips_[place] = static_cast<std::uint64_t>(2 * entry);
        if constexpr (doubles) double_flips_[place] = static_cast<double>(2 * entry);
      }
      std::array<std::int64_t, lanes::most_double_lanes> sums;
      sums[0] = all;
      for (std::size_t c = 0; c < lane_columns_; ++c) {
        const std::int64_t entry = at(i, 1 + c);
        const std::size_t half = std::size_t{1} << c;
        for (std::size_t lane = 0; lane < half; ++lane) {
          sums[half + lane] = sums[lane] - entry;
          sums[lane] += entry;
        }
      }
      for (std::size_t lane = 0; lane < lane_count; ++lane) {
        words_[lane_count * i + lane] = static_cast<std::uint64_t>(sums[lane]);
        if constexpr (doubles) doubles_[lane_count * i + lane] = static_cast<double>(sums[lane]);
      }
    }
    lanes::WordWalk walk;
    walk.rows = static_cast<unsigned>(rows_);
    walk.columns = static_cast<unsigned>(rows_ - 1 - lane_columns_);
    walk.word_flips = word_flips_.data();
    walk.words = words_.data();
    if constexpr (doubles) {
      walk.double_flips = double_flips_.data();
      walk.doubles = doubles_.data();
    }
    lanes::WordTotals totals;
    variant_.words(walk, totals);
    word = 0;
    value = 0;
    for (unsigned lane = 0; lane < variant_.lanes; ++lane) {
      const bool odd = std::popcount(lane) % 2 != 0;
      word += odd ? 0 - totals.words[lane] : totals.words[lane];
      value += odd ? -totals.doubles[lane] : totals.doubles[lane];
    }
  }

  std::uint64_t word = 0;
  double value = 0;

 private:
  static constexpr std::size_t most_vectors = most_integer_rows * lanes::most_double_lanes;
  const lanes::DoubleVariant& variant_;
  std::size_t rows_;
  std::size_t lane_columns_;
  std::array<std::uint64_t, most_integer_rows * most_integer_rows> word_flips_;
  std::array<double, most_integer_rows * most_integer_rows> double_flips_;
  alignas(64) std::array<std::uint64_t, most_vectors> words_;
  alignas(64) std::array<double, most_vectors> doubles_;
};

}  // namespace

std::optional<int128> small_integer_permanent(std::span<const std::int64_t> entries, std::size_t rows,
                                              LaneChoice choice) {
  if (rows < least_rows_of_walks || rows > most_integer_rows) return std::nullopt;
  const std::optional<lanes::DoubleVariant> variant = double_variant(choice);
  if (!variant) return std::nullopt;
  SignWalk walk(*variant, rows);
  const auto steps = static_cast<double>(walk.steps());
  const double block = std::min<double>(steps, lanes::steps_of_a_block);
  const double error = product_of_magnitudes(entries, rows, rows, 0) * half_ulp *
                       (static_cast<double>(rows) + block + steps / block + 8) * bound_slack;
  const int halvings = static_cast<int>(rows) - 1;
  const int bits = 64 - halvings;
  if (!(error < std::ldexp(1.0, bits - 2))) return std::nullopt;
  walk.sum<true>([&](std::size_t i, std::size_t j) { return entries[i * rows + j]; });
  const std::uint64_t word = walk.word;
  if ((word & ((std::uint64_t{1} << halvings) - 1)) != 0)
    throw CheckError(fmt::format("a sum over signs that is no multiple of 2^{}", halvings));
  const int128 sum = joined(word >> halvings, std::ldexp(walk.value, -halvings), error, bits);
  walk.sum<false>([&](std::size_t i, std::size_t j) { return entries[j * rows + i]; });
  if (walk.word != word)
    throw CheckError(
        fmt::format("counted twice, by rows and by columns: {} and {} modulo 2^64 of the sum over signs",
                    word, walk.word));
  return sum;
}

std::optional<int128> small_integer_injections(std::span<const std::int64_t> entries, std::size_t rows,
                                               std::size_t columns, LaneChoice choice) {
  if (rows < least_rows_of_sets || rows > most_injected_rows || columns < rows) return std::nullopt;
  const std::optional<lanes::DoubleVariant> variant = double_variant(choice);
  if (!variant) return std::nullopt;
  const auto m = static_cast<double>(rows);
  const double error = product_of_magnitudes(entries, rows, columns, 1) * half_ulp *
                       (m + static_cast<double>(columns) * (m + 1)) * bound_slack;
  if (!(error < 0x1p62)) return std::nullopt;
  // Kept, since fresh pages would take longer than the sum.
  thread_local std::vector<std::uint64_t> word_place;
  thread_local std::vector<double> double_place;
  const std::size_t sets = std::size_t{1} << rows;
  const std::size_t needed = 2 * sets + variant->lanes + rows * columns;
  if (word_place.size() < needed) {
    word_place.resize(needed);
    double_place.resize(needed);
  }
  const auto aligned = [&](auto* place) {
    const std::size_t bytes = variant->lanes * sizeof(double);
    return place + (bytes - reinterpret_cast<std::uintptr_t>(place) % bytes) % bytes / sizeof(double);
  };
  lanes::WordInjections injections;
  injections.rows = static_cast<unsigned>(rows);
  injections.columns = static_cast<unsigned>(columns);
  injections.words = aligned(word_place.data());
  injections.doubles = aligned(double_place.data());
  std::uint64_t* const word_entries = injections.words + 2 * sets;
  double* const double_entries = injections.doubles + 2 * sets;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) {
      word_entries[j * rows + i] = static_cast<std::uint64_t>(entries[i * columns + j]);
      double_entries[j * rows + i] = static_cast<double>(entries[i * columns + j]);
    }
  }
  injections.word_entries = word_entries;
  injections.double_entries = double_entries;
  const auto sum_of = [&] {
    std::fill_n(injections.words, sets, 0);
    injections.words[0] = 1;
    if (injections.doubles != nullptr) {
      std::fill_n(injections.doubles, sets, 0);
      injections.doubles[0] = 1;
    }
    variant->injections(injections);
  };
  const std::size_t last = columns % 2 * sets + sets - 1;
  sum_of();
  const std::uint64_t word = injections.words[last];
  const int128 sum = joined(word, injections.doubles[last], error, 64);
  std::reverse(word_entries, word_entries + rows * columns);  // rows and columns
  injections.doubles = nullptr;
  sum_of();
  if (injections.words[last] != word)
    throw CheckError("counted twice, forwards and backwards: the two sums differ modulo 2^64");
  return sum;
}

}  // namespace countpm
