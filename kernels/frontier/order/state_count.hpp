#pragma once
// How many matched-count vectors a frontier admits: the bound on a table's states.
//   matrix:  #{0 <= s_v <= m_v : sum over columns of s - sum over rows of s = R - C}, R and C the members
//            of the eliminated
//            row and column classes; with the rows' coordinates turned round (m - s) this is one coefficient
//            of the product of the 1 + x + ... + x^m, C(a + b, R - C + b) where all multiplicities are 1
//   general: the sum of s has the parity of the number of eliminated members
//   general, with monomers or tiles: any sum
//   all:     at most as many are matched as the eliminated members can have taken
// O(1) where all multiplicities are 1 and the last rule does not bind; else O((sum of m)^2) at most.
#include <cstdint>
#include <vector>

#include "kernels/orders/class_graph.hpp"

namespace countpm {

/// What the count depends on. The classes of multiplicity 1 are only counted.
struct FrontierProfile {
  bool general = false;
  bool monomers = false;           // general, and vertices may stay alone
  Index most_taken = 1;            // ClassGraph::most_taken
  std::uint64_t rows_gone = 0;     // members of eliminated row classes; of all classes where general
  std::uint64_t columns_gone = 0;  // of column classes; 0 where general
  Index single_rows = 0;           // frontier classes of multiplicity 1; all are "columns" where general
  Index single_columns = 0;
  std::vector<Index> wide_rows;  // multiplicities > 1, ascending
  std::vector<Index> wide_columns;

  void insert(Index multiplicity, bool row);
  void erase(Index multiplicity, bool row);
  void eliminated(Index multiplicity, bool row) {
    (row || general ? rows_gone : columns_gone) += multiplicity;
  }
  Index width() const {
    return single_rows + single_columns + static_cast<Index>(wide_rows.size() + wide_columns.size());
  }
  FrontierProfile& operator+=(const FrontierProfile& other);  // of a disjoint frontier and eliminated set
  bool operator==(const FrontierProfile&) const = default;
};

/// log2 of the number of vectors; -infinity where there is none.
double log2_admitted(const FrontierProfile& profile);

/// The factor t by which a vector's chance grows with every matched member, so that under the product measure
/// of weights t^s (rows: t^(m - s)) the mean obeys the rule for the sum: how likely a class is full or empty
/// among the vectors admitted, to first order.
double admitted_tilt(const FrontierProfile& profile);

}  // namespace countpm
