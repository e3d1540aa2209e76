#include "python/src/questions.hpp"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "graph/kinds/monomers.hpp"
#include "graph/kinds/tiles.hpp"
#include "python/src/graph.hpp"
#include "python/src/iterator.hpp"
#include "python/src/long_call.hpp"
#include "python/src/options.hpp"
#include "python/src/report.hpp"
#include "python/src/values.hpp"
#include "src/api/entries.hpp"
#include "src/chemistry/kekule.hpp"
#include "src/count/bounds.hpp"
#include "src/count/count_or_bounds.hpp"
#include "src/count/determinant.hpp"
#include "src/count/ln_z.hpp"
#include "src/count/minors.hpp"
#include "src/count/orbit_count.hpp"
#include "src/count/small_value.hpp"
#include "src/input/report.hpp"
#include "src/input/sound_options.hpp"
#include "src/library/countpm.hpp"
#include "src/library/matrices.hpp"
#include "src/machine/assume.hpp"
#include "src/matchings/edge_pairs.hpp"
#include "src/number/exact_complex.hpp"
#include "src/number/number.hpp"
#include "src/report/json_text.hpp"
#include "src/report/recurrence_json.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

/// (variables, [(exponents, (numerator, denominator)), ...]); None of a count without letters.
nb::object polynomial_to_python(const std::optional<Polynomial>& polynomial) {
  if (!polynomial) return nb::none();
  nb::list terms;
  for (const PolynomialTerm& term : polynomial->terms) {
    nb::list exponents;
    for (const std::int64_t one : term.exponents) exponents.append(one);
    terms.append(nb::make_tuple(exponents, to_python(term.coefficient)));
  }
  return nb::make_tuple(polynomial->variables, terms);
}

/// None of the count itself.
nb::object residues_to_python(const std::vector<CountResidue>& residues) {
  if (residues.empty()) return nb::none();
  nb::list list;
  for (const CountResidue& one : residues) list.append(to_python(one.residue));
  return list;
}

/// Of small graphs, where nobody asks how it was counted: not worth a thread.
std::optional<nb::dict> count_at_once(const Graph& graph, const CountOptions& options) {
  check_options(options);
  const std::optional<Value> value = [&] {
    const nb::gil_scoped_release released;
    return small_value(graph, options);
  }();
  if (!value) return std::nullopt;
  nb::dict answer;
  answer["value"] = to_python(*value);
  return answer;
}

/// Complex numbers that are exact come as their digits.
nb::object exact_or_ball(const Value& value, bool exact_complex) {
  const auto* ball = std::get_if<ComplexBall>(&value);
  if (ball == nullptr || !exact_complex) return to_python(value);
  const ComplexRational number = exact_complex_number(*ball);
  return nb::make_tuple("exact complex", to_python(number.re), to_python(number.im));
}

}  // namespace

nb::list coefficients_of(const CountResult& result) {
  nb::list coefficients;
  for (const mpq_class& one : result.coefficients) coefficients.append(to_python(one));
  return coefficients;
}

nb::dict answer_of(CountResult result, const PyGraph& graph, const CountOptions& options, bool report) {
  nb::dict answer;
  answer["value"] = exact_or_ball(result.value, graph.read().info.exact);
  answer["residues"] = residues_to_python(result.residues);
  answer["polynomial"] = polynomial_to_python(result.polynomial);
  if (report) {
    answer["json"] = json_text(result);
    answer["proof"] = result.proof.empty() ? nb::object(nb::none())
                                           : nb::object(nb::str(result.proof.c_str(), result.proof.size()));
    answer["report"] = PyReport(std::move(result), options);
  }
  return answer;
}

