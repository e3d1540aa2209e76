#include "kernels/doubles/small_sums.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

#include "kernels/arithmetic/double_double.hpp"
#include "kernels/doubles/variant.hpp"

namespace countpm {
namespace {

constexpr double u = 0x1p-53;
constexpr std::size_t least_rows = 4;    // so that eight lanes differ in three columns' signs
constexpr std::size_t most_numbers = 4;  // (high, low) of both parts
/// Powers of two that stay far from the ends of the range.
constexpr int most_exponent = 900;
/// For the few dozen roundings of a bound itself.
constexpr double slack = 1 + 0x1p-20;

/// The exponent of a power of two above the value, which is not negative.
int exponent_above(double value) {
  int exponent = 0;
  std::frexp(value, &exponent);
  return exponent;
}

/// The pair times 2^exponent, rounded to a double, and what that and `bound` times 2^exponent leave.
std::optional<SmallSum> rounded(const std::array<DoubleDouble, 2>& sum, double bound, std::int64_t exponent) {
  const double largest = std::max(std::abs(sum[0].high), std::abs(sum[1].high));
  if (!(largest > 0)) return std::nullopt;
  const std::int64_t size = exponent_above(largest) + exponent;
  if (size > most_exponent || size < -most_exponent) return std::nullopt;
  const auto scale = static_cast<int>(exponent);
  SmallSum result;
  result.middle = {std::ldexp(sum[0].high, scale), std::ldexp(sum[1].high, scale)};
  const double rest = std::abs(sum[0].low) + std::abs(sum[1].low);
  // A low part, or the bound, may end below the range of normal numbers.
  result.radius = std::ldexp((rest + bound) * slack, scale) + 0x1p-1060;
  return result;
}

/// |computed - true| of a permanent, of rows whose magnitudes add up to at most 1 (small_sums.hpp).
double permanent_bound(double n, double parts, double steps) {
  const double roundings = parts == 1 ? 2 : 6;
  const double low_of_sum = parts * n * 2 * u;
  const double low_of_factor = low_of_sum + 2 * u;
  const double cut = n * parts * n * 0x1p-100;
  const double left_out = n * (n + 1) / 2 * low_of_factor * low_of_sum;
  const double rounded = (n + 1) * (n + 2) / 2 * low_of_factor * roundings * u;
  // A block's low part: of each term its own, and what the high parts' sum rounds; two roundings a step.
  const double block = std::min<double>(steps, lanes::steps_of_a_block);
  const double low_of_block = block * (n * low_of_factor + block * u) * slack;
  const double within_blocks = 2 * u * low_of_block;
  const double blocks = steps / block;
  const double low_of_total = blocks * (low_of_block + steps * u) * slack;
  // Two roundings a block, and the lanes' pairs added up: four sums of pairs for each, of 3.1 u^2.
  const double beyond_blocks = (2 * blocks + 8) * u * low_of_total / steps + 32 * 3.1 * u * u;
  return (cut + left_out + rounded + parts * (within_blocks + beyond_blocks) + 0x1p-1000) * slack;
}

/// A matrix as the walk takes it.
class Layout {
 public:
  Layout(unsigned lane_count, bool complex) : lane_count_(lane_count), parts_(complex ? 2 : 1) {}

  /// False where small_permanent() has nothing.
  bool lay_out(std::span<const double> entries, std::size_t rows) {
    rows_ = std::max(rows, least_rows);
    for (std::size_t i = 0; i < rows; ++i) {
      const std::span<const double> row = entries.subspan(i * rows * parts_, rows * parts_);
      double magnitude = 0;
      for (const double part : row) magnitude += std::abs(part);
      if (!(magnitude > 0x1p-900 && magnitude < 0x1p900)) return false;
      // Above the sum, whatever it rounded.
      const int exponent = exponent_above(magnitude * (1 + 0x1p-40));
      exponent_ += exponent;
      const double scale = std::ldexp(1.0, -exponent);
      for (std::size_t j = 0; j < rows; ++j) {
        for (std::size_t k = 0; k < parts_; ++k) split(i, j, k, row[j * parts_ + k] * scale);
      }
    }
    for (std::size_t i = rows; i < rows_; ++i) split(i, i, 0, 1);  // leaves the permanent as it is
    return true;
  }

