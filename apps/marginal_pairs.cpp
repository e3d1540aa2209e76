#include "apps/marginal_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "apps/csv.hpp"
#include "apps/explain_samples.hpp"
#include "apps/json.hpp"
#include "apps/matching_lines.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ranks.hpp"
#include "apps/sampled_report.hpp"
#include "graph/clock.hpp"
#include "graph/formats/input_bytes.hpp"
#include "graph/text.hpp"
#include "src/matchings/edge_pairs.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/matchings/sampled_marginals.hpp"

namespace countpm::app {
namespace {

/// The pairs of a file: four labels per line, blank lines and # comments left out.
std::vector<std::pair<EdgeName, EdgeName>> read_pairs(const std::string& path, double wait_seconds) {
  const Source source = Source::from_argument(path);
  if (source.kind == Source::Kind::lattice)
    throw UsageError("--pairs takes a file with four labels per line: two edges");
  InputBytes bytes(source, false);
  bytes.limit_wait(wait_seconds);
  constexpr std::uint64_t longest_line = 1 << 20;
  std::vector<std::pair<EdgeName, EdgeName>> pairs;
  std::string_view text = bytes.all(longest_line);
  for (std::uint64_t number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    std::vector<std::string> words;
    for (std::size_t at = 0; at < line.size();) {
      const std::size_t first = line.find_first_not_of(" \t\r", at);
      if (first == std::string_view::npos) break;
      at = std::min(line.find_first_of(" \t\r", first), line.size());
      words.emplace_back(line.substr(first, at - first));
    }
    if (words.empty() || words[0][0] == '#') continue;
    if (words.size() != 4) {
      throw InputError(source.name, number, "four labels: the two ends of one edge, then of another",
                       fmt::format("{} word{}", words.size(), words.size() == 1 ? "" : "s"));
    }
    pairs.push_back({{words[0], words[1], source.name, number}, {words[2], words[3], source.name, number}});
  }
  if (pairs.empty()) throw InputError(source.name, 0, "four labels per line: two edges", "no line with any");
  return pairs;
}

/// "A,B" cut at the comma that leaves two labels; labels may have commas of their own.
EdgeName given_edge(const std::string& text, const Graph& graph) {
  const bool sides = graph.kind == GraphKind::bipartite;
  const auto is_label = [&](const LabelTable& labels, const std::string& label) {
    // Of vertices that stay alone (ReportedNames).
    const std::size_t colon = label.find(':');
    const std::string_view side = std::string_view(label).substr(0, colon);
    const bool named = graph.monomers && colon != std::string::npos && (side == "left" || side == "right");
    const std::string_view own = std::string_view(label).substr(named ? colon + 1 : 0);
    for (Index v = 0; v < labels.size(); ++v) {
      if (labels.label(v) == label || labels.label(v) == own) return true;
    }
    return false;
  };
  std::optional<EdgeName> cut;
  std::string unknown;  // a label that no vertex has
  for (std::size_t comma = text.find(','); comma != std::string::npos; comma = text.find(',', comma + 1)) {
    EdgeName name{text.substr(0, comma), text.substr(comma + 1)};
    const bool known = is_label(graph.left_labels, name.from);
    if (!known || !is_label(sides ? graph.right_labels : graph.left_labels, name.to)) {
      unknown = known ? name.to : name.from;
      continue;
    }
    if (cut) throw UsageError(fmt::format("--given \"{}\" can be read in two ways", quoted(text, 80)));
    cut = std::move(name);
  }
  if (!cut)
    throw UsageError(
        fmt::format("--given \"{}\": expected the labels of an edge's two ends with a comma between them{}",
                    quoted(text, 80),
                    unknown.empty() ? "" : fmt::format("; no vertex is called \"{}\"", quoted(unknown, 80))));
  return *cut;
}

PairRequest listed_pairs(const Request& request) {
  PairRequest pairs;
  if (!request.pairs_file) return pairs;
  if (request.count.channel != nullptr && *request.pairs_file == "-")
    throw UsageError("several ranks need a file of --pairs that each of them can read");
  pairs.pairs =
      read_pairs(*request.pairs_file, request.asks(Question::sampled) ? request.estimate.time_limit_seconds
                                                                      : request.count.time_limit_seconds);
  return pairs;
}

/// What is written of a pair: labels, then numbers, of samples each with its error.
struct PairLine {
  std::vector<std::string> first;  // the ends
  std::vector<std::string> second;
  std::vector<std::string> of_first;  // the probability
  std::vector<std::string> of_second;
  std::vector<std::string> of_both;  // joint probability and covariance
};

PairLine line_of(const PairProbability& pair) {
  const auto& [first, second, joint, covariance] = pair;
  return {{first.from, first.to},
          {second.from, second.to},
          {first.probability},
          {second.probability},
          {joint, covariance}};
}

PairLine line_of(const SampledPair& pair) {
  const SampledEdge& first = pair.first;
  const SampledEdge& second = pair.second;
  return {{first.from, first.to},
          {second.from, second.to},
          {first.probability, first.error},
          {second.probability, second.error},
          {pair.joint, pair.joint_error, pair.covariance, pair.covariance_error}};
}

class PairsRun {
 public:
  explicit PairsRun(const Request& request) : request_(request) {}

