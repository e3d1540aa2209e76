#include "python/src/sampling.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <utility>
#include <vector>

#include "kernels/estimate/samples/sampler.hpp"
#include "python/src/graph.hpp"
#include "python/src/graph_state.hpp"
#include "python/src/iterator.hpp"
#include "python/src/kept_file.hpp"
#include "python/src/long_call.hpp"
#include "python/src/options.hpp"
#include "python/src/report.hpp"
#include "python/src/values.hpp"
#include "src/estimate/estimate.hpp"
#include "src/estimate/explain_estimates.hpp"
#include "src/input/sound_options.hpp"
#include "src/matchings/approximate_draws.hpp"
#include "src/matchings/explain_draws.hpp"
#include "src/matchings/integration.hpp"
#include "src/matchings/ratio.hpp"
#include "src/matchings/sampled_marginals.hpp"
#include "src/matchings/signed_sum.hpp"
#include "src/report/json_text.hpp"
#include "src/words/estimate_words.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

nb::object guarantee_of(const Estimate& estimate) {
  if (!estimate.guarantee) return nb::none();
  return nb::make_tuple(estimate.guarantee->epsilon, estimate.guarantee->delta);
}

nb::dict estimate_of(const PyGraph& graph, const nb::dict& given, const nb::dict& sampling,
                     nb::handle progress, const std::string& monomer, bool ln_weights) {
  CountOptions options = count_options(given);
  EstimateOptions estimate_given = estimate_options(sampling, given);
  LogWeights weights;
  if (ln_weights)
    estimate_given.weights = [&weights](const SampleWeights& some) { keep_weights(weights, some); };
  LongCall call(progress);
  call.watch(options);
  EstimateResult result = call.run([&] {
    return estimate(monomer.empty() ? ReadResult(graph.read()) : read_with(graph, monomer), options,
                    estimate_given);
  });
  nb::dict answer = answer_of(std::move(result), options);
  if (ln_weights) answer["ln_weights"] = to_lists(weights);
  return answer;
}

EdgeSampling edge_sampling(const EstimateOptions& options, double error) {
  EdgeSampling sampling;
  if (options.sampler.kind) sampling.sampler = sampler_info(*options.sampler.kind).name;
  sampling.error = error;
  sampling.samples = options.samples;
  sampling.time_limit_seconds = options.time_limit_seconds;
  return sampling;
}

nb::list notes_of(const SampledMarginals& result) {
  nb::list notes;
  for (const std::string& note : result.notes) notes.append(note);
  if (!result.doubt.empty()) notes.append("the errors are in doubt: " + result.doubt);
  if (!result.goal_missed.empty()) notes.append(result.goal_missed);
  return notes;
}

nb::dict sampled_marginals_of(const PyGraph& graph, const nb::dict& given, const nb::dict& sampling,
                              double error, nb::handle progress, const std::string& monomer) {
  CountOptions options = count_options(given);
  const EdgeSampling asked = edge_sampling(estimate_options(sampling, given), error);
  LongCall call(progress);
  call.watch(options);
  const SampledMarginals result = call.run([&] {
    return sampled_marginals(monomer.empty() ? ReadResult(graph.read()) : read_with(graph, monomer), options,
                             asked);
  });
  nb::list probabilities;
  nb::list errors;
  for (const double probability : result.probability) probabilities.append(probability);
  for (const double one : result.error) errors.append(one);
  nb::dict answer;
  answer["probabilities"] = probabilities;
  answer["errors"] = errors;
  answer["notes"] = notes_of(result);
  return answer;
}

nb::dict sampled_pair_marginals_of(const PyGraph& graph,
                                   const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                                   const nb::dict& given, const nb::dict& sampling, double error,
                                   nb::handle progress) {
  CountOptions options = count_options(given);
  const EdgeSampling asked = edge_sampling(estimate_options(sampling, given), error);
  LongCall call(progress);
  call.watch(options);
  const SampledPairMarginals result =
      call.run([&] { return sampled_pair_marginals(ReadResult(graph.read()), pairs, options, asked); });
  nb::list found;
  for (const PairShares& pair : result.pairs)
    found.append(nb::make_tuple(pair.joint, pair.joint_error, pair.covariance, pair.covariance_error));
  nb::dict answer;
  answer["pairs"] = found;
  answer["notes"] = notes_of(result);
  return answer;
}