namespace {

nb::dict count_of(const PyGraph& graph, const nb::dict& given, nb::handle progress, bool report) {
  CountOptions options = count_options(given);
  if (!report && !graph.read().info.exact && options.modulo.empty() && options.settings.empty()) {
    if (std::optional<nb::dict> answer = count_at_once(graph.graph(), options)) return *answer;
  }
  LongCall call(progress);
  call.watch(options);
  CountResult result = call.run([&] { return count(ReadResult(graph.read()), options); });
  return answer_of(std::move(result), graph, options, report);
}

nb::dict count_or_bounds_of(const PyGraph& graph, const nb::dict& given, nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  CountOrBounds found = call.run([&] { return count_or_bounds(ReadResult(graph.read()), options); });
  if (auto* result = std::get_if<CountResult>(&found))
    return answer_of(std::move(*result), graph, options, true);
  nb::dict answer;
  answer["bounded"] = json_text(std::get<BoundedCount>(found));
  return answer;
}

std::string recurrence_of(const std::string& family, bool weights, const nb::dict& given,
                          nb::handle progress) {
  SeriesOptions options;
  options.count = count_options(given);
  options.read.weights = weights;
  LongCall call(progress);
  call.watch(options.count);
  return json_text(call.run([&] { return find_recurrence(family, options, {}, [] {}); }));
}

nb::dict count_orbits_of(const PyGraph& graph, const nb::dict& given, nb::handle progress) {
  CountOptions options = count_options(given);
  if (options.matchings == MatchingSize::smaller_side) options.matchings = MatchingSize::perfect;
  LongCall call(progress);
  call.watch(options);
  const OrbitCount result = call.run([&] { return count_orbits(ReadResult(graph.read()), options); });
  nb::dict answer;
  answer["value"] = to_python(result.orbits);
  answer["matchings"] = result.matchings;
  answer["symmetries"] = result.symmetries;
  answer["counts"] = result.counts;
  answer["notes"] = result.notes;
  return answer;
}

nb::object determinant_of(const PyGraph& graph, bool skew, const nb::dict& given, nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const Value value = call.run([&] {
    const GraphQuestion question = skew ? GraphQuestion::pfaffian : GraphQuestion::determinant;
    ReadResult matrix = matrix_of(question, ReadResult(graph.read()), options);
    return skew ? pfaffian(std::move(matrix), options) : determinant(std::move(matrix), options);
  });
  return exact_or_ball(value, graph.read().info.exact);
}

nb::list minors_of(const PyGraph& graph, const nb::dict& given) {
  const CountOptions options = count_options(given);
  const bool exact = graph.read().info.exact;
  CountOptions watched = options;
  LongCall call((nb::none()));
  call.watch(watched);
  const std::vector<Value> values = call.run([&] { return minors(ReadResult(graph.read()), watched); });
  nb::list list;
  for (const Value& minor : values) list.append(exact_or_ball(minor, exact));
  return list;
}

nb::dict work_of_minors(const PyGraph& graph, const nb::dict& given) {
  CountOptions options = count_options(given);
  LongCall call((nb::none()));
  call.watch(options);
  const MinorsWork work =
      call.run([&] { return countpm::work_of_minors(ReadResult(graph.read()), options); });
  nb::dict answer;
  answer["minors"] = work.minors;
  answer["doubles"] = work.doubles;
  answer["exact"] = work.exact;
  answer["log2_states"] = work.log2_states;
  answer["factors"] = work.factors;
  answer["log10_seconds"] = work.log10_seconds;
  answer["feasible"] = work.feasible;
  return answer;
}

nb::dict sum_and_coefficients(const CountResult& result) {
  nb::dict answer;
  answer["value"] = exact_or_ball(result.value, result.input.exact);
  answer["coefficients"] = coefficients_of(result);
  answer["polynomial"] = polynomial_to_python(result.polynomial);
  return answer;
}

PyGraph graph_with_monomers(const PyGraph& graph, const std::string& weight) {
  return PyGraph(read_with(graph, weight));
}

nb::dict matchings_of(const PyGraph& graph, const std::string& weight, const nb::dict& given,
                      nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const CountResult result = call.run([&] { return count(read_with(graph, weight), options); });
  return sum_and_coefficients(result);
}

nb::dict ground_state_of(const PyGraph& graph, bool largest, const nb::dict& given, nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const CountResult result = call.run([&] {
    // A lattice is made again, with edges of weight 0.
    ReadOptions again;
    again.kind = graph.graph().kind;
    again.symmetric = again.kind == GraphKind::directed;
    const bool lattice = graph.read().info.lattice;
    const Input given_graph = lattice ? Input(Source::from_argument(graph.read().info.path), again)
                                      : Input(ReadResult(graph.read()));
    const Input states = ground_states(given_graph, largest ? Extremum::maximum : Extremum::minimum);
    return states.ask(
        [&](const Source& source, const ReadOptions& reading) { return count(source, reading, options); },
        [&](const ReadResult& read) { return count(ReadResult(read), options); });
  });
  const GroundStates& states = *result.input.ground_states;
  nb::dict answer;
  answer["weight"] = states.weight ? to_python(*states.weight) : nb::object(nb::none());
  answer["value"] = to_python(result.value);
  return answer;
}

nb::object factors_of(const PyGraph& graph, std::uint32_t degree,
                      const std::vector<std::pair<std::uint32_t, std::uint32_t>>& named,
                      const nb::dict& given, nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const CountResult result = call.run([&] {
    ReadResult read(graph.read());
    std::vector<VertexDegree> degrees = read.info.vertex_degrees;
    for (const auto& [vertex, edges] : named)
      degrees.push_back({false, read.graph.left_labels.label(vertex), edges});
    read.info.degrees = make_factors_matchings(read.graph, degree, degrees, read.info.path);
    return count(std::move(read), options);
  });
  return to_python(result.value);
}

nb::dict ring_covers_of(const PyGraph& graph, const std::vector<std::uint32_t>& lengths,
                        const std::string& weight, const nb::dict& given, nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const CountResult result = call.run([&] {
    ReadResult read(graph.read());
    add_rings(read.graph, lengths, weight, read.info.path);
    return count(std::move(read), options);
  });
  return sum_and_coefficients(result);
}

nb::object exact_covers_of(std::uint32_t vertices, const std::vector<std::vector<std::uint32_t>>& sets,
                           const std::vector<std::string>& weights, const nb::dict& given,
                           nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const CountResult result = call.run([&] {
    std::vector<mpq_class> values;
    values.reserve(weights.size());
    for (const std::string& one : weights) values.emplace_back(one);
    return count(cover_graph(vertices, sets, values), options);
  });
  return to_python(result.value);
}

nb::dict loop_hafnian_of(const PyGraph& graph, const nb::dict& given, nb::handle progress, bool drop) {
  CountOptions options = count_options(given);
  const LoopPolicy loops = drop ? LoopPolicy::drop : LoopPolicy::monomer;
  constexpr std::size_t few_entries = 1024;
  if (graph.graph().edges.size() <= few_entries && !graph.read().info.exact) {
    const ReadResult read = symmetric_graph(ReadResult(graph.read()), loops);
    if (std::optional<nb::dict> answer = count_at_once(read.graph, options)) {
      (*answer)["polynomial"] = nb::none();
      return *answer;
    }
  }
  LongCall call(progress);
  call.watch(options);
  const CountResult result =
      call.run([&] { return count(symmetric_graph(ReadResult(graph.read()), loops), options); });
  nb::dict answer;
  answer["value"] = exact_or_ball(result.value, result.input.exact);
  answer["polynomial"] = polynomial_to_python(result.polynomial);
  return answer;
}

nb::dict ln_z_of(const PyGraph& graph, const nb::dict& given, nb::handle progress, bool report) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const LnZResult result = call.run([&] { return ln_z(ReadResult(graph.read()), options); });
  nb::dict answer;
  answer["ln_z"] = result.ln_z;
  answer["error"] = result.ln_z_error;
  if (report) answer["json"] = json_text(result);
  return answer;
}

