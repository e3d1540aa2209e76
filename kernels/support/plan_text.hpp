#pragma once
// A job's plan as text: "key number number ...; key number ...". For journals, and for other machines.
#include <gmpxx.h>

#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "graph/sparse_matrix.hpp"

namespace countpm {

/// A plan that is none for this block, or of another version of the method.
class PlanError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class PlanWriter {
 public:
  /// Of unsigned numbers, or of mpz_class.
  template <class Numbers>
  void put_all(std::string_view key, const Numbers& numbers) {
    begin(key);
    for (const auto& number : numbers) {
      if constexpr (std::is_integral_v<std::decay_t<decltype(number)>>) {
        add(mpz_class(static_cast<std::uint64_t>(number)));
      } else {
        add(number);
      }
    }
  }
  void put(std::string_view key, std::uint64_t number) {
    begin(key);
    add(mpz_class(static_cast<std::uint64_t>(number)));
  }
  const std::string& text() const { return text_; }

 private:
  void begin(std::string_view key);
  void add(const mpz_class& number);
  std::string text_;
};

/// The one reader of plans, which come from journals, parts, results and other ranks: whoever wrote them may
/// have meant harm. What it gives fits what it was asked for; what the numbers mean is for the method to
/// check, before it uses them.
class PlanReader {
 public:
  /// Throws PlanError where the text is none that PlanWriter writes; so do the others, for a key that is
  /// missing and for numbers that do not fit.
  explicit PlanReader(std::string_view text);

  bool has(std::string_view key) const { return numbers_.find(key) != numbers_.end(); }
  const std::vector<mpz_class>& all(std::string_view key) const;
  std::uint64_t number(std::string_view key) const;
  /// From `least` to `most`.
  std::uint64_t number(std::string_view key, std::uint64_t least, std::uint64_t most) const;
  std::vector<Index> indices(std::string_view key) const;
  /// Of 0 .. size - 1, none twice.
  std::vector<Index> distinct(std::string_view key, Index size) const;
  /// A permutation of 0 .. size - 1.
  std::vector<Index> permutation(std::string_view key, Index size) const;

 private:
  std::map<std::string, std::vector<mpz_class>, std::less<>> numbers_;
};

}  // namespace countpm
