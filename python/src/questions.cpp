#include "python/src/questions.hpp"

#include <nanobind/stl/string.h>

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "python/src/graph.hpp"
#include "python/src/iterator.hpp"
#include "python/src/long_call.hpp"
#include "python/src/options.hpp"
#include "python/src/values.hpp"
#include "src/api/entries.hpp"
#include "src/count/bounds.hpp"
#include "src/count/log_count.hpp"
#include "src/count/small_sum.hpp"
#include "src/estimate/estimate.hpp"
#include "src/input/report.hpp"
#include "src/report/json_text.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

/// Of a few rows, where nobody asks how it was counted: not worth a thread.
std::optional<nb::dict> count_at_once(const Graph& graph, const CountOptions& options) {
  check_options(options);
  const std::optional<mpz_class> sum = small_sum(graph, options);
  if (!sum) return std::nullopt;
  nb::dict answer;
  answer["value"] = to_python(*sum);
  answer["log10"] = *sum == 0 ? -std::numeric_limits<double>::infinity() : std::log10(std::abs(sum->get_d()));
  answer["exact"] = true;
  answer["proved"] = true;
  return answer;
}

nb::dict count_of(const PyGraph& graph, const nb::dict& given, nb::handle progress, bool report) {
  CountOptions options = count_options(given);
  if (!report) {
    if (std::optional<nb::dict> answer = count_at_once(graph.graph(), options)) return *answer;
  }
  LongCall call(progress);
  call.watch(options);
  const CountResult result = call.run([&] { return count(ReadResult(graph.read()), options); });
  nb::dict answer;
  answer["value"] = to_python(result.value);
  answer["log10"] = result.log10;
  answer["exact"] = result.exact;
  answer["proved"] = result.proved;
  if (report) answer["json"] = json_text(result);
  return answer;
}

nb::dict log_count_of(const PyGraph& graph, const nb::dict& given, nb::handle progress, bool report) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const LogCountResult result = call.run([&] { return log_count(ReadResult(graph.read()), options); });
  nb::dict answer;
  answer["ln_z"] = result.ln_z;
  answer["error"] = result.error_estimate;
  if (report) answer["json"] = json_text(result);
  return answer;
}

nb::dict explain_of(const PyGraph& graph, const nb::dict& given) {
  CountOptions options = count_options(given);
  LongCall call((nb::none()));
  call.watch(options);
  const Explanation result = call.run([&] { return explain(ReadResult(graph.read()), options); });
  nb::dict answer;
  answer["json"] = json_text(result);
  return answer;
}

nb::object guarantee_of(const Estimate& estimate) {
  if (!estimate.guarantee) return nb::none();
  return nb::make_tuple(estimate.guarantee->epsilon, estimate.guarantee->delta);
}

nb::dict estimate_of(const PyGraph& graph, const nb::dict& given, const nb::dict& sampling,
                     nb::handle progress) {
  CountOptions options = count_options(given);
  const EstimateOptions estimate_given = estimate_options(sampling, given);
  LongCall call(progress);
  call.watch(options);
  const EstimateResult result =
      call.run([&] { return estimate(ReadResult(graph.read()), options, estimate_given); });
  nb::dict answer;
  answer["value"] = result.exact_value ? to_python(*result.exact_value) : nb::object(nb::none());
  const bool sampled = result.estimate.has_value();
  const double exact = result.exact_log10;
  answer["log10"] = sampled ? result.estimate->log10 : exact;
  answer["low_log10"] = sampled ? result.estimate->low_log10 : exact;
  answer["high_log10"] = sampled ? result.estimate->high_log10 : exact;
  answer["relative_error"] = sampled ? result.estimate->relative_error : 0.0;
  answer["confidence"] = sampled ? result.estimate->confidence : 1.0;
  answer["doubt"] = sampled ? result.estimate->doubt : std::string();
  answer["guarantee"] = sampled ? guarantee_of(*result.estimate) : nb::object(nb::none());
  answer["json"] = json_text(result);
  return answer;
}