nb::dict explain_of(const PyGraph& graph, const nb::dict& given, const std::string& assumed) {
  CountOptions options = count_options(given);
  if (!assumed.empty()) options.assumed = parse_assumed(assumed);
  LongCall call((nb::none()));
  call.watch(options);
  Explanation result = call.run([&] { return explain(ReadResult(graph.read()), options); });
  nb::dict answer;
  answer["json"] = json_text(result);
  answer["report"] = PyReport(std::move(result), options);
  return answer;
}

nb::tuple bounds_of_graph(const PyGraph& graph, const nb::dict& given) {
  CountOptions options = count_options(given);
  LongCall call((nb::none()));
  call.watch(options);
  const CertainBounds result = call.run([&] { return bounds(ReadResult(graph.read()), options); });
  return nb::make_tuple(result.log10_lower, result.log10_upper, result.lower_by, result.upper_by,
                        result.lower, result.upper);
}

nb::list sample_of(const PyGraph& graph, std::uint64_t k, const nb::dict& given, nb::handle progress,
                   const std::string& monomer) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  SampleOptions samples;
  samples.count = k;
  // Where rows may be free, both ends of every edge.
  const bool pairs = !monomer.empty() || !asks_for_perfect(graph.graph(), options);
  const GraphKind kind = pairs ? GraphKind::undirected : graph.graph().kind;
  const std::vector<std::string> drawn = call.run([&] {
    std::vector<std::string> all;
    sample_matchings(read_with(graph, monomer), options, samples, [&](const std::vector<Edge>& matching) {
      all.push_back(ids_of(matching, kind));
      return true;
    });
    return all;
  });
  nb::list list;
  for (const std::string& ids : drawn) list.append(nb::bytes(ids.data(), ids.size()));
  return list;
}

