#include "src/input/asked_kinds.hpp"

#include <fmt/format.h>

#include <vector>

#include "graph/errors.hpp"
#include "graph/letters.hpp"
#include "src/input/sound_options.hpp"

namespace countpm {
namespace {

/// A mark for every kind, in the order of CountKind: + is answered, - is refused.
struct QuestionRow {
  GraphQuestion question;
  std::string_view marks;
  QuestionWords words;
};

using Q = GraphQuestion;

// clang-format off
constexpr std::array<QuestionRow, graph_questions> table{{
    //                maximum
    //                | monomers
    //                | | size polynomial
    //                | | | factors
    //                | | | | ground states
    //                | | | | | with odd sets
    //                | | | | | | covers
    //                | | | | | | | weight polynomial
    //                | | | | | | | | complex weights
    {Q::count,       "+ + + + + + + + +", {"how many", "count", "counts", "matchings"}},
    {Q::explain,     "+ + + + + + + + +", {"forecasts", "explain", "forecasts", "matchings"}},
    {Q::structure,   "+ - - + + + - + +", {"pictures of the structure", "explain --svg", "pictures of the structure", "perfect matchings"}},
    {Q::bounds,      "+ - - - + - - - -", {"certified bounds", "bounds", "bounds", "perfect matchings"}},
    {Q::ln_z,        "- + - - + - - - -", {"logarithms in floating point", "--ln-z", "logarithms in floating point", "perfect matchings"}},
    {Q::orbits,      "- - - - + - - - -", {"matchings up to symmetry", "--up-to-symmetry", "orbits", "perfect matchings"}},
    {Q::list,        "- + - - + - - - +", {"lists", "list", "lists", "matchings"}},
    {Q::list_orbits, "- - - - + - - - +", {"lists up to symmetry", "list --up-to-symmetry", "orbits", "perfect matchings"}},
    {Q::marginals,   "+ + - - + - - - -", {"probabilities of edges", "marginals", "probabilities", "matchings"}},
    {Q::pairs,       "- + - - + - - - -", {"probabilities of pairs", "marginals --pairs", "probabilities of pairs", "perfect matchings"}},
    {Q::sample,      "+ + - - + - - - -", {"random matchings", "sample", "random draws", "matchings"}},
    {Q::estimate,    "+ + - + + - - - +", {"estimates", "estimate", "estimates", "matchings"}},
    {Q::compare,     "+ + - - + - - - -", {"comparisons of samplers", "compare", "comparisons", "matchings"}},
    {Q::ratio,       "- - - - + - - - -", {"ratios", "estimate --ratio-to", "ratios", "perfect matchings"}},
    {Q::integral,    "- - - - - - - + -", {"integrals over a letter", "estimate --integrate", "integrals", "perfect matchings"}},
    {Q::signed_sum,  "- - - - + - - - +", {"signed sums", "estimate --signed", "signed sums", "perfect matchings"}},
    {Q::minors,      "- - - - + - - - +", {"minors", "minors", "permanents without a line", "a matrix"}},
    {Q::probability, "- - - - + - - - +", {"outcomes of boson sampling", "probability", "amplitudes", "a matrix"}},
    {Q::kekule,      "- - - - + - - + +", {"Kekule structures", "chem", "Kekule structures", "perfect matchings"}},
    {Q::permanent,   "- - - - + - - - +", {"permanents", "permanent()", "permanents", "a matrix"}},
    {Q::hafnian,     "+ + + + + + - - +", {"hafnians", "hafnian()", "hafnians", "a symmetric matrix"}},
    {Q::determinant, "- - - - + - - - +", {"determinants", "determinant", "determinants", "a matrix"}},
    {Q::pfaffian,    "- - - - - - - - +", {"Pfaffians", "pfaffian", "Pfaffians", "a matrix"}},
}};
// clang-format on

constexpr std::array<KindWords, count_kinds> kind_table{{
    {"maximum matchings", "--maximum", "maximum.md", "{0} are of {1}, and here maximum matchings are counted",
     "--maximum", true},
    {"monomers", "--monomers WEIGHT, --loops monomer", "monomers.md",
     "{0} are of {1}, and here vertices may stay alone", "--monomers (or --loops monomer)"},
    {"matching polynomial", "--monomers t", "monomers.md",
     "{0} need a number for the weight of a vertex that stays alone, and --monomers t leaves it a letter",
     "the letter (--monomers 1)", true},
    {"factors", "--degree F", "degrees.md", "{0} are of {1}, and here --degree counts other sets of edges",
     "--degree"},
    {"ground states", "--ground-state", "ground-states.md",
     "{0} are of {1}, and here ground states alone are counted", "--ground-state"},
    {"ground states with odd sets", "--ground-state", "ground-states.md",
     "{0} are of {1}, and these ground states are those that leave some odd sets of vertices by one edge "
     "each",
     "--ground-state"},
    {"exact covers", "--rings, --kind hyper", "covers.md",
     "{0} are of {1}, and here exact covers are counted", "--rings, of a graph and not a list of sets"},
    {"letters in weights", "--weights", "polynomial-weights.md",
     "only plain counts and 'explain' take polynomials", "letters (--at x=1)", true},
    {"complex weights", "--weights", "formats.md", "{0} are of real weights, and here weights are complex",
     "--weights"},
}};

constexpr bool has_a_mark_for_every_kind() {
  for (std::size_t q = 0; q < graph_questions; ++q) {
    if (table[q].question != static_cast<Q>(q) || table[q].marks.size() != 2 * count_kinds - 1) return false;
    for (std::size_t k = 0; k < count_kinds; ++k)
      if (table[q].marks[2 * k] != '+' && table[q].marks[2 * k] != '-') return false;
  }
  return true;
}
static_assert(has_a_mark_for_every_kind());

/// Of the commands about any graph those that take it, "'count' or 'explain'".
std::string commands_with(CountKind kind) {
  std::vector<std::string_view> names;
  for (const Q question : {Q::count, Q::explain, Q::list, Q::marginals, Q::sample, Q::estimate})
    if (is_answered(question, kind)) names.push_back(words_of(question).how);
  std::string text;
  for (std::size_t n = 0; n < names.size(); ++n)
    text += fmt::format("{}'{}'", n == 0 ? "" : n + 1 < names.size() ? ", " : " or ", names[n]);
  return text;
}

/// "without --degree, or by 'count', 'explain' or 'estimate'"
std::string remedy_of(CountKind kind) {
  return fmt::format("without {}, or by {}", words_of(kind).without, commands_with(kind));
}

std::string reason_of(GraphQuestion question, CountKind kind) {
  const QuestionWords& words = words_of(question);
  return fmt::format(fmt::runtime(words_of(kind).reason), words.subject, words.of);
}

/// Of all kinds but maximum matchings.
bool is_of(CountKind kind, const Graph& graph, const InputInfo& info) {
  switch (kind) {
    case CountKind::maximum:
      return false;
    case CountKind::monomers:
      return graph.monomers && !graph.covers;
    case CountKind::size_polynomial:
      return graph.letter_bits != 0 && !graph.covers;
    case CountKind::factors:
      return graph.copies.has_value();
    case CountKind::ground_states:
      return info.ground_states && !graph.digit;
    case CountKind::odd_ground_states:
      return graph.digit.has_value();
    case CountKind::covers:
      return graph.covers;
    case CountKind::weight_polynomial:
      return graph.letters != nullptr;
    case CountKind::complex_weights:
      return graph.weight_kind == WeightKind::complex || info.exact;
  }
  return false;
}

/// What has no maximum matchings.
void refuse_maximum_of(const Graph& graph, const InputInfo& info) {
  if (graph.covers) throw UsageError("exact covers and --maximum cannot be combined");
  if (graph.monomers)
    throw UsageError("with monomers the matchings of every size are counted, not the maximum ones alone");
  if (info.ground_states || graph.digit)
    throw UsageError("--maximum and --ground-state exclude each other: ground states are perfect matchings");
  if (info.degrees || graph.copies) throw UsageError("--maximum and --degree exclude each other");
}

}  // namespace

const KindWords& words_of(CountKind kind) {
  return kind_table.at(static_cast<std::size_t>(kind));
}

const QuestionWords& words_of(GraphQuestion question) {
  return table.at(static_cast<std::size_t>(question)).words;
}

bool is_answered(GraphQuestion question, CountKind kind) {
  return table.at(static_cast<std::size_t>(question)).marks.at(2 * static_cast<std::size_t>(kind)) == '+';
}

std::string refusal_of(GraphQuestion question, CountKind kind) {
  return reason_of(question, kind) + "; " + remedy_of(kind);
}

void refuse_kinds(GraphQuestion question, const Graph& graph, const InputInfo& info, const Options& options) {
  const bool maximum = !asks_for_perfect(graph, options);
  if (maximum) refuse_maximum_of(graph, info);
  for (std::size_t k = 0; k < count_kinds; ++k) {
    const auto kind = static_cast<CountKind>(k);
    const bool asked = kind == CountKind::maximum ? maximum : is_of(kind, graph, info);
    if (!asked || is_answered(question, kind)) continue;
    if (kind == CountKind::weight_polynomial) refuse_letters(graph, info.path);
    if (words_of(kind).usage) throw UsageError(refusal_of(question, kind));
    throw UnableError(reason_of(question, kind), remedy_of(kind));
  }
}

}  // namespace countpm
