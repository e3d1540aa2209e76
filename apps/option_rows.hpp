#pragma once
// What the rows of the table of options are made of: values, questions, and what only some have.
#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/options.hpp"

namespace countpm::app {

using Names = std::vector<std::string_view>;

inline constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

inline OptionInfo row(std::string_view name, Questions questions, OptionValue value, std::string_view help,
                      void (*apply)(Request& request, std::string_view value)) {
  return {std::move(value), name, questions, help, apply};
}

inline OptionValue flag() {
  return {};
}
inline OptionValue valued(ValueType type, std::string_view value_name, std::string_view default_value = {}) {
  return {type, value_name, default_value};
}
inline OptionValue choice(std::string_view value_name, std::string_view default_value, Names choices) {
  OptionValue value = valued(ValueType::choice, value_name, default_value);
  value.choices = std::move(choices);
  return value;
}
inline OptionValue choices(std::string_view value_name, Names names) {
  OptionValue value = valued(ValueType::choices, value_name);
  value.choices = std::move(names);
  return value;
}
inline OptionValue bounded(OptionValue value, std::uint64_t least, std::uint64_t most) {
  value.least = least;
  value.most = most;
  return value;
}
inline OptionValue number(std::string_view value_name, std::string_view default_value, std::uint64_t least,
                          std::uint64_t most) {
  return bounded(valued(ValueType::integer, value_name, default_value), least, most);
}
inline OptionValue choice_or_number(std::string_view value_name, std::string_view default_value,
                                    Names choices, std::uint64_t least, std::uint64_t most) {
  OptionValue value = choice(value_name, default_value, std::move(choices));
  value.type = ValueType::choice_or_integer;
  return bounded(std::move(value), least, most);
}
/// The letter of a polynomial may stand in the weight's place.
inline OptionValue weight(std::string_view value_name, std::string_view default_value,
                          std::string_view letter) {
  OptionValue value = valued(ValueType::weight, value_name, default_value);
  value.unknown = letter;
  return value;
}
/// Without a value it is this one.
inline OptionValue bare(std::string_view bare_value, OptionValue value) {
  value.bare_value = bare_value;
  return value;
}

/// The value by its place among the option's choices, which are those of the enumeration.
template <class Enum>
Enum chosen(std::string_view option, std::string_view value) {
  const Names& names = find_option(option)->choices;
  return static_cast<Enum>(std::find(names.begin(), names.end(), value) - names.begin());
}

inline OptionInfo with_letter(char letter, OptionInfo option) {
  option.letter = letter;
  return option;
}
/// To these questions it is something else.
inline OptionInfo with_uses(std::vector<OptionUse> uses, OptionInfo option) {
  option.uses = std::move(uses);
  return option;
}
/// It makes this question of the command's. why: other options do not belong to it; may be empty.
inline OptionInfo asking(Question question, std::string_view why, OptionInfo option) {
  option.asks = question;
  option.why = why;
  return option;
}
inline OptionInfo repeatable(OptionInfo option) {
  option.repeatable = true;
  return option;
}
/// It says how a count is shown, or where it is kept, and is no part of what a checkpoint is of.
inline OptionInfo not_kept(OptionInfo option) {
  option.kept = false;
  return option;
}

/// Short names and groups of questions, for the functions that make the table.
namespace group {

using R = Request&;
using V = std::string_view;
using T = ValueType;
using enum Question;
inline constexpr Questions ratios = ratio | integral | signed_sum;
inline constexpr Questions others = ratios | logarithm | orbits | sampled | forecast | recurrence;
/// What is of a matrix and no count.
inline constexpr Questions determinants = Questions(determinant) | pfaffian;
/// What reads a graph.
inline constexpr Questions readers = count | explain | estimate | list | marginals | sample | many | compare |
                                     split | chem | minors | probability | determinants | bounds | others;
/// What goes on with a checkpoint.
inline constexpr Questions sessions = Questions(resume) | merge;
inline constexpr Questions workers = readers | sessions | verify | prove;
/// What has a plan, by methods.
inline constexpr Questions planned =
    count | explain | estimate | many | compare | split | probability | others;
inline constexpr Questions drawn = explain | marginals | sample | many | compare | chem;

}  // namespace group

}  // namespace countpm::app
