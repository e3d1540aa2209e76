#include "src/checks/power_of_two.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <random>
#include <vector>

#include "graph/stop_poll.hpp"
#include "kernels/support/popcount_clones.hpp"

namespace countpm {
namespace {

constexpr Index bits_of_word = 64;
// Seconds: a row of up to 64 columns of 0 and 1, an entry of others, a word of a row in the elimination. One
// core of an AMD EPYC, 2026-11-29, rounded up.
constexpr double seconds_a_row = 1.7e-9;
constexpr double seconds_an_entry = 6.5e-9;
constexpr double seconds_a_word = 1e-9;
constexpr double seconds_a_set = 1e-8;
// Where B has no inverse, so many c are tried.
constexpr int most_shifts = 4;

/// Of e with fewer than `bits` ones.
double sets_below(Index n, unsigned bits) {
  double sum = 0;
  double choose = 1;
  for (unsigned j = 0; j < bits && j <= n; ++j) {
    sum += choose;
    choose *= static_cast<double>(n - j) / (j + 1);
  }
  return sum;
}

/// prod_i (shift_i + how many of the columns in row i are in the set).
COUNTPM_POPCOUNT_CLONES std::uint64_t product_of_sums(const std::uint64_t* rows, const std::uint8_t* shifts,
                                                      Index n, std::uint64_t set) {
  std::uint64_t even = 1;  // two chains of multiplications
  std::uint64_t odd = 1;
  Index i = 0;
  for (; i + 1 < n; i += 2) {
    even *= shifts[i] + static_cast<std::uint64_t>(std::popcount(rows[i] & set));
    odd *= shifts[i + 1] + static_cast<std::uint64_t>(std::popcount(rows[i + 1] & set));
  }
  if (i < n) even *= shifts[i] + static_cast<std::uint64_t>(std::popcount(rows[i] & set));
  return even * odd;
}

class PermanentModulo {
 public:
  explicit PermanentModulo(const SparseMatrix<std::int64_t>& matrix)
      : matrix_(matrix), n_(matrix.rows), words_((n_ + bits_of_word - 1) / bits_of_word) {
    const auto is_bit = [](std::int64_t value) { return value == 0 || value == 1; };
    one_word_ = words_ == 1 && std::all_of(matrix.value.begin(), matrix.value.end(), is_bit);
    if (!one_word_) return;
    masks_.assign(n_, 0);
    for (Index i = 0; i < n_; ++i) {
      for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k)
        masks_[i] |= static_cast<std::uint64_t>(matrix.value[k]) << matrix.column[k];
    }
  }

  double seconds_each() const {
    return seconds_a_set +
           (one_word_ ? seconds_a_row * n_ : seconds_an_entry * static_cast<double>(entries()));
  }
  double seconds_to_eliminate() const {
    return seconds_a_word * static_cast<double>(n_) * static_cast<double>(n_) *
           static_cast<double>(2 * words_);
  }

  std::optional<ResidueOfPermanent> run(unsigned bits) {
    eliminate();
    if (!choose_shifts(bits)) return std::nullopt;
    begin();
    sum_ = sets_ = 0;
    visit(0, bits_ - 1, [this] { add_solutions(); });
    return ResidueOfPermanent{bits_, sum_ & ((std::uint64_t{1} << bits_) - 1), sets_};
  }

 private:
  std::uint64_t entries() const { return matrix_.value.size(); }

  /// Gauss and Jordan on B with the unit matrix beside it: U B = R. What R has of pivots gives a solution of
  /// B x = y, the rows of U where R is 0 say of which y there is one, and R gives the kernel of B.
  void eliminate() {
    const std::size_t wide = 2 * words_;
    std::vector<std::uint64_t> rows(n_ * wide, 0);
    const auto bit = [&](Index i, std::size_t column) -> bool {
      return ((rows[i * wide + column / bits_of_word] >> (column % bits_of_word)) & 1) != 0;
    };
    const std::size_t beside = words_ * bits_of_word;
    for (Index i = 0; i < n_; ++i) {
      for (std::uint64_t k = matrix_.row_start[i]; k < matrix_.row_start[i + std::uint64_t{1}]; ++k) {
        if (matrix_.value[k] % 2 == 0) continue;
        rows[i * wide + matrix_.column[k] / bits_of_word] ^= std::uint64_t{1}
                                                             << (matrix_.column[k] % bits_of_word);
      }
      rows[i * wide + (beside + i) / bits_of_word] |= std::uint64_t{1} << ((beside + i) % bits_of_word);
    }
    std::vector<Index> pivot;  // the column of each row that has one
    std::vector<Index> free;
    StopPoll poll;
    for (Index j = 0; j < n_; ++j) {
      auto row = static_cast<Index>(pivot.size());
      while (row < n_ && !bit(row, j)) ++row;
      if (row == n_) {
        free.push_back(j);
        continue;
      }
      const auto to = static_cast<Index>(pivot.size());
      const auto at = [&](Index i) { return rows.begin() + static_cast<std::ptrdiff_t>(i * wide); };
      if (row != to) std::swap_ranges(at(row), at(row) + static_cast<std::ptrdiff_t>(wide), at(to));
      for (Index i = 0; i < n_; ++i) {
        poll.step();
        if (i == to || !bit(i, j)) continue;
        for (std::size_t w = 0; w < wide; ++w) rows[i * wide + w] ^= rows[to * wide + w];
      }
      pivot.push_back(j);
    }
    nullity_ = static_cast<Index>(free.size());
    syndrome_words_ = (nullity_ + bits_of_word - 1) / bits_of_word;
    solution_.assign(n_ * words_, 0);
    syndrome_.assign(n_ * syndrome_words_, 0);
    for (Index i = 0; i < n_; ++i) {
      for (std::size_t k = 0; k < pivot.size(); ++k) {
        if (bit(static_cast<Index>(k), beside + i)) set(&solution_[i * words_], pivot[k]);
      }
      for (Index k = 0; k < nullity_; ++k) {
        if (bit(static_cast<Index>(pivot.size()) + k, beside + i)) set(&syndrome_[i * syndrome_words_], k);
      }
    }
    kernel_.assign(nullity_ * words_, 0);
    for (Index f = 0; f < nullity_; ++f) {
      set(&kernel_[f * words_], free[f]);
      for (std::size_t k = 0; k < pivot.size(); ++k) {
        if (bit(static_cast<Index>(k), free[f])) set(&kernel_[f * words_], pivot[k]);
      }
    }
  }

