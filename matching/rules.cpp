#include "matching/rules.hpp"

#include <fmt/format.h>

#include "graph/errors.hpp"

namespace countpm {

const std::array<RuleInfo, rule_count>& rules() {
  static constexpr std::array<RuleInfo, rule_count> table{{
      {Rule::single, 1, "single", "a row or column with one entry is factored out"},
      {Rule::doubles, 2, "double", "a row or column with two entries merges the two lines that it joins"},
      {Rule::forbert_marx_3, 3, "forbert-marx-3",
       "a row or column with three entries splits the block into a sum of two smaller ones"},
      {Rule::forbert_marx_4, 4, "forbert-marx-4",
       "a row or column with four entries splits the block into a sum of two smaller ones"},
      {Rule::twins, 5, "twins", "identical columns (or rows) become one class with a multiplicity"},
  }};
  return table;
}

Rule rule_named(std::string_view name) {
  std::string valid;
  for (const RuleInfo& info : rules()) {
    if (info.name == name) return info.rule;
    valid += fmt::format("{}{}", valid.empty() ? "" : ", ", info.name);
  }
  throw UsageError(fmt::format("unknown rule '{}'; the rules are: {}", quoted(std::string(name)), valid));
}

void RuleTally::add(const RuleTally& other) {
  for (std::size_t i = 0; i < rule_count; ++i) {
    rows[i].applied += other.rows[i].applied;
    rows[i].removed += other.rows[i].removed;
  }
}

}  // namespace countpm
