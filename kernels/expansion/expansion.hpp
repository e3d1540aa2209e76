#pragma once
// Evaluates a Forbert-Marx expansion depth-first: a tree of sums (the two halves of a split) and products
// (the blocks that reductions leave), with an explicit stack of frames, so that no depth overflows anything.
#include <memory>
#include <string>
#include <vector>

#include "kernels/expansion/small_permanent.hpp"
#include "kernels/method.hpp"
#include "kernels/support/work_meter.hpp"
#include "matching/reduce.hpp"

namespace countpm {

/// The options of an expansion.
struct ExpansionOptions {
  RuleSet rules;
  Arithmetic arithmetic;
  std::string leaf_method =
      "auto";  // for blocks where no rule applies: a name of exact_methods(), or the cheapest of them
  std::optional<std::uint64_t> terms_wanted;  // how many units to make; empty: as the forecast says
  Index leaf_rows = 0;  // blocks of at most so many rows go to SmallPermanent; 0: as tuned
};

/// A product of matrices and a number.
template <class Value>
struct Product {
  typename Reduced<Value>::Factor factor{};
  std::vector<SparseMatrix<Value>> matrices;
};

/// The blocks' matrices; tally += what reduce did. `overflow` is passed on.
template <class Value>
Product<Value> reduced_product(const SparseMatrix<Value>& matrix, const RuleSet& rules, RuleTally& tally,
                               bool* overflow = nullptr);

/// How the work is told: a node of the tree (a split and two reductions of a block with about 200 entries) is
/// 1, and leaves are counted in nodes.
inline constexpr double nominal_nodes_per_second = 1e5;
/// Rows up to which a block is a leaf for SmallPermanent.
template <class Value>
Index leaf_rows(const ExpansionOptions& options);
double small_leaf_work(Index rows);

/// A method's job for a block where the rules end, and what it is predicted to cost, in nodes.
struct LeafJob {
  std::unique_ptr<Job> job;
  double log2_work = 0;
};
/// `quick` asks ryser alone, whose own forecast costs nothing.
LeafJob make_leaf_job(const AnyBlock& block, const ExpansionOptions& options, bool quick = false);

/// Whether a line has 3 or 4 entries and the rule for it is on: a split that fails there failed for overflow.
bool has_splittable_line(const SparsePattern& pattern, const RuleSet& rules);

SparseMatrix<mpq_class> promoted(const SparseMatrix<std::int64_t>& matrix);

template <class Value>
class Expansion {
 public:
  Expansion(const ExpansionOptions& options, const StopSignal& stop, WorkMeter& meter)
      : options_(options), stop_(stop), meter_(meter) {}

  /// The product's permanent; false where the meter called time. Throws Stopped.
  bool evaluate(Product<Value> product, Partial& result);

  const RuleTally& tally() const { return tally_; }
  /// In nodes.
  double work() const { return work_; }

 private:
  struct Frame {
    bool is_sum;
    Partial value;
    std::vector<SparseMatrix<Value>> pending;
  };

  void push_product(Product<Value>&& product) {
    stack_.push_back({false, from_factor(product.factor, options_.arithmetic), std::move(product.matrices)});
  }
  bool add_half(const SparseMatrix<Value>& half);
  bool multiply_block(SparseMatrix<Value>&& block);
  bool count_promoted(const SparseMatrix<Value>& block, Partial& result);
  bool count_leaf(SparseMatrix<Value>&& block, Partial& result);

  const ExpansionOptions& options_;
  const StopSignal& stop_;
  WorkMeter& meter_;
  SmallPermanent small_permanent_;
  std::vector<Frame> stack_;
  RuleTally tally_;
  double work_ = 0;
};

extern template class Expansion<std::int64_t>;
extern template class Expansion<mpq_class>;
extern template class Expansion<ComplexRational>;

}  // namespace countpm