nb::dict approximate_sample_of(const PyGraph& graph, std::uint64_t k, const std::string& sampler,
                               const nb::dict& given, nb::handle progress, const std::string& monomer) {
  CountOptions options = count_options(given);
  SampleOptions samples;
  samples.count = k;
  // Where rows may be free, both ends of every edge.
  const bool pairs = !monomer.empty() || !asks_for_perfect(graph.graph(), options);
  const GraphKind kind = pairs ? GraphKind::undirected : graph.graph().kind;
  LongCall call(progress);
  call.watch(options);
  std::vector<std::string> all;
  const DrawnApproximately drawn = call.run([&] {
    return sample_approximately(read_with(graph, monomer), options, sampler, samples,
                                [&](const std::vector<Edge>& matching) {
                                  all.push_back(ids_of(matching, kind));
                                  return true;
                                });
  });
  nb::list draws;
  for (const std::string& ids : all) draws.append(nb::bytes(ids.data(), ids.size()));
  nb::list notes;
  if (!drawn.sampler.empty()) notes.append(words::drawn_text(drawn));
  if (!drawn.doubt.empty()) notes.append("the draws are in doubt: " + drawn.doubt);
  nb::dict answer;
  answer["draws"] = draws;
  answer["notes"] = notes;
  return answer;
}

nb::dict ratio_dict(const RatioResult& result) {
  nb::dict answer;
  answer["exact"] = result.exact ? to_python(*result.exact) : nb::object(nb::none());
  answer["ln"] = result.ln;
  answer["ln_error"] = result.ln_error;
  answer["low"] = result.low;
  answer["high"] = result.high;
  answer["json"] = json_text(result);
  return answer;
}

/// As it is told from others by a journal, if there is one.
ReadResult kept_as(const PyGraph& graph, const std::string& checkpoint) {
  ReadResult read(graph.read());
  if (!checkpoint.empty()) read.info.sha256 = labelled_digest(read);
  return read;
}

nb::dict ratio_of(const PyGraph& a, const PyGraph& b, const nb::dict& given, const nb::dict& sampling,
                  nb::handle progress, const std::string& checkpoint, nb::list notices) {
  CountOptions options = count_options(given);
  const EstimateOptions asked = estimate_options(sampling, given);
  LongCall call(progress);
  call.watch(options);
  return ratio_dict(with_kept_file(checkpoint, notices, [&](const CheckpointOptions& kept) {
    options.checkpoint = kept;
    return call.run([&] { return ratio(kept_as(a, checkpoint), kept_as(b, checkpoint), options, asked); });
  }));
}

nb::dict integral_of(const PyGraph& graph, const std::string& range, const nb::dict& given,
                     const nb::dict& sampling, nb::handle progress, const std::string& checkpoint,
                     nb::list notices) {
  CountOptions options = count_options(given);
  const EstimateOptions asked = estimate_options(sampling, given);
  const LetterRange letter = letter_range(range);
  LongCall call(progress);
  call.watch(options);
  return ratio_dict(with_kept_file(checkpoint, notices, [&](const CheckpointOptions& kept) {
    options.checkpoint = kept;
    return call.run([&] { return integrate(kept_as(graph, checkpoint), letter, options, asked); });
  }));
}

nb::dict signed_sum_of(const PyGraph& graph, const nb::dict& given, const nb::dict& sampling,
                       nb::handle progress) {
  CountOptions options = count_options(given);
  const EstimateOptions asked = estimate_options(sampling, given);
  LongCall call(progress);
  call.watch(options);
  const SignedSum result = call.run([&] { return signed_sum(ReadResult(graph.read()), options, asked); });
  nb::dict answer;
  answer["ln_absolute"] = result.ln_absolute;
  answer["absolute_error"] = result.absolute_error;
  answer["mean_sign"] = nb::make_tuple(result.mean_sign.real(), result.mean_sign.imag());
  answer["sign_error"] = result.sign_error;
  answer["error"] = result.error;
  answer["half_width"] = result.half_width;
  answer["differs_from_zero"] = result.differs_from_zero();
  answer["json"] = json_text(result);
  return answer;
}

std::string explain_integral_of(const PyGraph& graph, const std::string& range, const nb::dict& given,
                                const nb::dict& sampling, nb::handle progress) {
  CountOptions options = count_options(given);
  const EstimateOptions asked = estimate_options(sampling, given);
  const LetterRange letter = letter_range(range);
  LongCall call(progress);
  call.watch(options);
  return call.run(
      [&] { return json_text(explain_integral(ReadResult(graph.read()), letter, options, asked)); });
}