  std::optional<SmallSum> sum(const lanes::DoubleVariant& variant) {
    const auto lane_columns = static_cast<std::size_t>(std::countr_zero(variant.lanes));
    start(lane_columns);
    lanes::DoubleWalk walk;
    walk.rows = static_cast<unsigned>(rows_);
    walk.parts = static_cast<unsigned>(parts_);
    walk.columns = static_cast<unsigned>(rows_ - 1 - lane_columns);
    std::array<const double*, most_small_rows> plus{};
    std::array<const double*, most_small_rows> minus{};
    for (std::size_t c = 0; c < walk.columns; ++c) {
      const std::size_t column = 1 + lane_columns + c;
      for (std::size_t k = 0; k < numbers() * rows_; ++k) {
        plus_[c][k] = 2 * columns_[column][k];
        minus_[c][k] = -plus_[c][k];
      }
      plus[c] = plus_[c].data();
      minus[c] = minus_[c].data();
    }
    walk.plus = plus.data();
    walk.minus = minus.data();
    walk.sums = sums_.data();
    lanes::DoubleTotals totals;
    variant.walk(walk, totals);
    std::array<DoubleDouble, 2> sum;
    for (std::size_t part = 0; part < parts_; ++part) {
      for (unsigned lane = 0; lane < variant.lanes; ++lane) {
        DoubleDouble one = double_double::two_sum(totals.high[part][lane], totals.low[part][lane]);
        if (std::popcount(lane) % 2 != 0) one = double_double::negate(one);
        sum[part] = double_double::add(sum[part], one);
      }
    }
    const auto n = static_cast<double>(rows_);
    const double steps = std::ldexp(1.0, static_cast<int>(walk.columns));
    const double terms = steps * variant.lanes;
    return rounded(sum, permanent_bound(n, static_cast<double>(parts_), steps) * terms,
                   exponent_ - static_cast<std::int64_t>(rows_ - 1));
  }

 private:
  std::size_t numbers() const { return 2 * parts_; }

  /// The high part: a multiple of 2^-51, which adding 3 leaves; the low one likewise of 2^-99.
  void split(std::size_t row, std::size_t column, std::size_t part, double value) {
    constexpr double to_high = 3;
    constexpr double to_low = 0x3p-48;
    const double high = (value + to_high) - to_high;
    double* const place = columns_[column].data() + numbers() * row + 2 * part;
    place[0] = high;
    place[1] = ((value - high) + to_low) - to_low;
  }

  /// The rows' sums with the signs of the lanes' columns.
  void start(std::size_t lane_columns) {
    for (std::size_t k = 0; k < numbers() * rows_; ++k) {
      double all = columns_[0][k];
      for (std::size_t column = 1 + lane_columns; column < rows_; ++column) all += columns_[column][k];
      double* const lane_sums = sums_.data() + lane_count_ * k;
      std::fill_n(lane_sums, lane_count_, all);
      for (std::size_t c = 0; c < lane_columns; ++c) {
        const double value = columns_[1 + c][k];
        for (std::size_t lane = 0; lane < lane_count_; ++lane)
          lane_sums[lane] += (lane >> c & 1) != 0 ? -value : value;
      }
    }
  }

