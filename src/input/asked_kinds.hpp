#pragma once
// Which question goes with which kind of count: one table. Every question asks it before it works, and
// `countpm help kinds` and docs/kinds.md print it.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "graph/read.hpp"
#include "src/api/options.hpp"

namespace countpm {

/// What is counted, where it is not the perfect matchings (cycle covers) of a graph, weighted by numbers.
/// Several may be asked for at a time.
enum class CountKind : std::uint8_t {
  maximum,            // maximum matchings
  monomers,           // vertices may stay alone
  size_polynomial,    // with a letter for those
  factors,            // other degrees than 1
  ground_states,      // whose edges are those of a graph
  odd_ground_states,  // with odd sets, which a digit of the sum counts
  covers,             // by rings or sets
  weight_polynomial,  // letters in weights
  complex_weights
};
inline constexpr std::size_t count_kinds = 9;

enum class GraphQuestion : std::uint8_t {
  count,
  explain,
  structure,  // pictures of it
  bounds,     // and a count with bounds in reserve
  ln_z,
  orbits,
  list,
  list_orbits,
  marginals,
  pairs,
  sample,
  estimate,
  compare,
  ratio,
  integral,
  signed_sum,
  minors,
  probability,
  kekule,
  permanent,
  hafnian,
  determinant,
  pfaffian
};
inline constexpr std::size_t graph_questions = 23;

struct KindWords {
  std::string_view title;  // "maximum matchings"
  std::string_view how;    // what asks for it: "--maximum"
  std::string_view page;   // of docs/
  /// What a refusal says, as {fmt} has it: 0 is QuestionWords::subject, 1 QuestionWords::of.
  std::string_view reason;
  std::string_view without;  // what of it is in the way
  bool usage = false;        // UsageError, else UnableError
};

struct QuestionWords {
  std::string_view title;  // "edge probabilities"
  std::string_view how;    // a command, an option of it, or a function: "marginals", "--ln-z", "permanent()"
  std::string_view subject;  // "probabilities"
  std::string_view of;       // "matchings"
};

const KindWords& words_of(CountKind kind);
const QuestionWords& words_of(GraphQuestion question);

bool is_answered(GraphQuestion question, CountKind kind);
/// What refuse_kinds() says where it is not; of letters in weights without what names the input.
std::string refusal_of(GraphQuestion question, CountKind kind);

/// Throws the UsageError or UnableError of the first kind of this count that the question does not go with;
/// and UsageError where maximum matchings of a kind are asked for that has none. O(1).
void refuse_kinds(GraphQuestion question, const Graph& graph, const InputInfo& info, const Options& options);

}  // namespace countpm
