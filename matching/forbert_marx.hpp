#pragma once
// Forbert-Marx expansion on a row or column with 3 or 4 entries: per(A) = per(A with two of the entries
// zeroed)
// + per(A with those two columns merged and the row removed). Each half is smaller after `reduce`.
#include <optional>

#include "matching/reduce.hpp"

namespace countpm {

/// The two halves of a matrix: per(input) = per(first) + per(second). One application of `rule`.
template <class Value>
struct Split {
  Rule rule;
  SparseMatrix<Value> first;   // same size, fewer entries
  SparseMatrix<Value> second;  // one row and one column fewer
};

/// Expands on a row or column of degree 3 (rule forbert-marx-3) or 4 (forbert-marx-4): the one whose halves
/// promise the least work. int64 matrices of 17 to 64 rows look ahead: the halves of the 16 most promising
/// steps are reduced and compared (about 30 us). Others take rule 3 where it applies, else rule 4, by a score
/// (about 0.5 us up to 16 rows). Empty where neither rule applies, or where an int64 entry would overflow.
/// The matrix has no multiplicities (see expanded()) and is best reduced before. Deterministic. H. Forbert,
/// D. Marx, Comput. Phys. Commun. 150 (2003) 267.
template <class Value>
std::optional<Split<Value>> forbert_marx_split(const SparseMatrix<Value>& matrix, const RuleSet& rules);

extern template std::optional<Split<std::int64_t>> forbert_marx_split(const SparseMatrix<std::int64_t>&,
                                                                      const RuleSet&);
extern template std::optional<Split<mpq_class>> forbert_marx_split(const SparseMatrix<mpq_class>&,
                                                                   const RuleSet&);
extern template std::optional<Split<ComplexRational>> forbert_marx_split(const SparseMatrix<ComplexRational>&,
                                                                         const RuleSet&);

}  // namespace countpm
