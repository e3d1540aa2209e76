// Choosing where to expand, and making the two halves.
#include "matching/forbert_marx.hpp"

#include "matching/rule_forbert_marx_3.hpp"
#include "matching/rule_forbert_marx_4.hpp"
#include "matching/small_workspace.hpp"
#include "matching/workspace.hpp"

namespace countpm {
namespace {

/// Rule 3 wherever it applies, else rule 4; the best line of either. No line where none applies.
template <class Workspace>
ForbertMarxStep choose(const Workspace& work, const RuleSet& rules, Rule& rule) {
  ForbertMarxStep best;
  const auto consider = [&](const ForbertMarxStep& step) {
    if (step.score > best.score) best = step;
  };
  if (rules.has(Rule::forbert_marx_3)) {
    rule = Rule::forbert_marx_3;
    for (const Side side : {Side::rows, Side::columns}) {
      for (Index line = 0; line < work.lines(); ++line) {
        if (rule_forbert_marx_3::applicable(work, side, line))
          consider(rule_forbert_marx_3::best_step(work, side, line));
      }
    }
    if (best.line != no_index) return best;
  }
  if (rules.has(Rule::forbert_marx_4)) {
    rule = Rule::forbert_marx_4;
    for (const Side side : {Side::rows, Side::columns}) {
      for (Index line = 0; line < work.lines(); ++line) {
        if (rule_forbert_marx_4::applicable(work, side, line))
          consider(rule_forbert_marx_4::best_step(work, side, line));
      }
    }
  }
  return best;
}

/// The two halves of `matrix`, whose entries `first` and `second` hold: each is turned into one half.
template <class Value, class Workspace>
std::optional<Split<Value>> split_in(Workspace& first, Workspace& second, const RuleSet& rules) {
  Split<Value> split{Rule::forbert_marx_3, {}, {}};
  const ForbertMarxStep step = choose(first, rules, split.rule);
  if (step.line == no_index || !forbert_marx_step::apply_second(second, step)) return std::nullopt;
  forbert_marx_step::apply_first(first, step);
  if constexpr (std::is_same_v<Workspace, SmallWorkspace>) {
    split.first = first.compact(first.alive_mask(Side::rows), first.alive_mask(Side::columns));
    split.second = second.compact(second.alive_mask(Side::rows), second.alive_mask(Side::columns));
  } else {
    split.first = first.compact();
    split.second = second.compact();
  }
  return split;
}

}  // namespace

template <class Value>
std::optional<Split<Value>> forbert_marx_split(const SparseMatrix<Value>& matrix, const RuleSet& rules) {
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    if (matrix.rows <= SmallWorkspace::capacity) {
      SmallWorkspace first;
      SmallWorkspace second;
      first.load(matrix);
      second.load(matrix);
      return split_in<Value>(first, second, rules);
    }
  }
  Workspace<Value> first(matrix);
  Workspace<Value> second(matrix);
  return split_in<Value>(first, second, rules);
}

template std::optional<Split<std::int64_t>> forbert_marx_split(const SparseMatrix<std::int64_t>&,
                                                               const RuleSet&);
template std::optional<Split<mpq_class>> forbert_marx_split(const SparseMatrix<mpq_class>&, const RuleSet&);
template std::optional<Split<ComplexRational>> forbert_marx_split(const SparseMatrix<ComplexRational>&,
                                                                  const RuleSet&);

}  // namespace countpm
