#pragma once
// The table of reduction rules: one name, number and line of help each; --no-rule, the report and the docs
// read it.
#include <array>
#include <cstdint>
#include <string_view>

namespace countpm {

/// In the order in which they are tried.
enum class Rule : std::uint8_t { single, doubles, forbert_marx_3, forbert_marx_4, twins };
inline constexpr std::size_t rule_count = 5;

struct RuleInfo {
  Rule rule;
  int number;             // 1, 2, 3, ...
  std::string_view name;  // "single", "double", "forbert-marx-3", "forbert-marx-4", "twins"
  std::string_view help;
};
const std::array<RuleInfo, rule_count>& rules();
/// UsageError listing the valid names where there is none of that name.
Rule rule_named(std::string_view name);

/// Which rules may be used; all by default.
struct RuleSet {
  std::array<bool, rule_count> enabled{true, true, true, true, true};
  /// Nothing at all is done to a matrix: it is not even cut into its blocks.
  bool whole = false;
  bool has(Rule rule) const { return enabled[static_cast<std::size_t>(rule)]; }
  void drop(Rule rule) { enabled[static_cast<std::size_t>(rule)] = false; }
};

/// What each rule did. removed: rows (and as many columns) that are gone; for twins, columns merged into a
/// class; for Forbert-Marx, terms added.
struct RuleTally {
  struct Row {
    std::uint64_t applied = 0;
    std::uint64_t removed = 0;
  };
  std::array<Row, rule_count> rows{};
  Row& operator[](Rule rule) { return rows[static_cast<std::size_t>(rule)]; }
  const Row& operator[](Rule rule) const { return rows[static_cast<std::size_t>(rule)]; }
  void add(const RuleTally& other);
};

}  // namespace countpm
