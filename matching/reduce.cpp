// The driver: Dulmage-Mendelsohn blocks, then rules 1 and 2 in each block, and again where entries have
// cancelled; twins last. Contracting a line of degree 2 keeps a fully indecomposable matrix so, so a new
// split is due only after a cancellation (signed or complex values): then that block alone goes back on the
// list.
#include "matching/reduce.hpp"

#include "graph/stop_poll.hpp"
#include "matching/apply_rules.hpp"
#include "matching/reduce_small.hpp"
#include "matching/rule_twins.hpp"
#include "matching/structure.hpp"
#include "matching/workspace.hpp"

namespace countpm {
namespace {

/// The diagonal blocks of a decomposition, each with its lines in their old order. O(rows + entries).
template <class Value>
std::vector<SparseMatrix<Value>> diagonal_blocks(const SparseMatrix<Value>& matrix,
                                                 const BlockDecomposition& decomposition) {
  std::vector<SparseMatrix<Value>> blocks(decomposition.blocks);
  std::vector<Index> number(matrix.columns);  // of a column within its block
  for (Index j = 0; j < matrix.columns; ++j) number[j] = blocks[decomposition.column_block[j]].columns++;
  StopPoll poll;
  for (Index i = 0; i < matrix.rows; ++i) {
    poll.steps(matrix.row_degree(i));
    SparseMatrix<Value>& block = blocks[decomposition.row_block[i]];
    for (std::uint64_t k = matrix.row_start[i]; k < matrix.row_start[i + std::uint64_t{1}]; ++k) {
      if (decomposition.column_block[matrix.column[k]] != decomposition.row_block[i]) continue;
      block.column.push_back(number[matrix.column[k]]);
      block.value.push_back(matrix.value[k]);
    }
    ++block.rows;
    block.row_start.push_back(block.column.size());
  }
  return blocks;
}

template <class Value>
bool has_line_up_to_degree_2(const SparseMatrix<Value>& matrix) {
  std::vector<Index> degree(matrix.columns, 0);
  for (const Index j : matrix.column) ++degree[j];
  for (Index i = 0; i < matrix.rows; ++i) {
    if (matrix.row_degree(i) <= 2 || degree[i] <= 2) return true;
  }
  return false;
}

template <class Value>
class Reducer {
 public:
  Reducer(const RuleSet& rules, bool merge_twins, const Poll& poll)
      : rules_(rules), merge_twins_(merge_twins && rules.has(Rule::twins)), poll_(poll) {}

  Reduced<Value> run(const SparseMatrix<Value>& matrix) {
    if constexpr (std::is_same_v<Value, std::int64_t>) {
      if (matrix.rows <= SmallWorkspace::capacity) return finished(run_small(matrix));
    }
    bool nonzero = split(matrix);
    while (nonzero && !to_split_.empty()) {
      const SparseMatrix<Value> next = std::move(to_split_.back());
      to_split_.pop_back();
      nonzero = split(next);
    }
    return finished(nonzero);
  }

 private:
  /// Splits into blocks and works on each. False: the permanent is 0.
  bool split(const SparseMatrix<Value>& matrix) {
    const Structure structure = analyse(matrix);
    if (structure.violator) return false;
    for (SparseMatrix<Value>& block : diagonal_blocks(matrix, structure.decomposition)) {
      if (!work_on(block)) return false;
    }
    return true;
  }

  /// One fully indecomposable block. False: the permanent is 0.
  bool work_on(SparseMatrix<Value>& block) {
    poll();
    if (block.rows == 1 && rules_.has(Rule::single)) {
      factor_.multiply(block.value[0]);
      ++result_.tally[Rule::single].applied;
      ++result_.tally[Rule::single].removed;
      return true;
    }
    if (block.rows == 1 || !rules_.has(Rule::doubles) || !has_line_up_to_degree_2(block)) {
      emit(std::move(block));
      return true;
    }
    if constexpr (std::is_same_v<Value, std::int64_t>) {
      if (block.rows <= SmallWorkspace::capacity) return run_small(block);
    }
    Workspace<Value> work(block);
    block = {};
    const bool nonzero = apply_rules(work, rules_, result_.tally, [this] { poll(); });
    result_.overflow = result_.overflow || work.overflow();
    if (!nonzero) return false;
    multiply_factor(work);
    if (work.size() == 0) return true;
    if (work.vanished()) {
      to_split_.push_back(work.compact());
    } else {
      emit(work.compact());
    }
    return true;
  }

  void poll() const {
    check_stop();
    if (poll_) poll_();
  }

  /// The same within one SmallWorkspace. False: the permanent is 0.
  bool run_small(const SparseMatrix<Value>& matrix) {
    SmallWorkspace work;
    work.load(matrix);
    const bool nonzero = reduce_small(work, rules_, result_.tally);
    result_.overflow = result_.overflow || work.overflow();
    if (!nonzero) return false;
    multiply_factor(work);
    for (Index k = 0; k < work.blocks(); ++k) {
      if (work.block_rows(k) != 0) emit(work.compact(work.block_rows(k), work.block_columns(k)));
    }
    return true;
  }

  template <class Work>
  void multiply_factor(Work& work) {
    if constexpr (std::is_same_v<Value, std::int64_t>) {
      if (work.factor().is_small()) {
        factor_.multiply(work.factor().small());
      } else {
        large_factor_.multiply(work.factor().total().get_num());
      }
    } else {
      factor_.multiply(work.factor().total());
    }
  }

  void emit(SparseMatrix<Value>&& matrix) {
    if (merge_twins_) {
      result_.blocks.push_back(rule_twins::apply(std::move(matrix), result_.tally));
    } else {
      result_.blocks.push_back({std::move(matrix), {}});
    }
  }

  Reduced<Value> finished(bool nonzero) {
    if (!nonzero) {
      result_.blocks.clear();
      result_.factor = typename Reduced<Value>::Factor{};
      return std::move(result_);
    }
    result_.factor = factor_.total();
    if constexpr (std::is_same_v<Value, std::int64_t>) {
      if (!large_factor_.empty()) result_.factor *= large_factor_.total(1);
    }
    return std::move(result_);
  }

  const RuleSet rules_;
  const bool merge_twins_;
  const Poll& poll_;
  Reduced<Value> result_;
  FactorProduct<Value> factor_;
  ProductTree<mpz_class> large_factor_;
  std::vector<SparseMatrix<Value>> to_split_;
};

}  // namespace

template <class Value>
Reduced<Value> reduce(const SparseMatrix<Value>& matrix, const RuleSet& rules, bool merge_twins,
                      const Poll& poll) {
  return Reducer<Value>(rules, merge_twins, poll).run(matrix);
}

template Reduced<std::int64_t> reduce(const SparseMatrix<std::int64_t>&, const RuleSet&, bool, const Poll&);
template Reduced<mpq_class> reduce(const SparseMatrix<mpq_class>&, const RuleSet&, bool, const Poll&);
template Reduced<ComplexRational> reduce(const SparseMatrix<ComplexRational>&, const RuleSet&, bool,
                                         const Poll&);

}  // namespace countpm