nb::tuple bounds_of_graph(const PyGraph& graph, const nb::dict& given) {
  CountOptions options = count_options(given);
  LongCall call((nb::none()));
  call.watch(options);
  const BoundsReport result = call.run([&] { return bounds(ReadResult(graph.read()), options); });
  return nb::make_tuple(result.log10_lower, result.log10_upper, result.lower_by, result.upper_by);
}

nb::list sample_of(const PyGraph& graph, std::uint64_t k, const nb::dict& given, nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  SampleOptions samples;
  samples.count = k;
  const GraphKind kind = graph.graph().kind;
  const std::vector<std::string> drawn = call.run([&] {
    std::vector<std::string> all;
    sample_matchings(ReadResult(graph.read()), options, samples, [&](const std::vector<Edge>& matching) {
      all.push_back(ids_of(matching, kind));
      return true;
    });
    return all;
  });
  nb::list list;
  for (const std::string& ids : drawn) list.append(nb::bytes(ids.data(), ids.size()));
  return list;
}

nb::list marginals_of(const PyGraph& graph, const nb::dict& given, bool exact, nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  nb::list list;
  if (exact) {
    const ExactMarginals result =
        call.run([&] { return exact_marginals(ReadResult(graph.read()), options); });
    for (const mpq_class& probability : result.probability) list.append(to_python(probability));
  } else {
    const Marginals result = call.run([&] { return marginals(ReadResult(graph.read()), options); });
    for (const double probability : result.probability) list.append(probability);
  }
  return list;
}

}  // namespace

void bind_questions(nb::module_& module) {
  module.def(
      "count", count_of, nb::arg("graph"), nb::arg("options"), nb::arg("progress").none() = nb::none(),
      nb::arg("report") = true,
      nb::sig("def count(graph: Graph, options: dict, progress: collections.abc.Callable | None = None, "
              "report: bool = True) -> dict"),
      "value, log10, exact, proved; json where `report`.");
  module.def(
      "log_count", log_count_of, nb::arg("graph"), nb::arg("options"),
      nb::arg("progress").none() = nb::none(), nb::arg("report") = true,
      nb::sig("def log_count(graph: Graph, options: dict, progress: collections.abc.Callable | None = None, "
              "report: bool = True) -> dict"),
      "ln_z, error; json where `report`.");
  module.def("explain", explain_of, nb::arg("graph"), nb::arg("options"),
             nb::sig("def explain(graph: Graph, options: dict) -> dict"), "json.");
  module.def("estimate", estimate_of, nb::arg("graph"), nb::arg("options"), nb::arg("estimate_options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def estimate(graph: Graph, options: dict, estimate_options: dict, "
                     "progress: collections.abc.Callable | None = None) -> dict"),
             "value (None where something was sampled), log10, low_log10, high_log10, relative_error, "
             "confidence, doubt, "
             "guarantee, json.");
  module.def("bounds", bounds_of_graph, nb::arg("graph"), nb::arg("options"),
             nb::sig("def bounds(graph: Graph, options: dict) -> tuple[float, float, str, str]"),
             "log10 of the bounds below and above, and the theorems that say so.");
  module.def("sample", sample_of, nb::arg("graph"), nb::arg("k"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def sample(graph: Graph, k: int, options: dict, "
                     "progress: collections.abc.Callable | None = None) -> list[bytes]"),
             "k random matchings, each as bytes of uint32.");
  module.def(
      "marginals", marginals_of, nb::arg("graph"), nb::arg("options"), nb::arg("exact") = false,
      nb::arg("progress").none() = nb::none(),
      nb::sig("def marginals(graph: Graph, options: dict, exact: bool = False, "
              "progress: collections.abc.Callable | None = None) -> list[float] | list[tuple[int, int]]"),
      "Beside the graph's edges; empty where there is no perfect matching.");
}

}  // namespace countpm::python