nb::list marginals_of(const PyGraph& graph, const nb::dict& given, bool exact, nb::handle progress,
                      const std::string& monomer) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  nb::list list;
  if (exact) {
    const ExactMarginals result =
        call.run([&] { return exact_marginals(read_with(graph, monomer), options); });
    for (const mpq_class& probability : result.probability) list.append(to_python(probability));
  } else {
    const Marginals result = call.run([&] { return marginals(read_with(graph, monomer), options); });
    for (const double probability : result.probability) list.append(probability);
  }
  return list;
}

nb::dict kekule_of(const PyGraph& graph, const nb::dict& given, nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const KekuleResult result = call.run([&] { return kekule(ReadResult(graph.read()), options); });
  nb::dict answer;
  answer["structures"] = to_python(result.structures);
  nb::list orders;
  for (const mpq_class& order : result.order) orders.append(to_python(order));
  answer["orders"] = orders;
  answer["json"] = json_text(result);
  return answer;
}

nb::list pair_marginals_of(const PyGraph& graph,
                           const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                           const nb::dict& given, nb::handle progress) {
  CountOptions options = count_options(given);
  LongCall call(progress);
  call.watch(options);
  const std::vector<mpq_class> joint =
      call.run([&] { return pair_marginals(ReadResult(graph.read()), pairs, options); });
  nb::list list;
  for (const mpq_class& probability : joint) list.append(to_python(probability));
  return list;
}

}  // namespace

