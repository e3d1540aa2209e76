// Determinants, minors, probabilities of photons and molecules, described for JSON.
#include <cmath>

#include "src/chemistry/kekule_result.hpp"
#include "src/count/determinant.hpp"
#include "src/count/minors.hpp"
#include "src/count/outcome_probability.hpp"
#include "src/report/head.hpp"
#include "src/report/json.hpp"
#include "src/text/format_number.hpp"

namespace countpm {
namespace {

/// A bond of the pi system with its Pauling bond order.
struct BondObject {
  std::string from;
  std::string to;
  mpq_class order;
};

const Fields<BondObject>& fields_of(const BondObject*) {
  static const auto fields = Fields<BondObject>()
                                 .add("from", "", &BondObject::from)
                                 .add("to", "", &BondObject::to)
                                 .add("order", "the Pauling bond order, a fraction",
                                      [](const BondObject& bond) { return bond.order.get_str(); })
                                 .add("value", "the same as a number", [](const BondObject& bond) {
                                   return nearest_double(bond.order.get_num(), bond.order.get_den());
                                 });
  return fields;
}

std::vector<BondObject> bonds_of(const KekuleResult& result) {
  const LabelTable& labels = result.graph.left_labels;
  std::vector<BondObject> bonds;
  for (std::size_t e = 0; e < result.order.size(); ++e) {
    const Edge& edge = result.graph.edges[e];
    bonds.push_back({labels.label(edge.from), labels.label(edge.to), result.order[e]});
  }
  return bonds;
}

std::string name_of_lines(bool rows) {
  return rows ? "rows" : "columns";
}

constexpr const char* lines_meaning = "`rows` or `columns`: what the permanents lack one of";
constexpr const char* column_meaning = "the label of the column that all of them lack, too (`--column`)";

}  // namespace

const Fields<DeterminantResult>& fields_of(const DeterminantResult*) {
  using Result = DeterminantResult;
  static const auto fields = with_notes(
      head<Result>("determinant")
          .add("quantity", "`determinant` or `pfaffian`",
               [](const Result& result) { return std::string(result.skew ? "pfaffian" : "determinant"); })
          .add("rows", "of the matrix, with as many columns", &Result::rows)
          .add("triangle",
               "whether the input has only the entries above the diagonal, and a Pfaffian was computed of "
               "these and of minus these below",
               &Result::triangle)
          .add("value", "as `count`", &Result::digits)
          .add("exact", "", [](const Result& result) { return result.error.empty(); })
          .add("error_bound", "null: it is exact",
               [](const Result& result) { return text_or_null(result.error); })
          .add("sign", "`1`, `0` or `-1`; of a complex value the value over its absolute value, `(0.6,-0.8)`",
               &Result::sign)
          .add("ln", "of the absolute value; null for 0",
               [](const Result& result) { return finite(result.ln); })
          .add("blocks", "of more than one row, whose determinants multiply", &Result::blocks)
          .add("primes", "modulo which these were computed, one more for each to check it", &Result::primes)
          .add("threads", "", &Result::threads)
          .add("seconds", "of all", &Result::seconds));
  return fields;
}

const Fields<Minor>& fields_of(const Minor*) {
  static const auto fields = Fields<Minor>()
                                 .add("label", "of the row or column", &Minor::label)
                                 .add("permanent", "without it, as `count`", &Minor::digits)
                                 .add("error_bound", "null: it is exact",
                                      [](const Minor& minor) { return text_or_null(minor.error); });
  return fields;
}

const Fields<Minors>& fields_of(const Minors*) {
  static const auto fields = with_notes(
      head<Minors>("minors")
          .add("lines", lines_meaning, [](const Minors& result) { return name_of_lines(result.rows); })
          .add("column", column_meaning, &Minors::column)
          .add("exact", "whether all of them are", &Minors::exact)
          .add("minors", "", &Minors::minors)
          .add("seconds", "of all", &Minors::seconds));
  return fields;
}

const Fields<MinorsForecast>& fields_of(const MinorsForecast*) {
  static const auto fields = with_notes(
      head<MinorsForecast>("minors-forecast")
          .add("lines", lines_meaning,
               [](const MinorsForecast& forecast) { return name_of_lines(forecast.rows); })
          .add("column", column_meaning, &MinorsForecast::column)
          .add("minors", "how many", [](const MinorsForecast& forecast) { return forecast.work.minors; })
          .add("exact", "whether they would be",
               [](const MinorsForecast& forecast) { return forecast.work.exact; })
          .add("arithmetic", "`doubles`, with a bound on the error of each, or `primes`",
               [](const MinorsForecast& forecast) {
                 return std::string(forecast.work.doubles ? "doubles" : "primes");
               })
          .add("log10_states", "sets of rows, or of columns where these are fewer",
               [](const MinorsForecast& forecast) { return forecast.work.log2_states * std::log10(2.0); })
          .add("factors", "of the product at each state",
               [](const MinorsForecast& forecast) { return forecast.work.factors; })
          .add("log10_seconds", "predicted, of one thread; null if it is 0 or infinite",
               [](const MinorsForecast& forecast) { return finite(forecast.work.log10_seconds); })
          .add("feasible", "within the time limit",
               [](const MinorsForecast& forecast) { return forecast.work.feasible; }));
  return fields;
}

const Fields<OutcomeProbability>& fields_of(const OutcomeProbability*) {
  static const auto fields = with_notes(
      head<OutcomeProbability>("probability")
          .add("in", "how many photons enter each mode",
               [](const OutcomeProbability& result) { return result.photons.in; })
          .add("out", "and leave it", [](const OutcomeProbability& result) { return result.photons.out; })
          .add("photons", "together", &OutcomeProbability::number)
          .add("probability", "as `count`", &OutcomeProbability::probability)
          .add("exact", "", [](const OutcomeProbability& result) { return result.error.empty(); })
          .add("error_bound", "null: it is exact",
               [](const OutcomeProbability& result) { return text_or_null(result.error); })
          .add("permanent", "of the amplitudes, with rows and columns repeated",
               &OutcomeProbability::permanent)
          .add("permanent_error_bound", "",
               [](const OutcomeProbability& result) { return text_or_null(result.permanent_error); })
          .add("factorials",
               "the product of the factorials of all numbers of photons: the probability is the squared "
               "absolute "
               "value of the permanent, over this",
               [](const OutcomeProbability& result) { return result.factorials.get_str(); })
          .add("method",
               "that counted the permanent; `minors` if no digit of it is certain, and the permanents "
               "without a line "
               "say how large it may be",
               &OutcomeProbability::method)
          .add("seconds", "of all", &OutcomeProbability::seconds));
  return fields;
}

const Fields<KekuleResult>& fields_of(const KekuleResult*) {
  static const auto fields = with_notes(
      head<KekuleResult>("molecule")
          .add("formula", "of a molecule whose hydrogens are in the file",
               [](const KekuleResult& result) { return text_or_null(result.formula); })
          .add("structures", "how many Kekulé structures; null if the molecule has no pi system",
               [](const KekuleResult& result) {
                 return result.no_pi_system.empty() ? std::optional(result.structures.get_str())
                                                    : std::nullopt;
               })
          .add("no_pi_system", "why it has none: `it has only single bonds (...)`",
               [](const KekuleResult& result) { return text_or_null(result.no_pi_system); })
          .add("unpaired", "atoms of the pi system without a double bond, however the others are paired",
               &KekuleResult::unpaired)
          .add("clar_number",
               "the most hexagons in a Clar cover; null, as `clar_covers`, if there is no structure, and if "
               "it takes "
               "more than some seconds, as a note says",
               [](const KekuleResult& result) {
                 const std::size_t covers = result.clar_covers.size();
                 return covers == 0 ? std::nullopt : std::optional(covers - 1);
               })
          .add("clar_covers", "the numbers of covers with 0, 1, 2, ... hexagons ([covers.md](covers.md))",
               [](const KekuleResult& result) -> std::optional<std::vector<std::string>> {
                 if (result.clar_covers.empty()) return std::nullopt;
                 std::vector<std::string> texts;
                 for (const mpz_class& one : result.clar_covers) texts.push_back(one.get_str());
                 return texts;
               })
          .add("bonds", "every bond of the pi system; none if there is no structure", bonds_of));
  return fields;
}

}  // namespace countpm
