#include "src/verify/conclusion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/text/ground_state_text.hpp"
#include "src/verify/stored_result.hpp"

#include "src/text/format_number.hpp"

namespace countpm {

std::string method_names(const std::vector<std::string>& methods) {
  return fmt::format("{}", fmt::join(std::set<std::string>(methods.begin(), methods.end()), ", "));
}

void refuse_packed_sums(const ReadResult& read, const StoredResult& stored) {
  if (read.info.exact) refuse_exact_complex();
  const bool polynomial = read.graph.letter_bits != 0 || read.graph.letters != nullptr;
  if (polynomial && stored.from_journal)
    throw UnableError("a checkpoint of a polynomial cannot be verified: it does not hold the coefficients",
                      "'countpm resume CHECKPOINT --json' writes the result, which 'countpm verify' takes");
  if (read.graph.digit)
    throw UnableError(
        "ground states with odd sets cannot be verified: their number is not what its blocks were counted as",
        "count again");
}

namespace {

/// A lattice has no bytes that could be hashed.
std::string input_text(const std::string& name, const std::string& sha256) {
  return sha256.empty() ? name : fmt::format("{} (SHA-256 {})", name, sha256);
}

}  // namespace

void refuse_other_input(const StoredResult& stored, const std::string& name, const std::string& sha256) {
  throw InputError(stored.file, 0, "a result of " + input_text(name, sha256),
                   "one of " + input_text(quoted(stored.input, 400), stored.sha256));
}

VerificationStep weight_step(const GroundStates& states, const StoredResult& stored) {
  const std::string found = weight_text(states);
  const std::string given = stored.ground_weight.value_or(found);  // a journal has none
  if (given != found)
    return {"weight", Verdict::refuted,
            fmt::format("the {} is {}, but is given as {}", name_of(states.which), found, quoted(given, 60))};
  return {"weight", Verdict::proved,
          fmt::format("the {} is {}, by potentials", name_of(states.which), found)};
}

std::string structure_text(Problem problem, const std::optional<MatchedVertices>& matched) {
  if (problem == Problem::exact_covers) return "exact covers are counted";
  if (problem == Problem::matchings) return "vertices may stay alone";
  if (!matched || matched->free == 0) return "a perfect matching was found";
  return fmt::format("a maximum matching was found: {}, {} left free", counted(matched->size, "edge"),
                     counted(matched->free, "vertex", "vertices"));
}

std::string counted_at_a_point_text(const std::vector<std::string>& methods, std::uint64_t prime) {
  const std::string by = methods.empty() ? "structure and reductions" : method_names(methods);
  return fmt::format("the polynomial counted anew by {} at a point and modulo the prime {}, drawn now", by,
                     prime);
}

std::string counted_anew_text(const std::vector<std::string>& methods, std::size_t blocks,
                              std::uint64_t prime) {
  const std::string which =
      methods.size() == blocks ? "" : fmt::format(" in {} of its {} blocks", methods.size(), blocks);
  return fmt::format("counted anew{} by {} modulo the prime {}; structure, reductions and product are proved",
                     which, method_names(methods), prime);
}

std::string within_errors_text(const std::vector<std::string>& methods) {
  return methods.empty()
             ? "the same by structure and reductions, within the errors of both"
             : fmt::format("counted anew by {}, within the errors of both", method_names(methods));
}

}  // namespace countpm
