#pragma once
// Rules 1 and 2 and the Dulmage-Mendelsohn split, all within one SmallWorkspace: what reduce() does for up to
// 64 rows, without its output.
#include "matching/apply_rules.hpp"
#include "matching/small_workspace.hpp"

namespace countpm {

/// False where the permanent is 0; else work.blocks() are what is left. A few microseconds.
inline bool reduce_small(SmallWorkspace& work, const RuleSet& rules, RuleTally& tally) {
  RuleSet only_single = rules;
  only_single.drop(Rule::doubles);
  // Lines of degree 1 first: they need no matching, and what they take away need not be merged.
  bool nonzero = apply_rules(work, only_single, tally);
  do {
    nonzero = nonzero && work.split();
    if (nonzero) work.enqueue_all();
    nonzero = nonzero && apply_rules(work, rules, tally);
  } while (nonzero && work.vanished());
  return nonzero;
}

}  // namespace countpm