std::string explain_estimate_of(const PyGraph& graph, const nb::dict& given, const nb::dict& sampling,
                                nb::handle progress) {
  CountOptions options = count_options(given);
  const EstimateOptions asked = estimate_options(sampling, given);
  LongCall call(progress);
  call.watch(options);
  return call.run([&] { return json_text(explain_estimate(ReadResult(graph.read()), options, asked)); });
}

std::string explain_ratio_of(const PyGraph& a, const PyGraph& b, const nb::dict& given,
                             const nb::dict& sampling, nb::handle progress) {
  CountOptions options = count_options(given);
  const EstimateOptions asked = estimate_options(sampling, given);
  LongCall call(progress);
  call.watch(options);
  return call.run(
      [&] { return json_text(explain_ratio(ReadResult(a.read()), ReadResult(b.read()), options, asked)); });
}

std::string explain_sample_of(const PyGraph& graph, std::uint64_t k, const std::string& sampler,
                              const nb::dict& given, nb::handle progress, const std::string& monomer) {
  CountOptions options = count_options(given);
  SampleOptions samples;
  samples.count = k;
  LongCall call(progress);
  call.watch(options);
  return call.run(
      [&] { return json_text(explain_draws(read_with(graph, monomer), options, samples, sampler)); });
}

std::string explain_sampled_marginals_of(const PyGraph& graph, const nb::dict& given,
                                         const nb::dict& sampling, double error, nb::handle progress) {
  CountOptions options = count_options(given);
  const EdgeSampling asked = edge_sampling(estimate_options(sampling, given), error);
  LongCall call(progress);
  call.watch(options);
  return call.run(
      [&] { return json_text(explain_sampled_marginals(ReadResult(graph.read()), options, asked)); });
}

}  // namespace

nb::dict answer_of(EstimateResult result, const CountOptions& options) {
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
  answer["report"] = PyReport(std::move(result), options);
  return answer;
}

void keep_weights(LogWeights& all, const SampleWeights& some) {
  if (all.size() <= some.replicate) all.resize(some.replicate + 1);
  auto& blocks = all[some.replicate];
  if (blocks.size() <= some.block) blocks.resize(some.block + 1);
  blocks[some.block].insert(blocks[some.block].end(), some.ln.begin(), some.ln.end());
}

nb::list to_lists(const LogWeights& all) {
  nb::list replicates;
  for (const auto& blocks : all) {
    nb::list lists;
    for (const std::vector<double>& weights : blocks) {
      nb::list list;
      for (const double ln : weights) list.append(ln);
      lists.append(list);
    }
    replicates.append(lists);
  }
  return replicates;
}

