#pragma once
// Symmetric positive definite matrices that are sums of small dense ones, in which variables come and go.
#include <cstddef>
#include <cstdint>
#include <vector>

namespace countpm {

/// The sum of one dense symmetric matrix, its element, for each block of variables, numbered block by block:
/// the element of a block stands on the block's own variables and on some of later blocks. Variables that an
/// element so far has named are the front; factor() adds a block's element to a dense matrix on the front and
/// eliminates the block from it (I. S. Duff, J. K. Reid, The multifrontal solution of indefinite sparse
/// symmetric linear equations, ACM TOMS 9 (1983), for a chain of fronts).
class FrontalCholesky {
 public:
  struct Block {
    std::uint32_t variables = 0;       // its own
    std::vector<std::uint32_t> later;  // of later blocks, in any order
  };

  FrontalCholesky() = default;
  explicit FrontalCholesky(const std::vector<Block>& blocks);

  /// Multiplications of factor(), about.
  double work() const { return work_; }

  /// `elements`: of every block, by columns, below and on the diagonal: (row r, column c <= r) at
  /// c * size + r, the block's own variables first and then the later ones as they were listed. False where
  /// the sum is not positive definite. O(sum over blocks of variables * front^2).
  bool factor(const std::vector<double>& elements);

  /// The solution of matrix * x = b, in place. Precondition: factor() was true. O(sum of variables * front).
  void solve(std::vector<double>& b) const;

 private:
  struct Front {
    std::uint32_t begin = 0;   // the block's first variable
    std::uint32_t pivots = 0;  // its variables, which are the front's first
    std::uint32_t width = 0;
    std::uint32_t element_size = 0;
    // In index_: where the last front's rest, and the element's variables, are here; the rest's numbers.
    std::size_t carried = 0;
    std::size_t element = 0;
    std::size_t rest = 0;
    std::size_t panel = 0;  // in panel_: width rows of L's columns; on the diagonal the reciprocals
  };

  /// front_ = what is left of the last front, plus the element.
  void assemble(const Front& shape, const double* element, std::size_t before, std::size_t gone);

  std::vector<Front> fronts_;
  std::vector<std::uint32_t> index_;
  std::uint32_t widest_ = 0;
  std::size_t panels_ = 0;
  double work_ = 0;
  std::vector<double> panel_;
  std::vector<double> front_;
  std::vector<double> next_;
};

}  // namespace countpm
