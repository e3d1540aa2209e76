// countpm marginals INPUT: every edge and its probability.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/csv.hpp"
#include "apps/direction_means.hpp"
#include "apps/json.hpp"
#include "apps/marginal_pairs.hpp"
#include "apps/marginal_picture.hpp"
#include "apps/matching_lines.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/report_page.hpp"
#include "graph/clock.hpp"
#include "graph/text.hpp"

namespace countpm::app {
namespace {

std::string text_line(const EdgeProbability& edge) {
  return fmt::format("{} {} {}\n", escaped_word(edge.from), escaped_word(edge.to), edge.probability);
}

std::string csv_line(const EdgeProbability& edge) {
  return fmt::format("{},{},{}\r\n", csv_field(edge.from), csv_field(edge.to), edge.probability);
}

/// The command's lines, or its JSON, and beside them what the picture and the page need.
class MarginalsRun {
 public:
  explicit MarginalsRun(const Request& request)
      : request_(request), page_(request), picture_(request), directions_(request) {}

  int run() {
    const double begin = seconds_now();
    page_.or_refusal([&] { report_edges(); });
    if (request_.json) {
      nlohmann::ordered_json json =
          marginals_json(table_.start, table_.weighted, request_.marginals.exact, edges_);
      if (auto directions = directions_.json(); !directions.is_null()) json["directions"] = directions;
      write_output(indented(json));
    }
    flush_output();
    report_matchings(request_, table_.start,
                     {"reported", table_.all, "edges with their probabilities", seconds_now() - begin});
    directions_.report();
    picture_.draw(table_.start);
    if (page_.wanted())
      page_.write(html::marginals_fragment(table_, page_.beside(picture_.picture(), picture_.why_not())));
    picture_.write();
    return 0;
  }

 private:
  void report_edges() {
    ProgressScope scope(request_);
    scope.before_the_end([&](const std::string& message) { page_.refuse_at_limit(message); });
    ReadOptions read = request_.read;
    read.hash = request_.json || page_.wanted();
    CountOptions options = request_.count;
    MarginalOptions marginal_options = request_.marginals;
    table_.exact = marginal_options.exact;
    marginal_options.started = [&](const ListStart& begun) {
      table_.start = begun;
      table_.weighted = request_.read.weights || begun.input.weighted;
      if (request_.csv) write_output("from,to,probability\r\n");
    };
    if (request_.svg || page_.wanted())
      marginal_options.read = [&](const Graph& graph) { picture_.keep(graph); };
    scope.watch(options);
    table_.all = marginals(Source::from_argument(request_.arguments.front()), read, options, marginal_options,
                           [&](const EdgeProbability& edge) {
                             take(edge);
                             return true;
                           });
  }

  void take(const EdgeProbability& edge) {
    picture_.take(edge);
    directions_.take(edge);
    if (page_.wanted() && table_.edges.size() < html::most_listed_edges) table_.edges.push_back(edge);
    if (request_.json) {
      edges_.push_back({edge.from, edge.to, edge.probability});
    } else {
      write_output(request_.csv ? csv_line(edge) : text_line(edge));
    }
  }

  const Request& request_;
  ReportPage page_;
  MarginalPicture picture_;
  DirectionMeans directions_;
  html::MarginalTable table_;
  nlohmann::ordered_json edges_ = nlohmann::ordered_json::array();
};

}  // namespace

int run_marginals(const Request& request) {
  if (request.given_edge || request.pairs_file) return run_marginal_pairs(request);
  return MarginalsRun(request).run();
}

}  // namespace countpm::app
