#include "graph/formats/write_edge_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "graph/errors.hpp"
#include "graph/letters.hpp"

namespace countpm {
namespace {

bool fits_edge_list(const std::string& label) {
  if (label.empty() || label[0] == '#' || label[0] == '%') return false;
  return std::all_of(label.begin(), label.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return byte > 0x20 && byte != 0x7f;
  });
}

std::string checked_label(const LabelTable& labels, Index id) {
  std::string label = labels.label(id);
  if (!fits_edge_list(label)) {
    throw UsageError(
        fmt::format("the label '{}' does not fit an edge list: labels are not empty, have no blanks and do "
                    "not begin with # or %",
                    countpm::quoted(label)));
  }
  return label;
}

// How often 5 and 2 divide `number`, whichever is more; number keeps what is left without them.
std::uint64_t strip_tens(mpz_class& number) {
  const std::uint64_t fives = mpz_remove(number.get_mpz_t(), number.get_mpz_t(), mpz_class(5).get_mpz_t());
  const std::uint64_t twos = mpz_remove(number.get_mpz_t(), number.get_mpz_t(), mpz_class(2).get_mpz_t());
  return std::max(fives, twos);
}

// With a decimal point or an exponent, so that it is read back as real; p/q where no decimal is exact (1/3,
// in a sum).
std::string decimal_text(const mpq_class& value) {
  mpz_class rest = value.get_den();
  const std::uint64_t places = strip_tens(rest);
  if (rest != 1) return value.get_str();
  mpz_class power;
  mpz_ui_pow_ui(power.get_mpz_t(), 10, places);
  std::string digits = mpz_class(value.get_num() * (power / value.get_den())).get_str();
  if (places > 20 || digits.size() > 20) {
    const std::size_t zeros = value == 0 ? 0 : digits.size() - 1 - digits.find_last_not_of('0');
    digits.resize(digits.size() - zeros);
    return fmt::format("{}e{}", digits, static_cast<std::int64_t>(zeros) - static_cast<std::int64_t>(places));
  }
  if (places == 0) return fmt::format("{}.0", digits);
  const bool negative = digits[0] == '-';
  if (negative) digits.erase(0, 1);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  digits.insert(digits.size() - places, 1, '.');
  return fmt::format("{}{}", negative ? "-" : "", digits);
}

std::string weight_text(const mpq_class& value, WeightKind kind) {
  if (kind >= WeightKind::real) return decimal_text(value);
  if (kind == WeightKind::rational)
    return fmt::format("{}/{}", value.get_num().get_str(), value.get_den().get_str());
  return value.get_str();
}

std::string weight_text(std::int64_t value, WeightKind kind) {
  if (kind <= WeightKind::integer) return std::to_string(value);
  if (kind == WeightKind::complex) return fmt::format("({},0)", value);
  return weight_text(mpq_class(static_cast<std::int64_t>(value)), kind);
}

// Vertices that no edge touches, as directives.
void write_isolated(const LabelTable& labels, const std::vector<bool>& touched, const char* verb,
                    std::ostream& out) {
  for (Index v = 0; v < labels.size(); ++v) {
    if (!touched[v]) out << "#! " << verb << ' ' << checked_label(labels, v) << '\n';
  }
}

}  // namespace

std::string weight_text(const Graph& graph, std::size_t e) {
  if (graph.letters) {
    const auto* places = std::get_if<std::vector<std::int64_t>>(&graph.values);
    const auto place = places == nullptr ? std::size_t{1} : static_cast<std::size_t>((*places)[e]);
    return text_of(graph.letters->weight[place], graph.letters->letters);
  }
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&graph.values)) {
    return weight_text((*integers)[e], graph.weight_kind);
  }
  if (const auto* rationals = std::get_if<std::vector<mpq_class>>(&graph.values)) {
    if (graph.weight_kind != WeightKind::complex) return weight_text((*rationals)[e], graph.weight_kind);
    return fmt::format("({},0)", weight_text((*rationals)[e], WeightKind::real));
  }
  if (const auto* complex = std::get_if<std::vector<ComplexRational>>(&graph.values)) {
    return fmt::format("({},{})", weight_text((*complex)[e].re, WeightKind::real),
                       weight_text((*complex)[e].im, WeightKind::real));
  }
  // All weights are 1, but spelt out in the source: their kind is to be read back too.
  if (graph.weight_kind == WeightKind::none) return "";
  return weight_text(std::int64_t{1}, graph.weight_kind);
}

void write_edge_list(const Graph& graph, std::ostream& out) {
  const bool bipartite = graph.kind == GraphKind::bipartite;
  const LabelTable& right_labels = bipartite ? graph.right_labels : graph.left_labels;
  std::vector<bool> left_touched(graph.left_labels.size());
  std::vector<bool> right_touched(graph.right_labels.size());
  for (const Edge& edge : graph.edges) {
    left_touched[edge.from] = true;
    (bipartite ? right_touched : left_touched)[edge.to] = true;
  }
  const std::uint64_t vertices =
      std::uint64_t{graph.left_labels.size()} + (bipartite ? graph.right_labels.size() : 0);
  out << fmt::format("# {} graph, {} vertices, {} edges\n", name_of(graph.kind), vertices,
                     graph.edges.size());
  if (vertices == 0) out << "#! empty\n";
  if (graph.weight_kind != WeightKind::none)
    out << "# the third column is weights: countpm --weights FILE; without --weights every edge counts 1\n";
  write_isolated(graph.left_labels, left_touched, bipartite ? "left" : "vertex", out);
  if (bipartite) write_isolated(graph.right_labels, right_touched, "right", out);
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    const std::string weight = weight_text(graph, e);
    out << checked_label(graph.left_labels, graph.edges[e].from) << ' '
        << checked_label(right_labels, graph.edges[e].to) << (weight.empty() ? "" : " ") << weight << '\n';
  }
}

}  // namespace countpm