  using Column = std::array<double, most_small_rows * most_numbers>;
  std::size_t lane_count_;
  std::size_t parts_;
  std::size_t rows_ = 0;
  std::int64_t exponent_ = 0;
  std::array<Column, most_small_rows> columns_{};
  std::array<Column, most_small_rows> plus_;
  std::array<Column, most_small_rows> minus_;
  alignas(64) std::array<double, most_small_rows * most_numbers * lanes::most_double_lanes> sums_;
};

}  // namespace

std::optional<SmallSum> small_permanent(std::span<const double> entries, std::size_t rows, bool complex,
                                        LaneChoice lanes) {
  if (rows == 0 || rows > most_small_rows) return std::nullopt;
  const std::optional<lanes::DoubleVariant> variant = double_variant(lanes);
  if (!variant) return std::nullopt;
  Layout layout(variant->lanes, complex);
  if (!layout.lay_out(entries, rows)) return std::nullopt;
  return layout.sum(*variant);
}

std::optional<SmallSum> small_hafnian(std::span<const double> entries, std::size_t vertices, bool complex,
                                      bool loops, LaneChoice lanes) {
  if (vertices == 0 || vertices > most_small_vertices || (vertices % 2 != 0 && !loops)) return std::nullopt;
  const std::optional<lanes::DoubleVariant> variant = double_variant(lanes);
  if (!variant) return std::nullopt;
  const std::size_t parts = complex ? 2 : 1;
  // 2^shift for each vertex: an edge's weight is divided by 2^(2 shift), a loop's by 2^shift, and no part
  // is above 1.
  std::vector<double> scaled(entries.begin(), entries.end());
  double largest_edge = 0;
  double largest_loop = 0;
  double least = 0x1p900;
  for (std::size_t i = 0; i < vertices; ++i) {
    for (std::size_t k = parts * (vertices * i + i); k < parts * vertices * (i + 1); ++k) {
      const double size = std::abs(entries[k]);
      const bool loop = k < parts * (vertices * i + i + 1);
      if (loop && !loops) continue;
      if (!(size < 0x1p900)) return std::nullopt;
      if (size > 0) least = std::min(least, size);
      (loop ? largest_loop : largest_edge) = std::max(loop ? largest_loop : largest_edge, size);
    }
  }
  const double largest = std::max(largest_edge, largest_loop);
  if (!(largest > 0x1p-900) || least < largest * 0x1p-500) return std::nullopt;
  int shift = largest_edge > 0 ? (exponent_above(largest_edge) + 1) >> 1 : exponent_above(largest_loop);
  if (largest_loop > 0) shift = std::max(shift, exponent_above(largest_loop));
  const double of_edges = std::ldexp(1.0, -shift);
  for (std::size_t i = 0; i < vertices; ++i) {
    for (std::size_t j = i; j < vertices; ++j) {
      for (std::size_t k = 0; k < parts; ++k) {
        double& entry = scaled[parts * (vertices * i + j) + k];
        entry = i == j ? entry * of_edges : entry * of_edges * of_edges;
        // Lower down every multiplication could lose what the bound does not have.
        if (entry != 0 && std::abs(entry) < 0x1p-500) return std::nullopt;
      }
    }
  }
  // Kept, since fresh pages would take longer than the sum.
  thread_local std::vector<double> tables;
  tables.resize(std::max<std::size_t>(
      tables.size(), lanes::hafnian_places(static_cast<unsigned>(vertices), static_cast<unsigned>(parts))));
  lanes::DoubleHafnian hafnian;
  hafnian.vertices = static_cast<unsigned>(vertices);
  hafnian.parts = static_cast<unsigned>(parts);
  hafnian.loops = loops;
  hafnian.entry = scaled.data();
  hafnian.tables = tables.data();
  variant->hafnian(hafnian);
  std::array<DoubleDouble, 2> sum;
  for (std::size_t part = 0; part < parts; ++part)
    sum[part] = {hafnian.value[2 * part], hafnian.value[2 * part + 1]};
  // On its way a product passes at most n multiplications (of complex numbers with a sum each) and n (n + 1)
  // / 2 sums; the magnitudes, of as many operations on doubles, are right to 2^-40. What underflows is below
  // 2^-1074, times all matchings.
  const auto n = static_cast<double>(vertices);
  const double errors = n * 8.2 + n * (n + 1) / 2 * 3.1;
  const double bound = errors * u * u * hafnian.magnitude * (1 + 0x1p-40) * slack + 0x1p-900;
  return rounded(sum, bound, static_cast<std::int64_t>(shift) * static_cast<std::int64_t>(vertices));
}

}  // namespace countpm
