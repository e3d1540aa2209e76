#pragma once
// All states of some digits, one copy of one column changing from each to the next: reflected Gray code in
// mixed radices (D. E. Knuth, The Art of Computer Programming 4A, 7.2.1.1, algorithm H).
#include <cstddef>
#include <numeric>
#include <optional>
#include <vector>

#include "kernels/subsets/subset_plan.hpp"

namespace countpm {

class GrayDigits {
 public:
  /// Begins with no copy of any column.
  explicit GrayDigits(const std::vector<Digit>& digits)
      : digits_(digits), chosen_(digits.size(), 0), falling_(digits.size(), 0), focus_(digits.size() + 1) {
    std::iota(focus_.begin(), focus_.end(), std::size_t{0});
  }

  Index chosen(std::size_t digit) const { return chosen_[digit]; }

  struct Change {
    std::size_t digit;
    bool out;  // a copy fewer, else one more
  };
  /// Empty after the last state. O(1).
  std::optional<Change> next() {
    const std::size_t j = focus_[0];
    focus_[0] = 0;
    if (j == digits_.size()) return std::nullopt;
    const Change change{j, falling_[j] != 0};
    chosen_[j] = change.out ? chosen_[j] - 1 : chosen_[j] + 1;
    if (chosen_[j] == 0 || chosen_[j] == digits_[j].copies) {
      falling_[j] = change.out ? 0 : 1;
      focus_[j] = focus_[j + 1];
      focus_[j + 1] = j + 1;
    }
    return change;
  }

 private:
  std::vector<Digit> digits_;
  std::vector<Index> chosen_;
  std::vector<char> falling_;
  std::vector<std::size_t> focus_;
};

}  // namespace countpm