void bind_questions(nb::module_& module) {
  module.def(
      "count", count_of, nb::arg("graph"), nb::arg("options"), nb::arg("progress").none() = nb::none(),
      nb::arg("report") = true,
      nb::sig("def count(graph: Graph, options: dict, progress: collections.abc.Callable | None = None, "
              "report: bool = True) -> dict"),
      "value; json and report where `report`.");
  module.def("count_or_bounds", count_or_bounds_of, nb::arg("graph"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def count_or_bounds(graph: Graph, options: dict, "
                     "progress: collections.abc.Callable | None = None) -> dict"),
             "As count; beyond the limits: bounded, JSON.");
  module.def("recurrence", recurrence_of, nb::arg("family"), nb::arg("weights"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def recurrence(family: str, weights: bool, options: dict, "
                     "progress: collections.abc.Callable | None = None) -> str"));
  module.def("count_orbits", count_orbits_of, nb::arg("graph"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def count_orbits(graph: Graph, options: dict, "
                     "progress: collections.abc.Callable | None = None) -> dict"),
             "value, matchings (decimal), symmetries, counts, notes.");
  module.def("determinant", determinant_of, nb::arg("graph"), nb::arg("skew"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def determinant(graph: Graph, skew: bool, options: dict, "
                     "progress: collections.abc.Callable | None = None) -> object"),
             "Of a square matrix; skew: the Pfaffian.");
  module.def("minors", minors_of, nb::arg("graph"), nb::arg("options"),
             nb::sig("def minors(graph: Graph, options: dict) -> list"),
             "The permanents without a line of the longer side.");
  module.def("work_of_minors", work_of_minors, nb::arg("graph"), nb::arg("options"),
             nb::sig("def work_of_minors(graph: Graph, options: dict) -> dict"),
             "minors, doubles, exact, log2_states, factors, log10_seconds, feasible.");
  module.def(
      "matchings", matchings_of, nb::arg("graph"), nb::arg("weight"), nb::arg("options"),
      nb::arg("progress").none() = nb::none(),
      nb::sig("def matchings(graph: Graph, weight: str, options: dict, "
              "progress: collections.abc.Callable | None = None) -> dict"),
      "value; coefficients, as pairs, where the weight is 't'; polynomial, where the graph's weights have "
      "letters.");
  module.def("with_monomers", graph_with_monomers, nb::arg("graph"), nb::arg("weight"),
             "The graph of which matchings() counts the matchings.");
  module.def("ground_state", ground_state_of, nb::arg("graph"), nb::arg("largest"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def ground_state(graph: Graph, largest: bool, options: dict, "
                     "progress: collections.abc.Callable | None = None) -> dict"),
             "weight, as a pair, or None; value: how many there are.");
  module.def("factors", factors_of, nb::arg("graph"), nb::arg("degree"), nb::arg("named"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def factors(graph: Graph, degree: int, named: list[tuple[int, int]], options: dict, "
                     "progress: collections.abc.Callable | None = None) -> object"),
             "Sets of edges that have so many at every vertex; `named` vertices have their own number.");
  module.def("ring_covers", ring_covers_of, nb::arg("graph"), nb::arg("lengths"), nb::arg("weight"),
             nb::arg("options"), nb::arg("progress").none() = nb::none(),
             nb::sig("def ring_covers(graph: Graph, lengths: collections.abc.Sequence[int], weight: str, "
                     "options: dict, progress: collections.abc.Callable | None = None) -> dict"),
             "value; coefficients, as pairs, where the weight is 'x'.");
  module.def("exact_covers", exact_covers_of, nb::arg("vertices"), nb::arg("sets"), nb::arg("weights"),
             nb::arg("options"), nb::arg("progress").none() = nb::none(),
             nb::sig("def exact_covers(vertices: int, "
                     "sets: collections.abc.Sequence[collections.abc.Sequence[int]], "
                     "weights: collections.abc.Sequence[str], options: dict, "
                     "progress: collections.abc.Callable | None = None) -> object"),
             "Of vertices from 0; weights as fractions in lowest terms, none: all 1.");
  module.def(
      "loop_hafnian", loop_hafnian_of, nb::arg("graph"), nb::arg("options"),
      nb::arg("progress").none() = nb::none(), nb::arg("drop") = false,
      nb::sig("def loop_hafnian(graph: Graph, options: dict, "
              "progress: collections.abc.Callable | None = None, drop: bool = False) -> dict"),
      "Of a symmetric matrix, given as a bipartite graph: value, and polynomial where weights have letters. "
      "drop: the hafnian, without the diagonal.");
  module.def(
      "ln_z", ln_z_of, nb::arg("graph"), nb::arg("options"), nb::arg("progress").none() = nb::none(),
      nb::arg("report") = true,
      nb::sig("def ln_z(graph: Graph, options: dict, progress: collections.abc.Callable | None = None, "
              "report: bool = True) -> dict"),
      "ln_z, error; json where `report`.");
  module.def("explain", explain_of, nb::arg("graph"), nb::arg("options"), nb::arg("assumed") = "",
             nb::sig("def explain(graph: Graph, options: dict, assumed: str = '') -> dict"), "json, report.");
  module.def("bounds", bounds_of_graph, nb::arg("graph"), nb::arg("options"),
             nb::sig("def bounds(graph: Graph, options: dict) -> "
                     "tuple[float, float, str, str, str, str]"),
             "log10 of the bounds below and above, and the theorems that say so.");
  module.def("sample", sample_of, nb::arg("graph"), nb::arg("k"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(), nb::arg("monomer") = "",
             nb::sig("def sample(graph: Graph, k: int, options: dict, "
                     "progress: collections.abc.Callable | None = None, monomer: str = '') -> list[bytes]"),
             "k random matchings, each as bytes of uint32.");
  module.def("marginals", marginals_of, nb::arg("graph"), nb::arg("options"), nb::arg("exact") = false,
             nb::arg("progress").none() = nb::none(), nb::arg("monomer") = "",
             nb::sig("def marginals(graph: Graph, options: dict, exact: bool = False, "
                     "progress: collections.abc.Callable | None = None, monomer: str = '') -> list[float] | "
                     "list[tuple[int, int]]"),
             "Beside the graph's edges, and with a monomer's weight beside its vertices after them; empty "
             "where there "
             "is no perfect matching.");
  module.def("kekule", kekule_of, nb::arg("graph"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def kekule(graph: Graph, options: dict, "
                     "progress: collections.abc.Callable | None = None) -> dict"),
             "structures; orders beside the graph's edges, as pairs; json.");
  module.def("pair_marginals", pair_marginals_of, nb::arg("graph"), nb::arg("pairs"), nb::arg("options"),
             nb::arg("progress").none() = nb::none(),
             nb::sig("def pair_marginals(graph: Graph, pairs: list[tuple[int, int]], options: dict, "
                     "progress: collections.abc.Callable | None = None) -> list[tuple[int, int]]"),
             "Of pairs of places in the graph's edges, as fractions.");
}

}  // namespace countpm::python
