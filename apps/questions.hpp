#pragma once
// What can be asked, and sets of it. A command asks one question; an option such as --signed makes another of
// it, to which fewer options belong. The table of options says for each to which questions it belongs.
#include <cstdint>
#include <string>

namespace countpm::app {

enum class Question : std::uint8_t {
  // Commands, in the order in which they are named together.
  count,
  explain,
  estimate,
  list,
  marginals,
  sample,
  many,
  compare,
  chem,
  minors,
  probability,
  determinant,
  pfaffian,
  bounds,
  verify,
  prove,
  resume,
  merge,
  status,
  split,
  lattice,
  methods,
  input_formats,
  schema,
  version,
  help,
  complete,
  // What an option makes of them.
  logarithm,
  orbits,
  ratio,
  integral,
  signed_sum,
  sampled,
  forecast,
  recurrence
};

class Questions {
 public:
  constexpr Questions() = default;
  constexpr Questions(Question one) : bits_(1ULL << static_cast<unsigned>(one)) {}
  constexpr bool has(Question one) const { return (bits_ & Questions(one).bits_) != 0; }
  constexpr bool has_all(Questions some) const { return (some.bits_ & ~bits_) == 0; }
  constexpr Questions with(Questions more) const { return Questions(bits_ | more.bits_); }
  constexpr Questions both(Questions other) const { return Questions(bits_ & other.bits_); }
  constexpr Questions without(Questions less) const { return Questions(bits_ & ~less.bits_); }

 private:
  constexpr explicit Questions(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_ = 0;
};

constexpr Questions operator|(Questions one, Questions other) {
  return one.with(other);
}
/// Operators of two enumerators look for this one alone.
constexpr Questions operator|(Question one, Questions other) {
  return other.with(one);
}
constexpr Questions operator-(Questions all, Questions less) {
  return all.without(less);
}

struct Request;
/// Throws UsageError for options that do not go together: that exclude each other, that do not belong to the
/// question, or that say nothing without another.
void check_options(const Request& request);
/// What excludes what, for docs/options.md.
std::string exclusions_markdown();

}  // namespace countpm::app
