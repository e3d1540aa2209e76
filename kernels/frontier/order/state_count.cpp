#include "kernels/frontier/order/state_count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "kernels/arithmetic/log2_sum.hpp"

namespace countpm {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double bits_a_nat = 1.4426950408889634;
// Products of polynomials beyond this many coefficients are replaced by the normal approximation: such tables
// are out of reach, and 1 % more or less does not matter.
constexpr std::uint64_t most_coefficients = 2048;
// The rule that at most as many are matched as there are eliminated members is used where those are so few.
constexpr std::uint64_t few_gone = 64;

/// Coefficients value[k] * 2^log2_scale: products of hundreds of factors stay within double's range.
struct ScaledPolynomial {
  std::vector<double> value{1.0};
  double log2_scale = 0;

  void normalise() {
    const double largest = *std::max_element(value.begin(), value.end());
    if (largest < 1e100) return;
    const int exponent = std::ilogb(largest);
    for (double& v : value) v = std::ldexp(v, -exponent);
    log2_scale += exponent;
  }
  /// Times 1 + x + ... + x^m: sums over a sliding window. Each is the end of a block of m + 1 terms and the
  /// beginning of the next: nothing is subtracted, so that small coefficients keep their digits.
  void times_run(Index m) {
    const std::size_t length = m + std::size_t{1};
    const std::size_t terms = value.size() + m;
    value.resize(terms, 0.0);
    std::vector<double> to_block_end = value;
    for (std::size_t k = terms - 1; k-- > 0;) {
      if ((k + 1) % length != 0) to_block_end[k] += to_block_end[k + 1];
    }
    double from_block_start = 0;
    for (std::size_t k = 0; k < terms; ++k) {
      from_block_start = k % length == 0 ? value[k] : from_block_start + value[k];
      const bool whole = k % length == m || k < m;
      value[k] = whole ? from_block_start : to_block_end[k - m] + from_block_start;
    }
    normalise();
  }
};

std::uint64_t total(const std::vector<Index>& multiplicities) {
  return std::accumulate(multiplicities.begin(), multiplicities.end(), std::uint64_t{0});
}

ScaledPolynomial product_of(Index singles, const std::vector<Index>& wide) {
  ScaledPolynomial result;
  for (Index i = 0; i < singles; ++i) result.times_run(1);
  for (const Index m : wide) result.times_run(m);
  return result;
}

double log2_or_none(double value, double log2_scale) {
  return value > 0 ? std::log2(value) + log2_scale : -infinity;
}

/// The normal approximation of the coefficient of x^k.
double log2_normal(const std::vector<Index>& wide, Index singles, double k) {
  double all = singles;
  double mean = singles * 0.5;
  double variance = singles * 0.25;
  for (const double m : wide) {
    all += std::log2(m + 1);
    mean += m / 2;
    variance += m * (m + 2) / 12;
  }
  const double off = k - mean;
  return std::max(0.0,
                  all - off * off / (2 * variance) * bits_a_nat - 0.5 * std::log2(6.283185307 * variance));
}

double log2_general(const FrontierProfile& profile) {
  const std::uint64_t members = profile.single_columns + total(profile.wide_columns);
  if (profile.monomers) {
    const std::uint64_t taken = profile.rows_gone * profile.most_taken;
    if (taken >= members || taken > few_gone || members > most_coefficients) {
      double all = profile.single_columns;
      for (const Index m : profile.wide_columns) all += std::log2(m + 1.0);
      return all;
    }
    if (!profile.wide_columns.empty()) {
      const ScaledPolynomial all = product_of(profile.single_columns, profile.wide_columns);
      return log2_or_none(
          std::accumulate(all.value.begin(), all.value.begin() + static_cast<std::ptrdiff_t>(taken + 1), 0.0),
          all.log2_scale);
    }
    double sum = -infinity;
    for (std::uint64_t k = 0; k <= taken; ++k)
      sum = log2_sum(sum, log2_binomial(profile.single_columns, static_cast<double>(k)));
    return sum;
  }
  const std::uint64_t parity = profile.rows_gone % 2;
  if (profile.rows_gone < members && profile.rows_gone <= few_gone && members <= most_coefficients) {
    if (profile.wide_columns.empty()) {
      double sum = -infinity;
      for (std::uint64_t k = parity; k <= profile.rows_gone; k += 2) {
        sum = log2_sum(sum, log2_binomial(profile.single_columns, static_cast<double>(k)));
      }
      return sum;
    }
    const ScaledPolynomial all = product_of(profile.single_columns, profile.wide_columns);
    double sum = 0;
    for (std::uint64_t k = parity; k <= profile.rows_gone; k += 2) sum += all.value[k];
    return log2_or_none(sum, all.log2_scale);
  }
  // (all vectors +- those that the alternating sum leaves) / 2
  double all = profile.single_columns;
  bool even = profile.single_columns == 0;
  for (const Index m : profile.wide_columns) {
    all += std::log2(m + 1.0);
    even = even && m % 2 == 0;
  }
  const double left = even ? (parity == 0 ? 1 : -1) : 0;
  return all > 60 ? all - 1 : log2_or_none((std::exp2(all) + left) / 2, 0);
}

/// The sum of C(rows, t) C(columns, t + off) over t = 0 .. last: a term from the one before it.
double log2_products(Index rows, Index columns, std::int64_t off, std::uint64_t last) {
  const std::int64_t begin = std::max<std::int64_t>(0, -off);
  const std::int64_t end = std::min({static_cast<std::int64_t>(last), static_cast<std::int64_t>(rows),
                                     static_cast<std::int64_t>(columns) - off});
  if (begin > end) return -infinity;
  double log2_scale = log2_binomial(rows, static_cast<double>(begin)) +
                      log2_binomial(columns, static_cast<double>(begin + off));
  double term = 1;
  double sum = 1;
  for (std::int64_t t = begin; t < end; ++t) {
    const auto next = static_cast<double>(t + 1);
    const auto next_column = static_cast<double>(t + off + 1);
    term *= (rows - next + 1) * (columns - next_column + 1) / (next * next_column);
    sum += term;
    if (sum > 0x1p+500) {
      sum *= 0x1p-500;
      term *= 0x1p-500;
      log2_scale += 500;
    }
  }
  return std::log2(sum) + log2_scale;
}

double log2_bipartite(const FrontierProfile& profile) {
  const std::int64_t balance =
      static_cast<std::int64_t>(profile.rows_gone) - static_cast<std::int64_t>(profile.columns_gone);
  const std::uint64_t wide_row_members = total(profile.wide_rows);
  const std::uint64_t row_members = profile.single_rows + wide_row_members;
  const std::uint64_t column_members = profile.single_columns + total(profile.wide_columns);
  const std::uint64_t members = row_members + column_members;
  if (profile.columns_gone < row_members && profile.columns_gone <= few_gone &&
      members <= most_coefficients) {
    if (profile.wide_rows.empty() && profile.wide_columns.empty()) {
      return log2_products(profile.single_rows, profile.single_columns, balance, profile.columns_gone);
    }
    const ScaledPolynomial rows = product_of(profile.single_rows, profile.wide_rows);
    const ScaledPolynomial columns = product_of(profile.single_columns, profile.wide_columns);
    double sum = 0;
    for (std::uint64_t t = 0; t <= profile.columns_gone; ++t) {
      const std::int64_t other = static_cast<std::int64_t>(t) + balance;
      if (other < 0 || other >= static_cast<std::int64_t>(columns.value.size())) continue;
      sum += rows.value[t] * columns.value[static_cast<std::size_t>(other)];
    }
    return log2_or_none(sum, rows.log2_scale + columns.log2_scale);
  }
  const std::int64_t k = balance + static_cast<std::int64_t>(row_members);
  if (k < 0 || k > static_cast<std::int64_t>(members)) return -infinity;
  const Index singles = profile.single_rows + profile.single_columns;
  if (profile.wide_rows.empty() && profile.wide_columns.empty()) {
    return log2_binomial(singles, static_cast<double>(k));
  }
  std::vector<Index> wide = profile.wide_rows;
  wide.insert(wide.end(), profile.wide_columns.begin(), profile.wide_columns.end());
  if (members > most_coefficients) return log2_normal(wide, singles, static_cast<double>(k));
  const ScaledPolynomial several = product_of(0, wide);
  double result = -infinity;
  for (std::size_t j = 0; j < several.value.size(); ++j) {
    const double rest = log2_binomial(singles, static_cast<double>(k) - static_cast<double>(j));
    result = log2_sum(result, rest + log2_or_none(several.value[j], several.log2_scale));
  }
  return result;
}

/// The mean of s under weights t^s, s = 0 .. m.
double mean_of(double tilt, Index m) {
  if (m == 1) return tilt / (1 + tilt);
  double weight = 1;
  double sum = 1;
  double moment = 0;
  // Downwards from the heavy end, so that nothing overflows.
  const double t = tilt > 1 ? 1 / tilt : tilt;
  for (Index s = 1; s <= m; ++s) {
    weight *= t;
    sum += weight;
    moment += weight * s;
  }
  const double mean = moment / sum;
  return tilt > 1 ? m - mean : mean;
}

double log2_of_profile(const FrontierProfile& profile) {
  return profile.general ? log2_general(profile) : log2_bipartite(profile);
}

/// Orders that are compared have many profiles in common, above all where classes are of one size.
class ProfileMemo {
 public:
  double of(const FrontierProfile& profile) {
    constexpr std::size_t most_known = 4096;
    const auto at = known_.find(profile);
    if (at != known_.end()) return at->second;
    if (known_.size() >= most_known) known_.clear();
    return known_.emplace(profile, log2_of_profile(profile)).first->second;
  }

