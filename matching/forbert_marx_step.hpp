#pragma once
// What rules 3 and 4 share: a line with the entries alpha at d, beta at e, and others, is expanded into
//   per(A) = per(A with those two entries zeroed) + per(A without the line, d and e merged into alpha e +
//   beta d).
// The first half holds the terms that match the line elsewhere, the second those that match it to d or e.
#include <algorithm>

#include "matching/entry_ops.hpp"
#include "matching/rules.hpp"
#include "matching/side.hpp"

namespace countpm {

/// Where to expand, and how good that is: the more the better.
struct ForbertMarxStep {
  Side side = Side::rows;
  Index line = no_index;
  Index d = no_index;
  Index e = no_index;
  int score = -1;
};

namespace forbert_marx_step {

/// Number of lines, but `without`, that cross both.
template <class Workspace>
int overlap(const Workspace& work, Side side, Index d, Index e, Index without) {
  if constexpr (requires { work.mask(side, d); }) {
    const std::uint64_t both = work.mask(side, d) & work.mask(side, e) & ~(std::uint64_t{1} << without);
    return std::popcount(both);
  } else {
    if (work.degree(side, d) > work.degree(side, e)) std::swap(d, e);
    int count = 0;
    work.for_each(side, d, [&](Index cross, const auto&) {
      count += cross != without && work.has(side, e, cross) ? 1 : 0;
    });
    return count;
  }
}

/// Number of lines of `side` that cross all of `across`'s lines d and e (or d alone, where e == d), have
/// degree 3, and are not `without`: one entry less makes rule 2 apply to them.
template <class Workspace>
int doubles_made(const Workspace& work, Side across, Index d, Index e, Index without) {
  int count = 0;
  work.for_each(across, d, [&](Index line, const auto&) {
    if (line != without && work.degree(other(across), line) == 3 && (d == e || work.has(across, e, line)))
      ++count;
  });
  return count;
}

/// The half with the two entries zeroed.
template <class Workspace>
void apply_first(Workspace& work, const ForbertMarxStep& step) {
  work.erase_entry(step.side, step.line, step.d);
  work.erase_entry(step.side, step.line, step.e);
}

/// The half with the two lines merged; false, and nothing has changed, where an entry would not fit.
template <class Workspace>
bool apply_second(Workspace& work, const ForbertMarxStep& step) {
  using Value = typename Workspace::Value;
  Value alpha{};
  Value beta{};
  work.for_each(step.side, step.line, [&](Index cross, const Value& value) {
    if (cross == step.d) alpha = value;
    if (cross == step.e) beta = value;
  });
  return work.merge(other(step.side), step.d, step.e, beta, alpha, step.line);
}

}  // namespace forbert_marx_step
}  // namespace countpm
