#include "python/src/graph_state.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <sstream>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "graph/letters.hpp"
#include "graph/sha256.hpp"

namespace countpm::python {

namespace {

constexpr const char* state_title = "countpm graph 1";
constexpr int digits_base = 16;

[[noreturn]] void refuse_state(const std::string& found) {
  throw InputError("<graph>", 0, "a graph as countpm writes it for others who count it", found);
}

std::string number_text(std::int64_t value) {
  return std::to_string(value);
}
std::string number_text(const mpq_class& value) {
  return value.get_str(digits_base);
}
std::string number_text(const ComplexRational& value) {
  return value.re.get_str(digits_base) + " " + value.im.get_str(digits_base);
}

mpq_class read_fraction(std::istream& in) {
  std::string text;
  mpq_class value;
  if (!(in >> text) || value.set_str(text, digits_base) != 0 || value.get_den() == 0)
    refuse_state("no number");
  return value;
}

template <class Value>
Value read_value(std::istream& in) {
  if constexpr (std::is_same_v<Value, std::int64_t>) {
    std::int64_t value = 0;
    if (!(in >> value)) refuse_state("no number");
    return value;
  } else if constexpr (std::is_same_v<Value, mpq_class>) {
    return read_fraction(in);
  } else {
    ComplexRational value;
    value.re = read_fraction(in);
    value.im = read_fraction(in);
    return value;
  }
}

std::string letters_state(const LetterWeights& letters) {
  std::string state = letters.letters + "\n";
  for (const Monomial& weight : letters.weight)
    state += fmt::format("{} {}\n", number_text(weight.coefficient), fmt::join(weight.exponent, " "));
  return state;
}

std::shared_ptr<const LetterWeights> read_letters(std::istream& in, std::size_t weights) {
  auto letters = std::make_shared<LetterWeights>();
  if (!(in >> letters->letters)) refuse_state("no letters");
  for (std::size_t k = 0; k < weights; ++k) {
    Monomial& weight = letters->weight.emplace_back();
    weight.coefficient = read_fraction(in);
    for (std::int32_t& exponent : weight.exponent) {
      if (!(in >> exponent)) refuse_state("no exponent");
    }
  }
  return letters;
}

template <class Value>
Values read_values(std::istream& in, std::uint64_t number) {
  std::vector<Value> values;
  for (std::uint64_t k = 0; k < number; ++k) values.push_back(read_value<Value>(in));
  return values;
}

}  // namespace

std::string graph_state(const ReadResult& read) {
  const Graph& graph = read.graph;
  if (graph.covers || graph.digit || graph.copies)
    throw UsageError("only matchings and cycle covers can be counted by others");
  std::string state = fmt::format(
      "{}\n{} {} {} {} {} {} {} {} {} {}\n", state_title, static_cast<int>(graph.kind),
      graph.left_labels.size(), graph.right_labels.size(), graph.edges.size(),
      static_cast<int>(graph.weight_kind), graph.values.index(), read.info.exact ? 1 : 0,
      graph.monomers ? 1 : 0, graph.letter_bits, graph.letters ? graph.letters->weight.size() : 0);
  for (const Edge& edge : graph.edges)
    fmt::format_to(std::back_inserter(state), "{} {}\n", edge.from, edge.to);
  std::visit(
      [&state](const auto& values) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
          for (const auto& value : values) state += number_text(value) + "\n";
        }
      },
      graph.values);
  if (graph.letters) state += letters_state(*graph.letters);
  return state;
}

ReadResult graph_of_state(const std::string& state) {
  std::istringstream in(state);
  std::string line;
  if (!std::getline(in, line) || line != state_title) refuse_state("something else");
  int kind = 0;
  Index left = 0;
  Index right = 0;
  std::uint64_t edges = 0;
  int weights = 0;
  std::size_t values = 0;
  int exact = 0;
  int monomers = 0;
  unsigned letter_bits = 0;
  std::size_t letter_weights = 0;
  if (!(in >> kind >> left >> right >> edges >> weights >> values >> exact >> monomers >> letter_bits >>
        letter_weights))
    refuse_state("a torn one");
  if (kind < 0 || kind > static_cast<int>(GraphKind::undirected) || weights < 0 ||
      weights > static_cast<int>(WeightKind::complex) || exact < 0 || exact > 1 || monomers < 0 ||
      monomers > 1)
    refuse_state("kinds that are none");
  ReadResult read;
  read.info.path = "<graph>";
  read.info.memory = true;
  read.info.exact = exact == 1;
  Graph& graph = read.graph;
  graph.kind = static_cast<GraphKind>(kind);
  graph.weight_kind = static_cast<WeightKind>(weights);
  graph.monomers = monomers == 1;
  graph.letter_bits = letter_bits;
  graph.left_labels = LabelTable::numbered(left, 0);
  graph.right_labels = LabelTable::numbered(right, 0);
  for (std::uint64_t k = 0; k < edges; ++k) {
    Edge edge{};
    if (!(in >> edge.from >> edge.to)) refuse_state("fewer edges than it says");
    graph.edges.push_back(edge);
  }
  if (values == 1) graph.values = read_values<std::int64_t>(in, edges);
  if (values == 2) graph.values = read_values<mpq_class>(in, edges);
  if (values == 3) graph.values = read_values<ComplexRational>(in, edges);
  if (values >= std::variant_size_v<Values>) refuse_state("numbers of no known kind");
  if (letter_weights > 0) graph.letters = read_letters(in, letter_weights);
  return read;
}

std::string graph_digest(const ReadResult& read) {
  Sha256 hash;
  hash.update(graph_state(read));
  return hash.digest();
}

std::string labelled_digest(const ReadResult& read) {
  Sha256 hash;
  hash.update(graph_state(read));
  for (const LabelTable* table : {&read.graph.left_labels, &read.graph.right_labels}) {
    for (Index v = 0; v < table->size(); ++v) {
      const std::string label = table->label(v);
      hash.update_number(label.size());
      hash.update(label);
    }
  }
  return hash.digest();
}

}  // namespace countpm::python