  static void set(std::uint64_t* words, std::size_t bit) {
    words[bit / bits_of_word] ^= std::uint64_t{1} << (bit % bits_of_word);
  }

  /// Finds c, and as many bits as there are with it not many more sets than there are e.
  bool choose_shifts(unsigned bits) {
    shifts_.assign(n_, 0);
    bits_ = bits;
    if (nullity_ == 0) return true;
    std::mt19937_64 random(n_);
    for (; bits_ >= 2; --bits_) {
      for (int k = 0; k < most_shifts; ++k) {
        for (std::uint8_t& shift : shifts_) shift = static_cast<std::uint8_t>(random() & 1);
        begin();
        double solvable = 0;
        visit(0, bits_ - 1, [&] { ++solvable; });
        if (std::ldexp(solvable, static_cast<int>(nullity_)) <= 4 * sets_below(n_, bits_)) return true;
      }
    }
    return false;
  }

  /// x and the syndrome of 1 + c.
  void begin() {
    x_.assign(words_, 0);
    now_.assign(syndrome_words_, 0);
    for (Index i = 0; i < n_; ++i) {
      if (shifts_[i] == 0) flip(i);
    }
  }

  void flip(Index i) {
    for (std::size_t w = 0; w < words_; ++w) x_[w] ^= solution_[i * words_ + w];
    for (std::size_t w = 0; w < syndrome_words_; ++w) now_[w] ^= syndrome_[i * syndrome_words_ + w];
  }

  /// Calls found() at this e and at all with up to `left` more ones from `first` on, of which B x = 1 + c + e
  /// has a solution. The depth is that of the bits.
  template <class Found>
  void visit(Index first, unsigned left, const Found& found) {
    poll_.step();
    if (std::all_of(now_.begin(), now_.end(), [](std::uint64_t word) { return word == 0; })) found();
    if (left == 0) return;
    for (Index i = first; i < n_; ++i) {
      flip(i);
      visit(i + 1, left - 1, found);
      flip(i);
    }
  }

  /// Of x and all that the kernel adds to it, in Gray code's order.
  void add_solutions() {
    add_set();
    if (nullity_ == 0) return;
    const std::uint64_t end = std::uint64_t{1} << nullity_;  // choose_shifts() saw to that
    for (std::uint64_t k = 1; k < end; ++k) {
      poll_.step();
      move(static_cast<Index>(std::countr_zero(k)));
      add_set();
    }
    move(nullity_ - 1);
  }
  void move(Index k) {
    for (std::size_t w = 0; w < words_; ++w) x_[w] ^= kernel_[k * words_ + w];
  }

  void add_set() {
    ++sets_;
    std::uint64_t product = 1;
    Index members = 0;
    for (const std::uint64_t word : x_) members += static_cast<Index>(std::popcount(word));
    if (one_word_) {
      product = product_of_sums(masks_.data(), shifts_.data(), n_, x_[0]);
    } else {
      for (Index i = 0; i < n_; ++i) {
        std::uint64_t sum = shifts_[i];
        for (std::uint64_t k = matrix_.row_start[i]; k < matrix_.row_start[i + std::uint64_t{1}]; ++k) {
          const Index j = matrix_.column[k];
          if (((x_[j / bits_of_word] >> (j % bits_of_word)) & 1) != 0)
            sum += static_cast<std::uint64_t>(matrix_.value[k]);
        }
        product *= sum;
      }
    }
    sum_ += (n_ - members) % 2 == 0 ? product : 0 - product;
  }

  const SparseMatrix<std::int64_t>& matrix_;
  Index n_;
  std::size_t words_;
  bool one_word_ = false;
  std::vector<std::uint64_t> masks_;  // rows, where one_word_
  std::vector<std::uint64_t>
      solution_;  // of B x = e_i, where e_i alone has one: of what is left by the pivots
  std::vector<std::uint64_t> syndrome_;  // what has to cancel for a solution
  std::vector<std::uint64_t> kernel_;
  Index nullity_ = 0;
  std::size_t syndrome_words_ = 0;
  std::vector<std::uint8_t> shifts_;  // c
  unsigned bits_ = 0;
  std::vector<std::uint64_t> x_;
  std::vector<std::uint64_t> now_;  // the syndrome of 1 + c + e
  std::uint64_t sum_ = 0;
  std::uint64_t sets_ = 0;
  StopPoll poll_;
};

}  // namespace

std::optional<ResidueOfPermanent> permanent_modulo_power_of_two(const SparseMatrix<std::int64_t>& matrix,
                                                                double seconds) {
  PermanentModulo permanent(matrix);
  const double left = seconds - permanent.seconds_to_eliminate();
  unsigned bits = 1;
  while (bits < most_bits_of_residue && sets_below(matrix.rows, bits + 1) * permanent.seconds_each() <= left)
    ++bits;
  if (bits < 2 || matrix.rows == 0) return std::nullopt;
  return permanent.run(bits);
}

}  // namespace countpm
