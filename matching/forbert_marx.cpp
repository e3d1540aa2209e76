// Choosing where to expand, and making the two halves.
#include "matching/forbert_marx.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "matching/reduce_small.hpp"
#include "matching/rule_forbert_marx_3.hpp"
#include "matching/rule_forbert_marx_4.hpp"
#include "matching/workspace.hpp"

namespace countpm {
namespace {

/// Best steps of one rule, one for each line that it applies to.
template <class Workspace>
void collect_3(const Workspace& work, std::vector<ForbertMarxStep>& steps) {
  for (const Side side : {Side::rows, Side::columns}) {
    for (Index line = 0; line < work.lines(); ++line) {
      if (rule_forbert_marx_3::applicable(work, side, line))
        steps.push_back(rule_forbert_marx_3::best_step(work, side, line));
    }
  }
}
template <class Workspace>
void collect_4(const Workspace& work, std::vector<ForbertMarxStep>& steps) {
  for (const Side side : {Side::rows, Side::columns}) {
    for (Index line = 0; line < work.lines(); ++line) {
      if (rule_forbert_marx_4::applicable(work, side, line))
        steps.push_back(rule_forbert_marx_4::best_step(work, side, line));
    }
  }
}

bool better(const ForbertMarxStep& a, const ForbertMarxStep& b) {
  return a.score > b.score;
}

/// Rule 3 wherever it applies, else rule 4, by score alone. No line where none applies.
template <class Workspace>
ForbertMarxStep choose_quickly(const Workspace& work, const RuleSet& rules) {
  std::vector<ForbertMarxStep> steps;
  if (rules.has(Rule::forbert_marx_3)) collect_3(work, steps);
  if (steps.empty() && rules.has(Rule::forbert_marx_4)) collect_4(work, steps);
  if (steps.empty()) return {};
  return *std::min_element(steps.begin(), steps.end(), better);  // the first of the best
}

// Looking ahead: the most promising steps are tried, both halves reduced, and the one with the least
// predicted work is taken. On curtis54 it makes the expansion down to 16 rows 5 times smaller (1.9e7 nodes
// against 3.5e6), on will57 10 times (Knuth's estimate, 1000 probes, 2026-11-21, 2-core Xeon); a try costs
// about 1 us. Below 17 rows the choice costs more than it gains.
constexpr Index look_ahead_above = 16;
constexpr std::size_t tries = 16;
/// The work that a block of n rows and m entries makes is taken as exp(0.1 (m - 3 n) + 0.3 n).
double predicted_work(const SmallWorkspace& work) {
  double sum = 0;
  for (Index k = 0; k < work.blocks(); ++k) {
    const std::uint64_t rows = work.block_rows(k);
    Index entries = 0;
    for (std::uint64_t rest = rows; rest != 0; rest &= rest - 1) {
      entries += work.degree(Side::rows, static_cast<Index>(std::countr_zero(rest)));
    }
    const int n = std::popcount(rows);
    if (n > 0) sum += std::exp(0.1 * (static_cast<double>(entries) - 3 * n) + 0.3 * n);
  }
  return sum;
}

/// Rules 3 and 4 together, looking ahead. `work` holds the matrix; first and second are overwritten.
ForbertMarxStep choose_looking_ahead(const SparseMatrix<std::int64_t>& matrix, const RuleSet& rules,
                                     const SmallWorkspace& work, SmallWorkspace& first,
                                     SmallWorkspace& second) {
  std::vector<ForbertMarxStep> steps;
  if (rules.has(Rule::forbert_marx_3)) collect_3(work, steps);
  const std::size_t threes = steps.size();
  if (rules.has(Rule::forbert_marx_4)) collect_4(work, steps);
  // Rule 4's halves merge two pairs at once, so each entry that they share saves more.
  for (std::size_t k = threes; k < steps.size(); ++k) steps[k].score = 4 * steps[k].score - 4;
  std::stable_sort(steps.begin(), steps.end(), better);
  if (steps.size() > tries) steps.resize(tries);
  ForbertMarxStep best;
  double least = std::numeric_limits<double>::infinity();
  RuleTally ignored;
  for (const ForbertMarxStep& step : steps) {
    second.load(matrix);
    if (!forbert_marx_step::apply_second(second, step)) continue;
    double work_ahead = reduce_small(second, rules, ignored) ? predicted_work(second) : 0;
    if (work_ahead >= least) continue;
    first.load(matrix);
    forbert_marx_step::apply_first(first, step);
    work_ahead += reduce_small(first, rules, ignored) ? predicted_work(first) : 0;
    if (work_ahead >= least) continue;
    least = work_ahead;
    best = step;
  }
  return best;
}

template <class Value, class Workspace>
Split<Value> halves(Workspace& first, Workspace& second) {
  if constexpr (std::is_same_v<Workspace, SmallWorkspace>) {
    return {{},
            first.compact(first.alive_mask(Side::rows), first.alive_mask(Side::columns)),
            second.compact(second.alive_mask(Side::rows), second.alive_mask(Side::columns))};
  } else {
    return {{}, first.compact(), second.compact()};
  }
}

/// first and second hold the matrix, and are turned into the halves. Nothing where there is no step or an
/// entry would not fit.
template <class Value, class Workspace>
std::optional<Split<Value>> split_in(Workspace& first, Workspace& second, const ForbertMarxStep& step) {
  if (step.line == no_index) return std::nullopt;
  const Rule rule = first.degree(step.side, step.line) == 3 ? Rule::forbert_marx_3 : Rule::forbert_marx_4;
  if (!forbert_marx_step::apply_second(second, step)) return std::nullopt;
  forbert_marx_step::apply_first(first, step);
  Split<Value> split = halves<Value>(first, second);
  split.rule = rule;
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
      ForbertMarxStep step;
      if (matrix.rows > look_ahead_above) {
        SmallWorkspace work;
        work.load(matrix);
        step = choose_looking_ahead(matrix, rules, work, first, second);
        first.load(matrix);
      } else {
        step = choose_quickly(first, rules);
      }
      second.load(matrix);
      return split_in<Value>(first, second, step);
    }
  }
  Workspace<Value> first(matrix);
  Workspace<Value> second(matrix);
  return split_in<Value>(first, second, choose_quickly(first, rules));
}

template std::optional<Split<std::int64_t>> forbert_marx_split(const SparseMatrix<std::int64_t>&,
                                                               const RuleSet&);
template std::optional<Split<mpq_class>> forbert_marx_split(const SparseMatrix<mpq_class>&, const RuleSet&);
template std::optional<Split<ComplexRational>> forbert_marx_split(const SparseMatrix<ComplexRational>&,
                                                                  const RuleSet&);

}  // namespace countpm
