#pragma once
// No number leaves unchecked.
#include <string>
#include <vector>

#include "src/api/entries.hpp"
#include "src/number/number.hpp"
#include "src/structure/blocks.hpp"

namespace countpm {

/// Gathers checks; a failed one throws CheckError with both values, so that what is gathered is always ok.
class Checks {
 public:
  /// Adds up over blocks: the same name again counts one more.
  void passed(const std::string& name, const std::string& detail);
  void not_applicable(const std::string& name, const std::string& why);
  [[noreturn]] static void failed(const std::string& name, const std::string& expected,
                                  const std::string& found);
  std::vector<Check> list() const;

 private:
  struct Row {
    std::string name;
    std::uint64_t blocks = 0;
    std::string detail;
    std::string skipped;
  };
  Row& row(const std::string& name);
  std::vector<Row> rows_;
};

/// What roundings may add to a logarithm of this size.
double log_rounding(double log);

/// Checks the count of a block of the structure against its own matrix, before any reduction:
/// - positive: a block has a perfect matching, so that without negative weights its count is above 0;
/// - parity: permanent and determinant agree modulo 2, and so do hafnian and determinant: modulo 2 the
/// hafnian is the Pfaffian, whose square is the determinant (integer weights; up to 8192 rows, elimination
/// over GF(2) costs n^3 / 64 steps); of a permanent also modulo a higher power of two, as high as `seconds`
/// are predicted to allow (power_of_two.hpp);
/// - upper bound: at most Bregman-Minc, or of a general graph Alon-Friedland.
/// The parity of a block's count, and more of its lowest bits as far as so many seconds allow: of a count
/// that is known modulo 2^64 alone, too.
void verify_parity(const AnyBlock& block, const Number& count, double seconds, Checks& checks);
void verify_block(const ReducedBlock& block, const Number& count, double seconds, Checks& checks);

/// The count of a block lies between its certified bounds (kernels/estimate/bounds/certified_bounds.hpp),
/// which rest on nothing that counted it; of a ball, some number in it does. Left out, with the reason, for
/// graphs with odd cycles, whose bounds take three times as long, weights that are negative or complex, and
/// blocks of more than `entries_left` entries, which is lowered by those of every block that is checked.
void verify_certified_bounds(const AnyBlock& block, const Number& count, std::uint64_t& entries_left,
                             Checks& checks);
/// What a block's certified bounds cost, in entries of a matrix.
std::uint64_t entries_to_certify(const AnyBlock& block);
/// How many entries may have their bounds certified after a count of so many seconds: it takes less than some
/// 5 ms or a tenth of the count, and never more than about a second.
std::uint64_t entries_to_bound(double seconds_counted);
/// As many as explain and verify take.
constexpr std::uint64_t most_entries_to_bound = 50000;

/// The determinant over GF(2): 0 or 1. Gaussian elimination on packed rows. Rows and columns are as many;
/// only odd entries count.
bool odd_determinant(const SparseMatrix<std::int64_t>& matrix);

}  // namespace countpm
