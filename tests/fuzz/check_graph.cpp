#include "tests/fuzz/check_graph.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/api/entries.hpp"
#include "src/count/ln_z.hpp"
#include "src/estimate/compare.hpp"
#include "src/estimate/estimate.hpp"
#include "src/verify/verify_result.hpp"

namespace countpm::fuzz {
namespace {

/// Mostly what is there; one in 16 anything.
Index vertex_of(Bytes& bytes, Index size) {
  const unsigned kind = bytes.below(16);
  if (kind == 0) return static_cast<Index>(bytes.word());
  if (kind == 1) return size;
  return size == 0 ? 0 : static_cast<Index>(bytes.below(size));
}

mpq_class fraction_of(Bytes& bytes) {
  mpq_class value;
  value.get_num() = static_cast<int>(bytes.byte()) - 100;
  value.get_den() = 1;
  const unsigned kind = bytes.below(8);
  if (kind >= 5) value.get_den() = static_cast<int>(bytes.byte()) - 20;  // 0, negative, not in lowest terms
  if (kind == 4) mpz_mul_2exp(value.get_num_mpz_t(), value.get_num_mpz_t(), bytes.below(200));
  return value;
}

Values values_of(Bytes& bytes, std::size_t edges) {
  const unsigned kind = bytes.below(5);
  const std::size_t size = bytes.below(16) == 0 ? bytes.below(20) : edges;
  const auto list = [&](auto value) {
    std::vector<decltype(value())> values;
    for (std::size_t k = 0; k < size; ++k) values.push_back(value());
    return values;
  };
  switch (kind) {
    case 0:
      return list([&] { return std::int64_t{bytes.byte()} - 3; });
    case 1:
      return list([&] { return static_cast<std::int64_t>(bytes.word()); });
    case 2:
      return list([&] { return fraction_of(bytes); });
    case 3:
      return list([&] { return ComplexRational{fraction_of(bytes), fraction_of(bytes)}; });
    default:
      return {};
  }
}

double number_of(Bytes& bytes) {
  constexpr double numbers[] = {0, -1, 1e-300, 1e-3, 0.05, 0.5, 0.95, 0.99, 1, 2, 10, 1e30, 1e308};
  const unsigned which = bytes.below(std::size(numbers) + 3);
  if (which < std::size(numbers)) return numbers[which];
  if (which == std::size(numbers)) return std::numeric_limits<double>::infinity();
  if (which == std::size(numbers) + 1) return -std::numeric_limits<double>::infinity();
  return std::numeric_limits<double>::quiet_NaN();
}

/// One of the smallest, one of the largest, or any.
template <class Number>
Number integer_of(Bytes& bytes) {
  switch (bytes.below(4)) {
    case 0:
      return std::numeric_limits<Number>::max();
    case 1:
      return std::numeric_limits<Number>::min();
    case 2:
      return static_cast<Number>(bytes.below(8));
    default:
      return static_cast<Number>(bytes.word());
  }
}

/// The default but for what bytes change; whatever they do, work ends after a second.
CountOptions options_of(Bytes& bytes) {
  static const char* const methods[] = {"auto",    "ryser",    "frontier", "planar", "condensation",
                                        "pruned",  "grouped",  "nobody",   "",       "skipper",
                                        "codegen", "enumerate"};
  CountOptions options;
  options.time_limit_seconds = 1;
  options.memory_limit_bytes = std::uint64_t{256} << 20;
  options.threads = 1;
  options.device = "cpu";
  if (bytes.below(2) == 0) options.method = methods[bytes.below(std::size(methods))];
  for (unsigned changes = bytes.below(4); changes > 0; --changes) {
    switch (bytes.below(14)) {
      case 0:
        options.threads = integer_of<int>(bytes);
        break;
      case 1:
        options.gpus = integer_of<int>(bytes);
        break;
      case 2:
        options.emulated_gpus = integer_of<int>(bytes);
        break;
      case 3:
        options.time_limit_seconds = number_of(bytes);
        break;
      case 4:
        options.memory_limit_bytes = integer_of<std::uint64_t>(bytes);
        break;
      case 5:
        options.audit_share = number_of(bytes);
        break;
      case 6:
        options.arithmetic.bits = integer_of<unsigned>(bytes);
        break;
      case 7:
        options.order = static_cast<OrderKind>(bytes.byte());
        break;
      case 8:
        options.arithmetic.choice = static_cast<FloatChoice>(bytes.byte());
        break;
      case 9:
        options.double_check = true;
        break;
      case 10:
        options.recheck = true;
        break;
      case 11:
        options.device = bytes.below(2) == 0 ? "auto" : std::string(1, static_cast<char>(bytes.byte()));
        break;
      case 12:
        options.seed = bytes.word();
        break;
      default:
        for (bool& enabled : options.rules.enabled) enabled = bytes.below(2) == 0;
    }
  }
  return options;
}

EstimateOptions estimate_options_of(Bytes& bytes) {
  EstimateOptions options;
  options.samples = 64;
  options.time_limit_seconds = 0.5;
  options.device = "cpu";
  for (unsigned changes = bytes.below(4); changes > 0; --changes) {
    switch (bytes.below(12)) {
      case 0:
        options.sampler.kind = static_cast<SamplerKind>(static_cast<int>(bytes.byte()) - 2);
        break;
      case 1:
        options.sampler.population = integer_of<std::uint32_t>(bytes);
        break;
      case 2:
        options.sampler.strata = integer_of<std::uint32_t>(bytes);
        break;
      case 3:
        options.sampler.tail_rows = integer_of<std::uint32_t>(bytes);
        break;
      case 4:
        options.relative_error = number_of(bytes);
        break;
      case 5:
        options.confidence = number_of(bytes);
        break;
      case 6:
        options.exact_below_seconds = number_of(bytes);
        break;
      case 7:
        options.guarantee = GuaranteeGoal{number_of(bytes), number_of(bytes)};
        break;
      case 8:
        options.gpus = integer_of<int>(bytes);
        break;
      case 9:
        options.sampler.scale_interval = integer_of<std::uint32_t>(bytes);
        break;
      case 10:
        options.sampler.prune = bytes.below(2) == 0;
        break;
      default:
        options.all_sampled = true;
    }
  }
  return options;
}

Source source_of(Bytes& bytes) {
  static const char* const specs[] = {"lattice:square:4x4", "lattice:torus:4x4", "lattice:nothing:9",
                                      "lattice:", "lattice:aztec:3"};
  Source source;
  switch (bytes.below(4)) {
    case 0:
      source.kind = static_cast<Source::Kind>(3 + bytes.below(9));
      source.name = specs[bytes.below(std::size(specs))];
      break;
    case 1:
      source = Source::from_argument(specs[bytes.below(std::size(specs))]);
      break;
    default: {
      std::string text = bytes.below(2) == 0 ? "a b\nb c\nc d\nd a\n" : "";
      for (unsigned k = bytes.below(40); k > 0; --k) text.push_back(static_cast<char>(bytes.byte()));
      source = Source::from_bytes(std::move(text));
    }
  }
  return source;
}

ReadOptions read_options_of(Bytes& bytes) {
  ReadOptions options;
  options.weights = bytes.below(2) == 0;
  for (unsigned changes = bytes.below(3); changes > 0; --changes) {
    switch (bytes.below(5)) {
      case 0:
        options.format = static_cast<Format>(bytes.below(12));
        break;
      case 1:
        options.kind = static_cast<GraphKind>(bytes.below(5));
        break;
      case 2:
        options.multi = static_cast<MultiPolicy>(bytes.below(4));
        break;
      case 3:
        options.loops = static_cast<LoopPolicy>(bytes.below(4));
        break;
      default:
        options.remove.emplace_back(1, static_cast<char>(bytes.byte()));
    }
  }
  return options;
}

/// Runs one entry; countpm's own exceptions are answers.
template <class Entry>
void ask(const Entry& entry) {
  try {
    entry();
  } catch (const Error&) {
  }
}

void ask_of_graph(const Graph& graph, Bytes& bytes) {
  const CountOptions options = options_of(bytes);
  switch (bytes.below(4)) {
    case 0:
      return ask([&] { count(graph, options); });
    case 1: {
      const EstimateOptions sampling = estimate_options_of(bytes);
      return ask([&] { estimate(graph, options, sampling); });
    }
    case 2: {
      MarginalOptions telling;
      telling.exact = bytes.below(2) == 0;
      if (bytes.below(4) == 0) telling.digits = integer_of<unsigned>(bytes);
      const EdgeSink sink = [](const EdgeProbability&) { return true; };
      const bool none = bytes.below(8) == 0;
      return ask([&] { marginals(graph, options, telling, none ? EdgeSink() : sink); });
    }
    default: {
      SampleOptions drawing;
      drawing.count = bytes.below(4) == 0 ? integer_of<std::uint64_t>(bytes) : 3;
      int heard = 0;
      const MatchingSink sink = [&](const auto&) { return ++heard < 5; };
      const bool none = bytes.below(8) == 0;
      return ask([&] { sample_matchings(graph, options, drawing, none ? MatchingSink() : sink); });
    }
  }
}

void ask_of_source(Bytes& bytes) {
  const Source source = source_of(bytes);
  const ReadOptions reading = read_options_of(bytes);
  const CountOptions options = options_of(bytes);
  switch (bytes.below(8)) {
    case 0:
      return ask([&] { count(source, reading, options); });
    case 1:
      return ask([&] { explain(source, reading, options); });
    case 2:
      return ask([&] { ln_z(source, reading, options); });
    case 3: {
      ListOptions listing;
      listing.first = bytes.below(3) == 0 ? integer_of<std::uint64_t>(bytes) : 1;
      if (bytes.below(2) == 0) listing.last = integer_of<std::uint64_t>(bytes);
      int heard = 0;
      const MatchingSink sink = [&](const auto&) { return ++heard < 5; };
      const bool none = bytes.below(8) == 0;
      return ask([&] { list_matchings(source, reading, listing, none ? MatchingSink() : sink); });
    }
    case 4: {
      CompareOptions comparing;
      if (bytes.below(4) != 0) comparing.samples = {8};
      if (bytes.below(2) == 0) comparing.samplers = {static_cast<SamplerKind>(bytes.below(12))};
      const EstimateOptions sampling = estimate_options_of(bytes);
      return ask([&] {
        compare(
            source, reading, options, sampling, comparing, [](const ComparisonStart&) {},
            [](const ComparedEstimate&) {}, [](const LeftOutSampler&) {});
      });
    }
    case 5: {
      StoredResult stored;
      stored.count = std::to_string(bytes.byte());
      stored.exact = bytes.below(2) == 0;
      stored.error_bound = bytes.below(2) == 0 ? "1e-3" : "";
      if (bytes.below(2) == 0) stored.counts = {stored.count, "x"};
      for (unsigned k = bytes.below(8); k > 0; --k) stored.plans.push_back(static_cast<char>(bytes.byte()));
      return ask([&] { verify_result(stored, source, reading, options); });
    }
    case 6:
      return ask([&] { split(source, reading, options, {}); });
    default:
      return ask([&] { resume_part(source, reading, options); });
  }
}

}  // namespace

Graph graph_of_bytes(Bytes& bytes) {
  Graph graph;
  const unsigned kind = bytes.below(16);
  graph.kind = static_cast<GraphKind>(kind == 15 ? bytes.byte() : kind % 3);
  const Index left = bytes.below(9);
  graph.left_labels = LabelTable::numbered(left);
  const bool bipartite = graph.kind == GraphKind::bipartite;
  const Index right = bipartite              ? (bytes.below(4) == 0 ? bytes.below(9) : left)
                      : bytes.below(16) == 0 ? 1
                                             : 0;
  graph.right_labels = LabelTable::numbered(right);
  if (bytes.below(64) == 0) graph.left_labels = LabelTable::numbered(no_index - bytes.below(2));
  for (unsigned k = bytes.below(24); k > 0; --k) {
    const Index from = vertex_of(bytes, left);
    graph.edges.push_back({from, vertex_of(bytes, bipartite ? right : left)});
  }
  graph.values = values_of(bytes, graph.edges.size());
  const unsigned weights = bytes.below(8);
  graph.weight_kind = static_cast<WeightKind>(weights == 7 ? bytes.byte() : weights % 5);
  return graph;
}

void check_entries(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  if (bytes.below(3) == 0) return ask_of_source(bytes);
  const Graph graph = graph_of_bytes(bytes);
  ask_of_graph(graph, bytes);
}

}  // namespace countpm::fuzz
