// countpm marginals INPUT: every edge and its probability.
#include <fmt/format.h>

#include <optional>

#include "apps/commands.hpp"
#include "apps/csv.hpp"
#include "apps/direction_means.hpp"
#include "apps/explain_samples.hpp"
#include "apps/json.hpp"
#include "apps/long_answer.hpp"
#include "apps/marginal_pairs.hpp"
#include "apps/marginal_picture.hpp"
#include "apps/matching_lines.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "apps/ranks.hpp"
#include "apps/report_page.hpp"
#include "apps/sampled_report.hpp"
#include "graph/clock.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"
#include "src/matchings/follow_matchings.hpp"
#include "src/matchings/sampled_marginals.hpp"

namespace countpm::app {
namespace {

std::string text_line(const EdgeProbability& edge, const std::string& error) {
  return fmt::format("{} {} {}{}{}\n", escaped_word(edge.from), escaped_word(edge.to), edge.probability,
                     error.empty() ? "" : " ", error);
}

std::string csv_line(const EdgeProbability& edge, const std::string& error) {
  return fmt::format("{},{},{}{}{}\r\n", csv_field(edge.from), csv_field(edge.to), edge.probability,
                     error.empty() ? "" : ",", error);
}

/// The command's lines, or its JSON, and beside them what the picture and the page need.
class MarginalsRun {
 public:
  explicit MarginalsRun(const Request& request)
      : request_(request), page_(request), picture_(request), directions_(request), answer_(request) {}

  int run() {
    const double begin = seconds_now();
    page_.or_refusal([&] { report_edges(); });
    if (request_.json) {
      MarginalsObject object;
      static_cast<ListStart&>(object) = table_.start;
      object.weighted = table_.weighted;
      object.exact = request_.marginals.exact;
      object.probabilities = std::move(edges_);
      object.directions = directions_.means();
      object.sampled = sampled_;
      write_output(indented(json_of(object)));
    }
    answer_.finish("edges");
    flush_output();
    report_matchings(request_, table_.start,
                     {"reported", table_.all, "edges with their probabilities", seconds_now() - begin});
    if (sampled_) report_sampled(request_, *sampled_);
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
      if (request_.csv)
        write_output(request_.asks(Question::sampled) ? "from,to,probability,error\r\n"
                                                      : "from,to,probability\r\n");
    };
    if (request_.svg || page_.wanted())
      marginal_options.read = [&](const Graph& graph) { picture_.keep(graph); };
    const Source source = source_for_all(request_);
    if (request_.asks(Question::sampled)) {
      scope.watch(options, request_.estimate.time_limit_seconds);
      sampled_ = sampled_marginals(source, read, options, edge_sampling(request_), marginal_options,
                                   [&](const SampledEdge& edge) {
                                     take({edge.from, edge.to, edge.probability}, edge.error);
                                     return true;
                                   });
      table_.all = sampled_->probability.size();
    } else {
      scope.watch(options);
      table_.all = marginals(source, read, options, marginal_options, [&](const EdgeProbability& edge) {
        take(edge, {});
        return true;
      });
    }
  }

  void take(const EdgeProbability& edge, const std::string& error) {
    picture_.take(edge);
    directions_.take(edge);
    if (page_.wanted() && table_.edges.size() < html::most_listed_edges) table_.edges.push_back(edge);
    if (request_.json) {
      edges_.push_back({edge.from, edge.to, edge.probability});
      if (!error.empty()) edges_.back().push_back(error);
    } else {
      answer_.write(request_.csv ? csv_line(edge, error) : text_line(edge, error));
    }
  }

  const Request& request_;
  ReportPage page_;
  MarginalPicture picture_;
  DirectionMeans directions_;
  LongAnswer answer_;
  html::MarginalTable table_;
  std::optional<SampledMarginals> sampled_;
  std::vector<std::vector<std::string>> edges_;
};

int follow_rank_0_to_edges(const Request& request) {
  const CountOptions options = options_to_follow(request);
  const Source source = input_of(request);
  if (request.asks(Question::sampled)) {
    follow_sampled_marginals(source, request.read, options, edge_sampling(request));
  } else {
    follow_marginals(source, request.read, options);
  }
  return 0;
}

}  // namespace

int run_marginals(const Request& request) {
  if (request.given_edge || request.pairs_file) return run_marginal_pairs(request);
  if (follows(request)) return follow_rank_0_to_edges(request);
  return MarginalsRun(request).run();
}

}  // namespace countpm::app
