#pragma once
// Weights with letters: a rational number times powers of up to three letters, 3*x*y^-1. The sum over the
// matchings is then a polynomial in them (with negative exponents a Laurent polynomial).
#include <gmpxx.h>

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "graph/parse_weight.hpp"

namespace countpm {

/// One term: the coefficient times each letter of LetterWeights::letters to its exponent.
struct Monomial {
  mpq_class coefficient = 1;
  std::array<std::int32_t, most_letters> exponent{};
};

/// The table behind Graph::letters: an edge whose value is k has weight[k]. weight[1] is the number 1, and
/// weight[0] is no edge's.
struct LetterWeights {
  std::string letters;  // "xy", ascending, one to most_letters
  std::vector<Monomial> weight;
};

/// Exponents in a weight are at most so large.
inline constexpr std::int32_t largest_exponent = 1'000'000;

/// A weight's text, with letters or without: parse_weight(), or factors parted by *, of which the first may
/// be a number and the others are letters, x or x^-2 (or x**-2), with a sign before them all. Letters are a
/// to z and A to Z, but for e and i, which are in numbers. Throws InputError as parse_weight() does.
Weight parse_weight_with_letters(std::string_view text, const std::string& name, std::uint64_t line);

/// What letters stand for, of ReadOptions::at.
class LetterValues {
 public:
  LetterValues() = default;
  /// Each "x=1/2". Throws UsageError where one is not like that, or a letter has two values.
  explicit LetterValues(const std::vector<std::string>& texts);

  /// The weight with every letter that has a value replaced by it. Throws InputError where that divides by
  /// zero.
  Weight put_into(Weight weight, const std::string& name, std::uint64_t line) const;
  /// Throws UsageError where a value is of a letter that is not among those of the weights.
  void require_all_used(const std::string& letters, const std::string& name) const;

 private:
  std::vector<std::pair<char, Weight>> values_;
};

/// A letter's number to the letter's exponent; not of 0 where that is negative.
ComplexRational letter_power(ComplexRational number, std::int32_t exponent);

/// Adds the weight's letters to those seen, which stay ascending.
void note_letters(const Weight& weight, std::string& seen);

/// Numbers distinct weights, for LetterWeights.
class LetterTable {
 public:
  LetterTable() = default;
  /// To go on with a table.
  explicit LetterTable(const LetterWeights& known);

  /// Of a weight other than 0. Throws InputError where the number before the letters is not an integer or a
  /// fraction, and where there are too many letters.
  std::int64_t number_of(const Weight& weight, const std::string& name, std::uint64_t line);
  /// That of the sum of two; 0 where it is 0. Throws InputError where the letters differ.
  std::int64_t sum(std::int64_t a, std::int64_t b, const std::string& name, std::uint64_t line);
  std::shared_ptr<const LetterWeights> finished() const;

 private:
  struct Term {
    mpq_class coefficient = 1;
    LetterPowers powers{};
  };
  std::int64_t number_of(Term term);

  std::vector<Term> terms_ = std::vector<Term>(2);
  std::map<std::string, std::int64_t> number_{{"1", 1}};  // by the text of the term, which tells terms apart
  std::string letters_;
};

/// "3*x*y^-1", as parse_weight_with_letters() reads it.
std::string text_of(const Monomial& weight, const std::string& letters);

/// Throws UsageError where weights have letters.
void refuse_letters(const Graph& graph, const std::string& name);
/// The same where there is something ("rings") that takes numbers alone.
void refuse_letters_with(const char* what, const Graph& graph, const std::string& name);

}  // namespace countpm
