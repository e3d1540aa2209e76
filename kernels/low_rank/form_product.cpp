#include "kernels/low_rank/form_product.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "kernels/arithmetic/log2_sum.hpp"

// The inner loop is compiled for each width of vectors too; it must not throw
// (kernels/support/popcount_clones.hpp).
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define COUNTPM_WIDTH_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define COUNTPM_WIDTH_CLONES
#endif

namespace countpm::low_rank {
namespace {

constexpr std::uint64_t beyond = std::uint64_t{1} << 63;
// So many products of numbers of lane_prime_bits are below 2^32 p, as a Montgomery reduction by 2^32 asks.
constexpr std::size_t products_a_reduction = 7;

/// table[start + i] = sum of the terms, i < length.
COUNTPM_WIDTH_CLONES
void sum_in_lanes(std::uint32_t* table, std::uint64_t start, std::uint64_t length, const FormTerm* terms,
                  std::size_t count, std::uint32_t prime, std::uint32_t minus_inverse) {
  constexpr std::uint64_t chunk = 256;
  std::uint64_t products[chunk];
  std::uint32_t sums[chunk];
  const std::uint64_t modulus = prime;
  // From the last to the first: with two letters a run is made of itself.
  for (std::uint64_t left = length; left > 0;) {
    const std::uint64_t size = left < chunk ? left : chunk;
    left -= size;
    const std::uint64_t done = left;
    for (std::uint64_t i = 0; i < size; ++i) sums[i] = 0;
    for (std::size_t first = 0; first < count; first += products_a_reduction) {
      const std::size_t last = count - first < products_a_reduction ? count : first + products_a_reduction;
      for (std::uint64_t i = 0; i < size; ++i) products[i] = 0;
      for (std::size_t k = first; k < last; ++k) {
        const FormTerm& term = terms[k];
        const std::uint64_t begin = term.begin > done ? term.begin : done;
        const std::uint64_t end = term.end < done + size ? term.end : done + size;
        if (begin >= end) continue;
        const std::uint64_t coefficient = term.coefficient;
        const std::uint32_t* const from = table + term.from + (begin - term.begin);
        std::uint64_t* const to = products + (begin - done);
        const std::uint64_t terms_here = end - begin;
        for (std::uint64_t i = 0; i < terms_here; ++i) to[i] += coefficient * from[i];
      }
      for (std::uint64_t i = 0; i < size; ++i) {
        const std::uint64_t multiple = static_cast<std::uint32_t>(products[i]) * minus_inverse;
        auto reduced =
            static_cast<std::uint32_t>((products[i] + static_cast<std::uint32_t>(multiple) * modulus) >> 32);
        reduced = reduced >= prime ? reduced - prime : reduced;
        const std::uint32_t sum = sums[i] + reduced;
        sums[i] = sum >= prime ? sum - prime : sum;
      }
    }
    for (std::uint64_t i = 0; i < size; ++i) table[start + done + i] = sums[i];
  }
}

}  // namespace

Binomials::Binomials(std::uint64_t most_n, std::uint64_t most_k)
    : width_(most_k + 1), table_((most_n + 1) * (most_k + 1), 0) {
  for (std::uint64_t n = 0; n <= most_n; ++n) {
    table_[n * width_] = 1;
    for (std::uint64_t k = 1; k <= std::min(n, most_k); ++k) {
      const std::uint64_t sum = table_[(n - 1) * width_ + k - 1] + (k < n ? table_[(n - 1) * width_ + k] : 0);
      table_[n * width_ + k] = std::min(sum, beyond);
    }
  }
}

double ProductShape::log2_terms() const {
  const auto r = static_cast<double>(letters);
  const auto n = static_cast<double>(forms);
  return log2_binomial(n + r - 1, r - 1) + static_cast<double>(square_letters);
}

double ProductShape::multiplications() const {
  const auto r = static_cast<double>(letters);
  const auto n = static_cast<double>(forms);
  const auto s = static_cast<double>(square_letters);
  return std::exp2(log2_binomial(n + r, r) + s) * (r + s / 2);
}

FormProduct::FormProduct(const ProductShape& shape, const PrimeRing& ring, bool lanes)
    : shape_(shape),
      ring_(ring),
      lanes_(lanes && ring.prime() >> lane_prime_bits == 0),
      binomials_(shape.forms + shape.letters, shape.letters) {
  places_ = binomials_(shape.forms + shape.letters - 1, shape.letters - 1);
  const std::uint64_t words = places_ << shape.square_letters;
  if (lanes_) {
    auto inverse = static_cast<std::uint32_t>(ring.prime());
    for (int round = 0; round < 4; ++round) inverse *= 2 - static_cast<std::uint32_t>(ring.prime()) * inverse;
    minus_inverse_ = ~inverse + 1;
    narrow_.assign(words, 0);
    narrow_[0] = 1;
  } else {
    wide_.assign(words, 0);
    wide_[0] = ring.one();
  }
}

std::uint64_t FormProduct::bytes(const ProductShape& shape, bool lanes) {
  const double words = std::exp2(shape.log2_terms());
  const double tables = 8.0 * static_cast<double>((shape.forms + shape.letters + 1) * (shape.letters + 1));
  const double bytes = words * (lanes ? 4 : 8) * 1.001 + tables + 8192;
  return bytes > 0x1p62 ? std::uint64_t{1} << 62 : static_cast<std::uint64_t>(bytes);
}

double FormProduct::measured_rate(const ProductShape& shape, const PrimeRing& ring, bool lanes,
                                  double seconds, const StopSignal& stop) {
  constexpr double guess = 3e8;
  ProductShape some = shape;
  while (some.forms > 1 && some.multiplications() > seconds * guess) some.forms -= 1 + some.forms / 16;
  FormProduct product(some, ring, lanes);
  const std::vector<std::uint64_t> form(some.letters, ring.one());
  const std::vector<std::uint64_t> squares(some.square_letters, ring.one());
  WorkMeter meter(stop, 4 * seconds);
  for (std::uint64_t k = 0; k < some.forms && product.multiply(form, squares, meter); ++k) {
  }
  return std::max(static_cast<double>(meter.done()) / std::max(meter.elapsed_seconds(), 1e-7), 1.0);
}

std::uint64_t FormProduct::coefficient(std::uint64_t set, std::uint64_t place) const {
  const std::uint64_t at = set * places_ + place;
  return lanes_ ? ring_.from_residue(narrow_[at]) : wide_[at];
}

bool FormProduct::multiply(const std::vector<std::uint64_t>& form, const std::vector<std::uint64_t>& squares,
                           WorkMeter& meter) {
  const std::uint64_t sets = std::uint64_t{1} << shape_.square_letters;
  for (std::uint64_t set = sets; set-- > 0;) {
    if (static_cast<std::uint64_t>(std::popcount(set)) > forms_ + 1) continue;
    if (!multiply_set(set, form, squares, meter)) return false;
  }
  ++forms_;
  return true;
}

bool FormProduct::multiply_set(std::uint64_t set, const std::vector<std::uint64_t>& form,
                               const std::vector<std::uint64_t>& squares, WorkMeter& meter) {
  const std::uint64_t r = shape_.letters;
  const std::uint64_t degree = forms_ + 1 - static_cast<std::uint64_t>(std::popcount(set));
  // In lanes a factor of 2^32 goes with each coefficient.
  const auto coefficient = [&](std::uint64_t given) {
    if (!lanes_) return given;
    return static_cast<std::uint64_t>((ring_.to_residue(given) << 32) % ring_.prime());
  };
  std::vector<std::uint64_t> own(form.size());
  std::transform(form.begin(), form.end(), own.begin(), coefficient);
  const std::uint64_t letters = r + static_cast<std::uint64_t>(std::popcount(set));
  // s_t in sums_[t], 2 <= t < r; s_r is the degree.
  sums_.assign(r + 1, degree);
  for (;;) {
    std::uint64_t base = 0;
    for (std::uint64_t t = 2; t < r; ++t) base += binomials_(sums_[t] + t - 1, t);
    const std::uint64_t start = set * places_ + base;
    const std::uint64_t length = r == 1 ? 1 : sums_[2] + 1;
    terms_.clear();
    if (own[r - 1] != 0) terms_.push_back({own[r - 1], start, 0, length});
    // Without one x_a all s_t from t = a on are one less.
    std::uint64_t back = 0;
    for (std::uint64_t a = r - 1; a >= 1 && a < r; --a) {
      if (a >= 2) back += binomials_(sums_[a] + a - 2, a - 1);
      if (own[a - 1] == 0) continue;
      if (a > 2) {
        if (sums_[a] > sums_[a - 1]) terms_.push_back({own[a - 1], start - back, 0, length});
      } else if (length > 1) {
        // The first of x_2's is that of s_1 = 0, of x_1's that of s_1 = 1.
        terms_.push_back({own[a - 1], start - back, 2 - a, length + 1 - a});
      }
    }
    for (std::uint64_t s = 0; s < shape_.square_letters; ++s) {
      if ((set >> s & 1) == 0 || squares[s] == 0) continue;
      const std::uint64_t without = set & ~(std::uint64_t{1} << s);
      terms_.push_back({coefficient(squares[s]), without * places_ + base, 0, length});
    }
    multiply_run(start, length);
    if (meter.spend(length * letters) && !meter.look()) return false;
    std::uint64_t t = 2;
    while (t < r && sums_[t] == 0) ++t;
    if (t >= r) return true;
    --sums_[t];
    for (std::uint64_t lower = 2; lower < t; ++lower) sums_[lower] = sums_[t];
  }
}

void FormProduct::multiply_run(std::uint64_t start, std::uint64_t length) {
  if (lanes_) {
    sum_in_lanes(narrow_.data(), start, length, terms_.data(), terms_.size(),
                 static_cast<std::uint32_t>(ring_.prime()), minus_inverse_);
  } else {
    for (std::uint64_t i = length; i-- > 0;) {
      std::uint64_t sum = 0;
      for (const FormTerm& term : terms_) {
        if (i >= term.begin && i < term.end)
          sum = ring_.add(sum, ring_.mul(term.coefficient, wide_[term.from + (i - term.begin)]));
      }
      wide_[start + i] = sum;
    }
  }
}

}  // namespace countpm::low_rank
