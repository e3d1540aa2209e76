#include "src/chemistry/kekule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "graph/kinds/tiles.hpp"
#include "graph/molecules/pi_system.hpp"
#include "src/input/asked_kinds.hpp"
#include "src/input/report.hpp"
#include "src/watch/monitor.hpp"
#include "src/watch/stopwatch.hpp"

namespace countpm {
namespace {

constexpr double least_time_left = 1e-3;
constexpr double most_clar_seconds = 10;  // beside Kekule structures and bond orders, which are quick

bool has_hydrogens(const Molecule& molecule) {
  return std::any_of(molecule.atoms.begin(), molecule.atoms.end(),
                     [](const Atom& atom) { return atom.element == "H"; });
}

std::string known_formula(const InputInfo& input) {
  if (!input.molecule || !has_hydrogens(input.molecule->molecule)) return "";
  return formula_of(input.molecule->molecule);
}

/// What is left of the time limit.
CountOptions with_time_left(CountOptions options, const Stopwatch& since_start) {
  options.time_limit_seconds =
      std::max(options.time_limit_seconds - Stopwatch(since_start).lap(), least_time_left);
  return options;
}

// Each atom has one double bond in every structure; and an order is a number of structures over their number.
void check_orders(const KekuleResult& result) {
  std::vector<mpq_class> sum(result.graph.left_labels.size());
  for (std::size_t e = 0; e < result.order.size(); ++e) {
    const Edge& edge = result.graph.edges[e];
    sum[edge.from] += result.order[e];
    sum[edge.to] += result.order[e];
    if (result.structures % result.order[e].get_den() != 0) {
      throw CheckError(fmt::format("the bond order {} is no share of {} structures",
                                   result.order[e].get_str(), result.structures.get_str()));
    }
  }
  for (Index v = 0; v < sum.size(); ++v) {
    if (sum[v] != 1) {
      throw CheckError(fmt::format("the bond orders at the atom {} add up to {}, not to 1",
                                   result.graph.left_labels.label(v), sum[v].get_str()));
    }
  }
}

/// The coefficients as far as they are quick, or a note.
void find_clar_covers(const ReadResult& read, CountOptions options, KekuleResult& result) {
  ReadResult with_rings = read;
  options.time_limit_seconds = std::min(options.time_limit_seconds, most_clar_seconds);
  try {
    add_rings(with_rings.graph, {6}, {}, read.info.path);
    const CountResult covers = count(std::move(with_rings), options);
    for (const mpq_class& one : covers.coefficients) result.clar_covers.push_back(one.get_num());
  } catch (const UnableError& error) {
    result.notes.push_back(
        fmt::format("no Clar covering polynomial here (--rings 6 counts it): {}", error.what()));
    return;
  }
  if (result.clar_covers.front() != result.structures)
    throw CheckError(fmt::format("{} Clar covers without hexagons, and {} Kekule structures",
                                 result.clar_covers.front().get_str(), result.structures.get_str()));
}

}  // namespace

KekuleResult kekule(ReadResult read, const CountOptions& options) {
  if (read.graph.kind != GraphKind::undirected)
    throw UsageError(fmt::format(
        "Kekule structures are those of a molecule or an undirected graph, found a {} one (--kind "
        "undirected takes {})",
        read.graph.kind == GraphKind::bipartite ? "bipartite" : "directed",
        read.graph.kind == GraphKind::bipartite ? "a symmetric matrix for one" : "arcs for edges"));
  if (read.info.values_unused > 0 || read.graph.weight_kind != WeightKind::none) {
    read.info.values_unused = 0;
    read.info.assumptions.emplace_back("every Kekule structure counts 1, whatever the weights of its edges");
  }
  refuse_kinds(GraphQuestion::kekule, read.graph, read.info, options);
  read.graph.values = std::monostate{};
  read.graph.weight_kind = WeightKind::none;
  read.graph.letters.reset();
  read.info.exact = false;  // of complex weights, which it has no more
  const Stopwatch since_start;
  KekuleResult result;
  CountResult counted = count(read, options);
  static_cast<InputSummary&>(result) = static_cast<const InputSummary&>(counted);
  result.violator = std::move(counted.violator);
  result.notes = std::move(counted.notes);
  result.structures = std::get<mpz_class>(counted.value);
  result.formula = known_formula(result.input);
  if (result.structures == 0) {
    const Explanation structure = explain(read, with_time_left(options, since_start));
    result.unpaired = structure.vertices - 2 * structure.matching_size;
  } else {
    result.order = exact_marginals(read, with_time_left(options, since_start)).probability;
    find_clar_covers(read, with_time_left(options, since_start), result);
  }
  result.graph = std::move(read.graph);
  if (result.structures != 0) check_orders(result);
  return result;
}

KekuleResult without_pi_system(const NoPiSystem& none) {
  KekuleResult result;
  if (none.info()) result.input = *none.info();
  result.no_pi_system = none.reason();
  result.formula = known_formula(result.input);
  return result;
}

KekuleResult kekule(const Source& source, const ReadOptions& given, CountOptions options) {
  GraphEntry all;
  all.source = source;
  return kekule(all, given, std::move(options));
}

KekuleResult kekule(const GraphEntry& entry, const ReadOptions& given, CountOptions options) {
  const Stopwatch since_start;
  ReadOptions read_options = given;
  read_options.weights = true;  // to be passed over, which a note says
  read_options.letters = true;
  check_options(options);
  try {
    Monitor monitor(options);
    ReadResult read = monitor.explained([&] {
      monitor.enter("reading the input");
      return read_entry(entry, read_options);
    });
    return kekule(std::move(read), with_time_left(std::move(options), since_start));
  } catch (const NoPiSystem& none) {
    return without_pi_system(none);
  }
}

std::uint64_t list_structures(const KekuleResult& result, const ListOptions& options,
                              const StructureSink& sink) {
  std::map<std::pair<Index, Index>, std::size_t> edge_between;
  for (std::size_t e = 0; e < result.graph.edges.size(); ++e) {
    const Edge& edge = result.graph.edges[e];
    edge_between[std::minmax(edge.from, edge.to)] = e;
  }
  ReadResult read;
  read.graph = result.graph;
  read.info = result.input;
  std::vector<bool> doubled;
  return list_matchings(std::move(read), options, [&](const std::vector<Edge>& matching) {
    doubled.assign(edge_between.size(), false);
    for (const Edge& edge : matching) doubled[edge_between.at(std::minmax(edge.from, edge.to))] = true;
    return sink(doubled);
  });
}

}  // namespace countpm