void bind_sampling(nb::module_& module) {
  module.def("estimate", estimate_of, nb::arg("graph"), nb::arg("options"), nb::arg("estimate_options"),
             nb::arg("progress").none() = nb::none(), nb::arg("monomer") = "", nb::arg("ln_weights") = false,
             nb::sig("def estimate(graph: Graph, options: dict, estimate_options: dict, "
                     "progress: collections.abc.Callable | None = None, monomer: str = '', "
                     "ln_weights: bool = False) -> dict"),
             "value (None where something was sampled), log10, low_log10, high_log10, relative_error, "
             "confidence, doubt, "
             "guarantee, json, report; ln_weights by replicate and block.");
  module.def("sampled_marginals", sampled_marginals_of, nb::arg("graph"), nb::arg("options"),
             nb::arg("estimate_options"), nb::arg("error") = 0.01, nb::arg("progress").none() = nb::none(),
             nb::arg("monomer") = "",
             nb::sig("def sampled_marginals(graph: Graph, options: dict, estimate_options: dict, "
                     "error: float = 0.01, progress: collections.abc.Callable | None = None, "
                     "monomer: str = '') -> dict"),
             "probabilities and errors, as marginals; notes.");
  module.def("sampled_pair_marginals", sampled_pair_marginals_of, nb::arg("graph"), nb::arg("pairs"),
             nb::arg("options"), nb::arg("estimate_options"), nb::arg("error") = 0.01,
             nb::arg("progress").none() = nb::none(),
             nb::sig("def sampled_pair_marginals(graph: Graph, pairs: list[tuple[int, int]], "
                     "options: dict, estimate_options: dict, error: float = 0.01, "
                     "progress: collections.abc.Callable | None = None) -> dict"),
             "pairs: joint probability, its error, covariance, its error, of pairs of places in the graph's "
             "edges, none without a perfect matching; notes.");
  module.def("approximate_sample", approximate_sample_of, nb::arg("graph"), nb::arg("k"), nb::arg("sampler"),
             nb::arg("options"), nb::arg("progress").none() = nb::none(), nb::arg("monomer") = "",
             nb::sig("def approximate_sample(graph: Graph, k: int, sampler: str, options: dict, "
                     "progress: collections.abc.Callable | None = None, monomer: str = '') -> dict"),
             "draws, as those of sample; notes.");
  module.def("explain_sample", explain_sample_of, nb::arg("graph"), nb::arg("k"), nb::arg("sampler"),
             nb::arg("options"), nb::arg("progress").none() = nb::none(), nb::arg("monomer") = "",
             nb::sig("def explain_sample(graph: Graph, k: int, sampler: str, options: dict, "
                     "progress: collections.abc.Callable | None = None, monomer: str = '') -> str"),
             "JSON; sampler empty: exact draws.");
  module.def("ratio", ratio_of, nb::arg("a"), nb::arg("b"), nb::arg("options"), nb::arg("estimate_options"),
             nb::arg("progress").none(), nb::arg("checkpoint"), nb::arg("notices"),
             nb::sig("def ratio(a: Graph, b: Graph, options: dict, estimate_options: dict, "
                     "progress: collections.abc.Callable | None, checkpoint: str, "
                     "notices: list[str]) -> dict"),
             "exact, as a pair, or None; ln of it: ln, ln_error, low, high; json. notices: has then what "
             "befell the checkpoint.");
  module.def("integrate", integral_of, nb::arg("graph"), nb::arg("range"), nb::arg("options"),
             nb::arg("estimate_options"), nb::arg("progress").none(), nb::arg("checkpoint"),
             nb::arg("notices"),
             nb::sig("def integrate(graph: Graph, range: str, options: dict, estimate_options: dict, "
                     "progress: collections.abc.Callable | None, checkpoint: str, "
                     "notices: list[str]) -> dict"),
             "As ratio.");
  module.def(
      "signed_sum", signed_sum_of, nb::arg("graph"), nb::arg("options"), nb::arg("estimate_options"),
      nb::arg("progress").none() = nb::none(),
      nb::sig("def signed_sum(graph: Graph, options: dict, estimate_options: dict, "
              "progress: collections.abc.Callable | None = None) -> dict"),
      "ln_absolute, absolute_error; in units of its exponential mean_sign, sign_error, error, half_width; "
      "told; json.");
  module.def("explain_integral", explain_integral_of, nb::arg("graph"), nb::arg("range"), nb::arg("options"),
             nb::arg("estimate_options"), nb::arg("progress").none() = nb::none(),
             nb::sig("def explain_integral(graph: Graph, range: str, options: dict, estimate_options: dict, "
                     "progress: collections.abc.Callable | None = None) -> str"),
             "JSON.");
  module.def("explain_estimate", explain_estimate_of, nb::arg("graph"), nb::arg("options"),
             nb::arg("estimate_options"), nb::arg("progress").none() = nb::none(),
             nb::sig("def explain_estimate(graph: Graph, options: dict, estimate_options: dict, "
                     "progress: collections.abc.Callable | None = None) -> str"),
             "JSON.");
  module.def("explain_ratio", explain_ratio_of, nb::arg("a"), nb::arg("b"), nb::arg("options"),
             nb::arg("estimate_options"), nb::arg("progress").none() = nb::none(),
             nb::sig("def explain_ratio(a: Graph, b: Graph, options: dict, estimate_options: dict, "
                     "progress: collections.abc.Callable | None = None) -> str"),
             "JSON.");
  module.def("explain_sampled_marginals", explain_sampled_marginals_of, nb::arg("graph"), nb::arg("options"),
             nb::arg("estimate_options"), nb::arg("error") = 0.01, nb::arg("progress").none() = nb::none(),
             nb::sig("def explain_sampled_marginals(graph: Graph, options: dict, estimate_options: dict, "
                     "error: float = 0.01, progress: collections.abc.Callable | None = None) -> str"),
             "JSON.");
}

}  // namespace countpm::python