 private:
  struct Hash {
    std::size_t operator()(const FrontierProfile& profile) const {
      std::uint64_t hash = (profile.general ? 1U : 0U) + (profile.monomers ? 2U : 0U);
      const auto take = [&hash](std::uint64_t number) {
        hash = (hash ^ number) * 0x9e3779b97f4a7c15;
        hash ^= hash >> 29U;
      };
      take(profile.most_taken);
      take(profile.rows_gone);
      take(profile.columns_gone);
      take(profile.single_rows);
      take(profile.single_columns);
      take(profile.wide_rows.size());
      for (const auto* wide : {&profile.wide_rows, &profile.wide_columns}) {
        for (const Index multiplicity : *wide) take(multiplicity);
      }
      return hash;
    }
  };

  std::unordered_map<FrontierProfile, double, Hash> known_;
};

void insert_sorted(std::vector<Index>& list, Index value) {
  list.insert(std::upper_bound(list.begin(), list.end(), value), value);
}
void erase_sorted(std::vector<Index>& list, Index value) {
  list.erase(std::lower_bound(list.begin(), list.end(), value));
}

}  // namespace

void FrontierProfile::insert(Index multiplicity, bool row) {
  if (multiplicity == 1) {
    ++(row ? single_rows : single_columns);
  } else {
    insert_sorted(row ? wide_rows : wide_columns, multiplicity);
  }
}