  int run() {
    const double begin = seconds_now();
    PairRequest pairs = listed_pairs(request_);
    {
      ProgressScope scope(request_);
      ReadOptions read = request_.read;
      read.hash = request_.json;
      CountOptions options = request_.count;
      MarginalOptions marginal_options = request_.marginals;
      marginal_options.started = [&](const ListStart& begun) {
        start_ = begun;
        if (request_.csv) write_output(header());
      };
      marginal_options.read = [&](const Graph& graph) {
        if (request_.given_edge) pairs.given = given_edge(*request_.given_edge, graph);
      };
      const Source source = source_for_all(request_);
      if (request_.asks(Question::sampled)) {
        scope.watch(options, request_.estimate.time_limit_seconds);
        sampled_ = sampled_pair_marginals(source, read, options, edge_sampling(request_), marginal_options,
                                          pairs, [&](const SampledPair& pair) {
                                            take(line_of(pair));
                                            return true;
                                          });
        all_ = sampled_->pairs.size();
      } else {
        scope.watch(options);
        all_ = pair_probabilities(source, read, options, marginal_options, pairs,
                                  [&](const PairProbability& pair) {
                                    take(line_of(pair));
                                    return true;
                                  });
      }
    }
    if (request_.json) write_output(indented(json()));
    flush_output();
    report_matchings(request_, start_, {"reported", all_, "pairs of edges", seconds_now() - begin});
    if (sampled_) report_sampled(request_, *sampled_);
    return 0;
  }

 private:
  bool given() const { return request_.given_edge.has_value(); }

  std::string header() const {
    if (!request_.asks(Question::sampled)) {
      return given() ? "from,to,probability,joint,covariance\r\n"
                     : "from,to,from2,to2,probability,probability2,joint,covariance\r\n";
    }
    return given() ? "from,to,probability,error,joint,joint_error,covariance,covariance_error\r\n"
                   : "from,to,from2,to2,probability,error,probability2,error2,joint,joint_error,"
                     "covariance,covariance_error\r\n";
  }

  void take(const PairLine& pair) {
    std::vector<std::string> ends = pair.second;
    if (!given()) ends.insert(ends.begin(), pair.first.begin(), pair.first.end());
    // Lines of text for --pairs leave the probabilities of the edges out.
    const bool text = !request_.json && !request_.csv;
    std::vector<std::string> numbers = pair.of_both;
    if (given() || !text) numbers.insert(numbers.begin(), pair.of_second.begin(), pair.of_second.end());
    if (!given() && !text) numbers.insert(numbers.begin(), pair.of_first.begin(), pair.of_first.end());
    if (request_.json) {
      given_ = pair.first;
      given_.insert(given_.end(), pair.of_first.begin(), pair.of_first.end());
      std::vector<std::string> row = ends;
      row.insert(row.end(), numbers.begin(), numbers.end());
      pairs_.push_back(std::move(row));
      return;
    }
    std::string row;
    for (const std::string& end : ends)
      row += (request_.csv ? csv_field(end) + ',' : escaped_word(end) + ' ');
    for (const std::string& number : numbers) row += number + (request_.csv ? ',' : ' ');
    row.pop_back();
    write_output(row + (request_.csv ? "\r\n" : "\n"));
  }

  Json json() const {
    MarginalsObject object;
    static_cast<ListStart&>(object) = start_;
    object.exact = request_.marginals.exact;
    object.weighted = request_.read.weights || start_.input.weighted;
    if (given()) object.given = given_;
    object.pairs = pairs_;
    object.sampled = sampled_;
    return json_of(object);
  }

  const Request& request_;
  ListStart start_;
  std::uint64_t all_ = 0;
  std::optional<SampledPairMarginals> sampled_;
  std::vector<std::string> given_;
  std::vector<std::vector<std::string>> pairs_;
};

int follow_rank_0_to_pairs(const Request& request) {
  const CountOptions options = options_to_follow(request);
  PairRequest pairs = listed_pairs(request);
  MarginalOptions marginal_options = request.marginals;
  marginal_options.read = [&](const Graph& graph) {
    if (request.given_edge) pairs.given = given_edge(*request.given_edge, graph);
  };
  const Source source = Source::from_argument(request.arguments.front());
  if (request.asks(Question::sampled)) {
    follow_sampled_pair_marginals(source, request.read, options, edge_sampling(request), marginal_options,
                                  pairs);
  } else {
    follow_pairs(source, request.read, options, marginal_options, pairs);
  }
  return 0;
}

}  // namespace

SamplingForecast explain_marginal_pairs(const Request& request, const Source& source, const ReadOptions& read,
                                        const CountOptions& options) {
  PairRequest pairs = listed_pairs(request);
  MarginalOptions marginal_options;
  marginal_options.read = [&](const Graph& graph) {
    if (request.given_edge) pairs.given = given_edge(*request.given_edge, graph);
  };
  return explain_sampled_pair_marginals(source, read, options, edge_sampling(request), marginal_options,
                                        pairs);
}

int run_marginal_pairs(const Request& request) {
  if (follows(request)) return follow_rank_0_to_pairs(request);
  return PairsRun(request).run();
}

}  // namespace countpm::app
