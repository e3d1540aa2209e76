#pragma once
// A page for every kind of result: the same data as docs/json.md has, in the words of the text reports.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/api/entries.hpp"
#include "src/count/ln_z.hpp"
#include "src/draw/page.hpp"
#include "src/estimate/compare.hpp"
#include "src/estimate/estimate.hpp"
#include "src/series/series_items.hpp"

namespace countpm::html {

/// Part of a page: for a notebook, or for page_of().
struct Fragment {
  std::string title;  // plain text
  std::string body;   // one <article>, with its own style sheet
};

/// What stands beside a result.
struct Beside {
  std::string command;                     // how it was asked for; empty: not said
  const draw::Picture* picture = nullptr;  // may be none,
  std::string no_picture;                  // and why; empty: not said
};

/// A file of its own around the fragment, well-formed as XML, too. It loads nothing and runs nothing.
std::string page_of(const Fragment& fragment);

/// power: of a matching polynomial, the number of edges that the count is of.
Fragment count_fragment(const CountResult& result, const Beside& beside = {},
                        std::optional<std::uint64_t> power = {});
/// ln Z alone, of --ln-z.
Fragment ln_z_fragment(const LnZResult& result, const Beside& beside = {});
/// Every method's forecast for every block, with bars against the time limit.
Fragment explain_fragment(const Explanation& explanation, double time_limit_seconds,
                          const Beside& beside = {});
Fragment estimate_fragment(const EstimateResult& result, const Beside& beside = {});

/// What is told of edge probabilities.
struct MarginalTable {
  ListStart start;
  bool weighted = false;
  bool exact = false;                  // fractions
  std::vector<EdgeProbability> edges;  // the first of them,
  std::uint64_t all = 0;               // of so many
};
/// So many edges are listed.
inline constexpr std::size_t most_listed_edges = 2000;
Fragment marginals_fragment(const MarginalTable& table, const Beside& beside = {});

/// An input of several that there is no number for.
struct Refused {
  std::string input;
  std::string why;
};
struct SeriesTable {
  std::string title;  // the series as it was asked for
  std::vector<SeriesRow> rows;
  std::vector<Refused> refused;
  bool counts = true;  // else their number of digits
  bool ratio = false;
  std::string stopped;  // why it ended early; empty: it did not
};
Fragment series_fragment(const SeriesTable& table, const Beside& beside = {});

struct ComparisonTable {
  std::uint64_t seed = 1;
  std::vector<ComparedInput> inputs;
  std::vector<Refused> refused;
  std::string stopped;
  std::vector<std::string> notes;  // samplers that were left out, and why
};
Fragment comparison_fragment(const ComparisonTable& table, const Beside& beside = {});

/// Why there is no number.
struct NoNumber {
  std::string input;
  std::string head;     // "refused", "a check failed"
  std::string message;  // as on standard error
  int exit_code = 3;
};
Fragment no_number_fragment(const NoNumber& reason, const Beside& beside = {});

}  // namespace countpm::html
