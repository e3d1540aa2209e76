#pragma once
// A weight's literal -> the exact number that it spells.
//   integer   7  -3  +12  of any length
//   rational  p/q with integers p and q, q not 0
//   real      a decimal point or an exponent: 0.25  .5  1.  1e-3  1.0D0; between the least and the greatest
//   double complex   (re,im) with blanks allowed around the parts, or a+bi, bi, a-i;
//             the parts as above; also as Python writes them: a+bj, bj, (a+bj), a+-bj
// NaN and infinities are refused. O(digits) for short literals; the digits themselves convert in GMP's
// subquadratic time.
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "graph/weight.hpp"

namespace countpm {

/// A parsed weight. The value stands in the narrowest alternative that holds it exactly: 4/2 is rational by
/// kind and int64 2 by value.
struct Weight {  // NOLINT(bugprone-exception-escape): moving a variant of GMP numbers may allocate
  WeightKind kind = WeightKind::integer;
  std::variant<std::int64_t, mpq_class, ComplexRational> value = std::int64_t{1};
  LetterPowers powers{};  // what the value is the coefficient of (graph/letters.hpp)

  bool has_letters() const { return powers[0].letter != 0; }
  bool is_zero() const;
  bool is_one() const;
};

/// Throws InputError(name, line, ...) where `text` is no such literal. `text` has no blanks around it.
Weight parse_weight(std::string_view text, const std::string& name, std::uint64_t line);

/// Whether it is one of a complex number, other than a letter alone (i, j).
bool is_complex_literal(std::string_view text);

/// A complex weight from the literals of its two parts (Matrix Market writes them as two words); its kind is
/// complex.
Weight parse_complex_weight(std::string_view re, std::string_view im, const std::string& name,
                            std::uint64_t line);

/// -weight, and the complex conjugate.
Weight negated(const Weight& weight);
Weight conjugated(const Weight& weight);

}  // namespace countpm
