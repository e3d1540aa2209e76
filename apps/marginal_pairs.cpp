#include "apps/marginal_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "apps/csv.hpp"
#include "apps/json.hpp"
#include "apps/matching_lines.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ranks.hpp"
#include "graph/clock.hpp"
#include "graph/input_bytes.hpp"
#include "graph/text.hpp"
#include "src/matchings/edge_pairs.hpp"
#include "src/matchings/follow_matchings.hpp"

namespace countpm::app {
namespace {

/// The pairs of a file: four labels per line, blank lines and # comments left out.
std::vector<std::pair<EdgeName, EdgeName>> read_pairs(const std::string& path) {
  const Source source = Source::from_argument(path);
  if (source.kind == Source::Kind::lattice)
    throw UsageError("--pairs takes a file with four labels per line: two edges");
  InputBytes bytes(source, false);
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
  pairs.pairs = read_pairs(*request.pairs_file);
  return pairs;
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
      scope.watch(options);
      all_ = pair_probabilities(source_for_all(request_), read, options, marginal_options, pairs,
                                [&](const PairProbability& pair) {
                                  take(pair);
                                  return true;
                                });
    }
    if (request_.json) write_output(indented(json()));
    flush_output();
    report_matchings(request_, start_, {"reported", all_, "pairs of edges", seconds_now() - begin});
    return 0;
  }

 private:
  bool given() const { return request_.given_edge.has_value(); }

  std::string header() const {
    return given() ? "from,to,probability,joint,covariance\r\n"
                   : "from,to,from2,to2,probability,probability2,joint,covariance\r\n";
  }

  void take(const PairProbability& pair) {
    const auto& [first, second, joint, covariance] = pair;
    if (request_.json) {
      given_ = {first.from, first.to, first.probability};
      nlohmann::ordered_json row = nlohmann::ordered_json::array();
      if (!given()) row = {first.from, first.to};
      for (const std::string& text : {second.from, second.to}) row.push_back(text);
      if (!given()) row.push_back(first.probability);
      for (const std::string& text : {second.probability, joint, covariance}) row.push_back(text);
      pairs_.push_back(std::move(row));
    } else if (request_.csv) {
      const std::string ends =
          given() ? "" : fmt::format("{},{},", csv_field(first.from), csv_field(first.to));
      write_output(fmt::format("{}{},{},{}{},{},{}\r\n", ends, csv_field(second.from), csv_field(second.to),
                               given() ? "" : first.probability + ",", second.probability, joint,
                               covariance));
    } else {
      write_output(given()
                       ? fmt::format("{} {} {} {} {}\n", escaped_word(second.from), escaped_word(second.to),
                                     second.probability, joint, covariance)
                       : fmt::format("{} {} {} {} {} {}\n", escaped_word(first.from), escaped_word(first.to),
                                     escaped_word(second.from), escaped_word(second.to), joint, covariance));
    }
  }

  nlohmann::ordered_json json() const {
    nlohmann::ordered_json result =
        marginals_json(start_, request_.read.weights || start_.input.weighted, request_.marginals.exact, {});
    result.erase("edges");
    if (given()) result["given"] = given_;
    result["pairs"] = pairs_;
    return result;
  }

  const Request& request_;
  ListStart start_;
  std::uint64_t all_ = 0;
  nlohmann::ordered_json given_;
  nlohmann::ordered_json pairs_ = nlohmann::ordered_json::array();
};

int follow_rank_0_to_pairs(const Request& request) {
  const CountOptions options = options_to_follow(request);
  PairRequest pairs = listed_pairs(request);
  MarginalOptions marginal_options = request.marginals;
  marginal_options.read = [&](const Graph& graph) {
    if (request.given_edge) pairs.given = given_edge(*request.given_edge, graph);
  };
  follow_pairs(Source::from_argument(request.arguments.front()), request.read, options, marginal_options,
               pairs);
  return 0;
}

}  // namespace

int run_marginal_pairs(const Request& request) {
  if (follows(request)) return follow_rank_0_to_pairs(request);
  return PairsRun(request).run();
}

}  // namespace countpm::app