void FrontierProfile::erase(Index multiplicity, bool row) {
  if (multiplicity == 1) {
    --(row ? single_rows : single_columns);
  } else {
    erase_sorted(row ? wide_rows : wide_columns, multiplicity);
  }
}

FrontierProfile& FrontierProfile::operator+=(const FrontierProfile& other) {
  rows_gone += other.rows_gone;
  columns_gone += other.columns_gone;
  single_rows += other.single_rows;
  single_columns += other.single_columns;
  for (const Index m : other.wide_rows) insert_sorted(wide_rows, m);
  for (const Index m : other.wide_columns) insert_sorted(wide_columns, m);
  return *this;
}

double log2_admitted(const FrontierProfile& profile) {
  if (profile.wide_rows.empty() && profile.wide_columns.empty()) return log2_of_profile(profile);
  thread_local ProfileMemo memo;
  return memo.of(profile);
}

double admitted_tilt(const FrontierProfile& profile) {
  const double row_members = static_cast<double>(profile.single_rows + total(profile.wide_rows));
  const double column_members = static_cast<double>(profile.single_columns + total(profile.wide_columns));
  const double members = row_members + column_members;
  double target =
      static_cast<double>(profile.rows_gone) - static_cast<double>(profile.columns_gone) + row_members;
  if (profile.general) target = std::min(members / 2, static_cast<double>(profile.rows_gone));
  if (members == 0) return 1;
  target = std::clamp(target, 1e-6 * members, (1 - 1e-6) * members);
  if (profile.wide_rows.empty() && profile.wide_columns.empty()) return target / (members - target);
  const double singles = profile.single_rows + profile.single_columns;
  double low = -40;  // of log2 t
  double high = 40;
  for (int step = 0; step < 50; ++step) {
    const double middle = (low + high) / 2;
    const double tilt = std::exp2(middle);
    double mean = singles * mean_of(tilt, 1);
    for (const Index m : profile.wide_rows) mean += mean_of(tilt, m);
    for (const Index m : profile.wide_columns) mean += mean_of(tilt, m);
    (mean < target ? low : high) = middle;
  }
  return std::exp2(low);
}

}  // namespace countpm
