// Marginals: every piece's edge uses over its total.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "src/api/entries.hpp"
#include "src/input/sound_options.hpp"
#include "src/input/with_graph.hpp"
#include "src/matchings/passes.hpp"
#include "src/text/format_probability.hpp"

namespace countpm {
namespace {

// Of the memory limit; the rest is for the graph, the program and the text.
constexpr double layers_share = 0.9;

mpq_class probability_fraction(const mpz_class& numerator, const mpz_class& denominator) {
  mpq_class fraction(numerator, denominator);
  fraction.canonicalize();
  return fraction;
}

std::string probability_text(const mpz_class& numerator, const mpz_class& denominator,
                             const MarginalOptions& options) {
  if (!options.exact) return format_fraction(numerator, denominator, options.digits);
  return probability_fraction(numerator, denominator).get_str();
}

// Where the instance's matrix has each edge.
std::vector<std::uint64_t> entries_of_edges(const Instance& instance, const std::vector<Edge>& edges) {
  const SparsePattern& pattern = instance.pattern;
  std::vector<Index> row_of;
  std::vector<Index> column_of;
  if (!instance.row_vertex.empty() || !instance.column_vertex.empty()) {
    row_of.assign(pattern.rows + std::size_t{pattern.columns}, no_index);
    column_of = row_of;
    for (Index i = 0; i < pattern.rows; ++i) row_of[instance.row_vertex[i]] = i;
    for (Index j = 0; j < pattern.columns; ++j) column_of[instance.column_vertex[j]] = j;
  }
  std::vector<std::uint64_t> entries;
  entries.reserve(edges.size());
  for (const Edge& edge : edges) {
    Index row = edge.from;
    Index column = edge.to;
    if (!row_of.empty()) {
      // An undirected edge has one end on either side.
      if (row_of[row] == no_index) std::swap(row, column);
      row = row_of[row];
      column = column_of[column];
    }
    const auto begin = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row]);
    const auto end =
        pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row + std::size_t{1}]);
    entries.push_back(
        static_cast<std::uint64_t>(std::lower_bound(begin, end, column) - pattern.column.begin()));
  }
  return entries;
}

// Of every entry of the instance's matrix; of a general graph's, both directions. `form` makes what is
// reported of numerator and denominator.
template <class Share>
std::vector<Share> probabilities(const PassInput& input, const CountOptions& options, Monitor& monitor,
                                 const std::function<Share(const mpz_class&, const mpz_class&)>& form) {
  std::vector<Share> shares(input.instance.pattern.entries(), form(0, 1));
  for (const std::uint64_t entry : input.pieces.forced) shares[entry] = form(1, 1);
  PassProgress progress(monitor, "marginals", input.pieces.pieces);
  for (std::size_t p = 0; p < input.pieces.pieces.size(); ++p) {
    const Piece& piece = input.pieces.pieces[p];
    progress.begin(p);
    PiecePasses passes(
        piece, options, layers_share, [&](double share) { progress.set(share); }, monitor.stop_signal());
    progress.describe(passes.method());
    const mpz_class total = passes.total(monitor.stop_signal());
    if (total == 0) {
      throw UnableError("the weights of all perfect matchings add up to 0, which leaves no probabilities",
                        "without --weights every perfect matching is equally likely");
    }
    progress.second_half();
    const EdgeUses uses = passes.edge_uses(monitor.stop_signal());
    for (std::size_t k = 0; k < piece.entries.size(); ++k) {
      monitor.stop_signal().check();
      shares[piece.entries[k]] =
          form(uses.uses[uses.place[k]], total * mpz_class(static_cast<unsigned long>(uses.pairs[k])));
    }
  }
  return shares;
}

template <class Number, class Form>
EdgeProbabilities<Number> probabilities_of(ReadResult read, const CountOptions& options, const Form& form) {
  return with_graph(std::move(read), options, [&](Monitor& monitor, ReadResult checked) {
    EdgeProbabilities<Number> result;
    result.weighted = checked.graph.weight_kind != WeightKind::none;
    PassInput input = prepare_passes(std::move(checked), options, monitor);
    static_cast<ListStart&>(result) = std::move(input.start);
    if (result.violator) return result;
    const std::vector<Number> shares =
        explained(monitor, [&] { return probabilities<Number>(input, options, monitor, form); });
    for (const std::uint64_t entry : entries_of_edges(input.instance, input.edges))
      result.probability.push_back(shares[entry]);
    result.edge = std::move(input.edges);
    return result;
  });
}

std::uint64_t marginals_of(ReadResult read, Monitor& monitor, const CountOptions& options,
                           const MarginalOptions& marginal_options, const EdgeSink& sink) {
  if (marginal_options.read) marginal_options.read(read.graph);
  const PassInput input = prepare_passes(std::move(read), options, monitor);
  std::vector<std::string> text;
  if (!input.start.violator) {
    text = explained(monitor, [&] {
      return probabilities<std::string>(input, options, monitor,
                                        [&](const mpz_class& numerator, const mpz_class& denominator) {
                                          return probability_text(numerator, denominator, marginal_options);
                                        });
    });
  }
  if (marginal_options.started) marginal_options.started(input.start);
  if (input.start.violator) return 0;
  const std::vector<std::uint64_t> entries = entries_of_edges(input.instance, input.edges);
  const LabelTable& left = input.instance.left_labels;
  const LabelTable& right = input.start.kind == GraphKind::bipartite ? input.instance.right_labels : left;
  for (std::size_t e = 0; e < input.edges.size(); ++e) {
    monitor.throw_if_stopped();
    const Edge& edge = input.edges[e];
    if (!sink({left.label(edge.from), right.label(edge.to), text[entries[e]]})) return e + 1;
  }
  return input.edges.size();
}

void check_request(const MarginalOptions& marginal_options, const EdgeSink& sink) {
  if (marginal_options.digits < 1 || marginal_options.digits > most_digits)
    throw UsageError(fmt::format("{} digits: expected 1 to {}", marginal_options.digits, most_digits));
  require_sink(sink, "probabilities");
}

}  // namespace

std::uint64_t marginals(const Source& source, const ReadOptions& read_options, const CountOptions& options,
                        const MarginalOptions& marginal_options, const EdgeSink& sink) {
  check_request(marginal_options, sink);
  return with_graph(source, read_options, options, [&](Monitor& monitor, ReadResult read) {
    return marginals_of(std::move(read), monitor, options, marginal_options, sink);
  });
}

std::uint64_t marginals(Graph graph, const CountOptions& options, const MarginalOptions& marginal_options,
                        const EdgeSink& sink) {
  check_request(marginal_options, sink);
  return with_graph(in_memory(std::move(graph)), options, [&](Monitor& monitor, ReadResult checked) {
    return marginals_of(std::move(checked), monitor, options, marginal_options, sink);
  });
}

Marginals marginals(ReadResult read, const CountOptions& options) {
  return probabilities_of<double>(std::move(read), options, nearest_double);
}

ExactMarginals exact_marginals(ReadResult read, const CountOptions& options) {
  return probabilities_of<mpq_class>(std::move(read), options, probability_fraction);
}

}  // namespace countpm
