#pragma once
// The if-chain: rules 1 and 2 on every line that waits, until none applies. What the rules do is in their own
// files.
#include "matching/rule_double.hpp"
#include "matching/rule_single.hpp"

namespace countpm {

/// The poll of work too short to be stopped: costs nothing.
struct NoPoll {
  void operator()() const {}
};

/// False where the permanent was found to be 0. Ends because each application takes a row away. poll() is
/// called before every application and may throw.
template <class Workspace, class PollFunction = NoPoll>
bool apply_rules(Workspace& work, const RuleSet& rules, RuleTally& tally, const PollFunction& poll = {}) {
  Side side = Side::rows;
  Index line = 0;
  while (!work.is_zero() && work.next_line(side, line)) {
    poll();
    if (rules.has(Rule::single) && rule_single::applicable(work, side, line)) {
      rule_single::apply(work, side, line, tally);
    } else if (rules.has(Rule::doubles) && rule_double::applicable(work, side, line)) {
      rule_double::apply(work, side, line, tally);
    }
  }
  return !work.is_zero();
}

}  // namespace countpm
