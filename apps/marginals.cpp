// countpm marginals INPUT: every edge and its probability.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/csv.hpp"
#include "apps/json.hpp"
#include "apps/marginal_picture.hpp"
#include "apps/matching_lines.hpp"
#include "apps/output.hpp"
#include "apps/progress_scope.hpp"
#include "graph/text.hpp"

namespace countpm::app {
namespace {

std::string text_line(const EdgeProbability& edge) {
  return fmt::format("{} {} {}\n", escaped_word(edge.from), escaped_word(edge.to), edge.probability);
}

std::string csv_line(const EdgeProbability& edge) {
  return fmt::format("{},{},{}\r\n", csv_field(edge.from), csv_field(edge.to), edge.probability);
}

}  // namespace

int run_marginals(const Request& request) {
  ReadOptions read = request.read;
  read.hash = request.json;
  CountOptions options = request.count;
  MarginalOptions marginal_options = request.marginals;
  ListStart start;
  nlohmann::ordered_json edges = nlohmann::ordered_json::array();
  marginal_options.started = [&](const ListStart& begun) {
    start = begun;
    if (request.csv) write_output("from,to,probability\r\n");
  };
  MarginalPicture picture(request);
  if (request.svg) marginal_options.read = [&](const Graph& graph) { picture.keep(graph); };
  std::uint64_t begun = 0;
  {
    ProgressScope scope(request);
    scope.watch(options);
    begun = marginals(Source::from_argument(request.arguments.front()), read, options, marginal_options,
                      [&](const EdgeProbability& edge) {
                        picture.take(edge);
                        if (request.json) {
                          edges.push_back({edge.from, edge.to, edge.probability});
                        } else {
                          write_output(request.csv ? csv_line(edge) : text_line(edge));
                        }
                        return true;
                      });
  }
  if (request.json)
    write_output(indented(marginals_json(start, request.read.weights, marginal_options.exact, edges)));
  flush_output();
  report_start(request, start, "begun", begun);
  picture.finish(start);
  return 0;
}

}  // namespace countpm::app
