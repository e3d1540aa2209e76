// Counts, bounds of them, orbits and logarithms, described for JSON.
#include <cmath>

#include "src/count/bounded_result.hpp"
#include "src/count/ln_z.hpp"
#include "src/count/orbit_result.hpp"
#include "src/report/head.hpp"
#include "src/report/json.hpp"

namespace countpm {
namespace {

/// Of other counts than polynomials in one variable: null.
std::optional<std::vector<std::string>> coefficient_texts(const std::vector<mpq_class>& coefficients) {
  if (coefficients.empty()) return std::nullopt;
  std::vector<std::string> texts;
  texts.reserve(coefficients.size());
  for (const mpq_class& one : coefficients) texts.push_back(one.get_str());
  return texts;
}

}  // namespace

const Fields<BlockReport>& fields_of(const BlockReport*) {
  static const auto fields =
      Fields<BlockReport>()
          .add("rows", "of a graph with odd cycles its vertices", &BlockReport::rows)
          .add("edges", "or entries of the matrix", &BlockReport::entries)
          .add("general", "a graph with odd cycles", &BlockReport::general)
          .add("method", "that ran, or `reductions`", &BlockReport::method)
          .add("count",
               "of a polynomial's blocks, with `--modulo`, and for complex weights with `--exact`, null",
               [](const BlockReport& block) { return text_or_null(block.count); })
          .add("seconds", "", &BlockReport::seconds)
          .add("predicted_seconds", "",
               [](const BlockReport& block) { return finite(block.predicted_seconds); })
          .add("work", "as predicted, in `work_name`",
               [](const BlockReport& block) { return finite(block.work); })
          .add("work_name", "", &BlockReport::work_name)
          .add("arithmetic", "", &BlockReport::arithmetic)
          .add("kernel",
               "of `ryser` and `codegen` on a GPU of this process: `built in, for 40 rows`, `compiled for 41 "
               "rows in 0.23 s`, `compiled for this matrix before, from the cache`, ...",
               [](const BlockReport& block) { return text_or_null(block.kernel); })
          .add("plan",
               "as `explain` says it, such as `3 crossing edges, 8 planar counts, 55 vertices open`; may be "
               "empty",
               &BlockReport::plan);
  return fields;
}

const Fields<KnownLimit>& fields_of(const KnownLimit*) {
  static const auto fields = Fields<KnownLimit>()
                                 .add("per_vertex", "", &KnownLimit::per_vertex)
                                 .add("lattice", "and its closed form", &KnownLimit::lattice)
                                 .add("source", "", &KnownLimit::source);
  return fields;
}

const Fields<Entropy>& fields_of(const Entropy*) {
  static const auto fields =
      Fields<Entropy>()
          .add("ln_z", "", &Entropy::ln_z)
          .add("per_vertex", "", &Entropy::per_vertex)
          .add("per_dimer", "twice that", &Entropy::per_dimer)
          .add("limit",
               "of an unweighted lattice: what `per_vertex` tends to as it grows ([growth.md](growth.md))",
               &Entropy::limit);
  return fields;
}

const Fields<AuditReport>& fields_of(const AuditReport*) {
  static const auto fields = Fields<AuditReport>()
                                 .add("share", "as asked for", &AuditReport::share)
                                 .add("seed", "", &AuditReport::seed)
                                 .add("units", "that were run again", &AuditReport::units)
                                 .add("of", "so many", &AuditReport::of)
                                 .add("work", "their share of the predicted work", &AuditReport::work)
                                 .add("how", "the other paths, in words", &AuditReport::how)
                                 .add("seconds", "", &AuditReport::seconds);
  return fields;
}

const Fields<CountResidue>& fields_of(const CountResidue*) {
  static const auto fields = Fields<CountResidue>()
                                 .add("modulus", "an integer in decimal",
                                      [](const CountResidue& one) { return one.modulus.get_str(); })
                                 .add("residue", "of the count, from 0 to `modulus` - 1, in decimal",
                                      [](const CountResidue& one) { return one.residue.get_str(); });
  return fields;
}

const Fields<Polynomial>& fields_of(const Polynomial*) {
  static const auto fields =
      Fields<Polynomial>()
          .add("variables", "letters",
               [](const Polynomial& polynomial) {
                 std::vector<std::string> letters;
                 for (const char letter : polynomial.variables) letters.emplace_back(1, letter);
                 return letters;
               })
          .add("terms", "each an array of exponents, beside `variables`, and a coefficient",
               [](const Polynomial& polynomial) {
                 std::vector<std::tuple<std::vector<std::int64_t>, std::string>> terms;
                 for (const PolynomialTerm& term : polynomial.terms)
                   terms.emplace_back(term.exponents, term.coefficient.get_str());
                 return terms;
               });
  return fields;
}

const Fields<BoundedBlock>& fields_of(const BoundedBlock*) {
  static const auto fields =
      Fields<BoundedBlock>()
          .add("rows", "as of a count", &BoundedBlock::rows)
          .add("edges", "", &BoundedBlock::entries)
          .add("general", "", &BoundedBlock::general)
          .add("method", "null: it is not counted",
               [](const BoundedBlock& block) { return text_or_null(block.method); })
          .add("count", "null: it is not counted",
               [](const BoundedBlock& block) {
                 return block.method.empty() ? std::nullopt : std::optional(block.count);
               })
          .add("bounds", "of one that was counted by `count`", &BoundedBlock::bounds);
  return fields;
}

const Fields<CountResult>& fields_of(const CountResult*) {
  static const auto fields = with_notes(
      head<CountResult>("count")
          .add("count",
               "an integer, `p/q`, a decimal (`4.39453125`, `1.25e+03`), or `(re,im)`; of a complex number "
               "whose "
               "imaginary part is exactly 0 only the real part; null with `--modulo`",
               [](const CountResult& result) { return text_or_null(result.count); })
          .add("coefficients",
               "with `--monomers t` by number of edges, with `--rings` by number of rings, from 0; `count` "
               "is their sum, or the one that `--power` asks for ([monomers.md](monomers.md), "
               "[covers.md](covers.md))",
               [](const CountResult& result) { return coefficient_texts(result.coefficients); })
          .add("polynomial",
               "where weights have letters; `count` is the sum of the coefficients "
               "([polynomial-weights.md](polynomial-weights.md))",
               &CountResult::polynomial)
          .add("power", "with `--power`: the number of edges, or of rings, that `count` is of",
               &CountResult::power)
          .add("residues", "with `--modulo`, in its order ([modulo.md](modulo.md)); otherwise empty",
               &CountResult::residues)
          .add("log10", "of the count's absolute value; null for 0",
               [](const CountResult& result) { return finite(result.log10); })
          .add("exact",
               "true if `count` is exact and all its digits are shown: not for complex weights without "
               "`--exact`, nor where floating point summed decimals "
               "([arithmetic.md](internals/arithmetic.md)), unless there is no perfect matching",
               &CountResult::exact)
          .add("proved", "enough residues for the bound, every one computed", &CountResult::proved)
          .add("error_bound", "where not exact: the true value is at most this far away",
               [](const CountResult& result) {
                 return result.exact ? std::nullopt : std::optional(result.error_bound);
               })
          .add("entropy", "of perfect matchings with a positive sum Z", &CountResult::entropy)
          .add("method",
               "of the block that took longest; `structure` or `reductions` if nothing was left for one",
               &CountResult::method)
          .add("device", "of the same block: `cpu`, `gpu` or `gpu+cpu`", &CountResult::device)
          .add("threads", "", &CountResult::threads)
          .add("ranks", "that counted together ([scaling.md](scaling.md)), 1 without `mpirun`",
               &CountResult::ranks)
          .add("lost_ranks", "of those, that ended on the way", &CountResult::lost_ranks)
          .add("blocks", "what the reductions left", &CountResult::blocks)
          .add("reductions", "for every rule what it did",
               [](const CountResult& result) { return by_rule(result.reductions); })
          .add("settings", "what `--set` set, by name ([settings.md](settings.md))", &CountResult::settings)
          .add("checks", "", &CountResult::checks)
          .add("audit", "with `--audit`: which units were run again ([many-machines.md](many-machines.md))",
               &CountResult::audit)
          .add("recheck",
               "for `countpm verify`: `version`, `input`, `options`, `rules`, and `blocks` with the `tasks` "
               "of each: "
               "`fingerprint`, `rows`, `entries`, `method`, `plan`, `arithmetic` (`moduli`), `skip_primes`, "
               "`units`, "
               "`predicted_seconds`; the n-th task of all is the n-th of `blocks` above. Where structure "
               "alone says "
               "0, and where weights have letters, there are no blocks",
               [](const CountResult& result) {
                 return AnyObject{result.recheck.empty() ? Json(nullptr) : Json::parse(result.recheck)};
               })
          .add("seconds", "", &CountResult::seconds));
  return fields;
}

const Fields<BoundedCount>& fields_of(const BoundedCount*) {
  static const auto fields = with_notes(
      head<BoundedCount>("bounds")
          .add("count", "it is not known", [](const BoundedCount&) { return nullptr; })
          .add("lower",
               "certified: with all digits below 10^15, else six digits and an exponent, rounded down",
               &BoundedCount::lower)
          .add("upper", "likewise, rounded up", &BoundedCount::upper)
          .add("bounds",
               "the same as logarithms; the theorems are those of the largest block that is not counted",
               &BoundedCount::bounds)
          .add("blocks_counted", "", &BoundedCount::counted)
          .add("blocks", "what the reductions left", &BoundedCount::blocks)
          .add("reason", "why there is no count", &BoundedCount::reason)
          .add("error", "the same, as of other errors",
               [](const BoundedCount& result) {
                 return ErrorDetails{"unable", result.reason, 3, nullptr};
               })
          .add("seconds", "of all", &BoundedCount::seconds));
  return fields;
}

const Fields<OrbitCount>& fields_of(const OrbitCount*) {
  static const auto fields =
      with_notes(head<OrbitCount>("orbits")
                     .add("orbits", "the matchings up to symmetry; weighted as `count`", &OrbitCount::count)
                     .add("matchings", "all of them, as `count`", &OrbitCount::matchings)
                     .add("symmetries", "the order of the graph's group", &OrbitCount::symmetries)
                     .add("counts", "how many counts it took", &OrbitCount::counts)
                     .add("seconds", "of all", &OrbitCount::seconds));
  return fields;
}

const Fields<LnZResult>& fields_of(const LnZResult*) {
  const auto is_zero = [](const LnZResult& result) { return std::isinf(result.ln_z); };
  static const auto fields = with_notes(
      head<LnZResult>("ln-z")
          .add("ln_z", "the natural logarithm of the count or sum; null for 0",
               [](const LnZResult& result) { return finite(result.ln_z); })
          .add("of_absolute", "there are negative weights: of the sum's absolute value",
               &LnZResult::of_absolute)
          .add("ln_z_error",
               "a bound on the absolute error of `ln_z` "
               "([planar.md](methods/planar.md#ln-z-in-floating-point))",
               [=](const LnZResult& result) {
                 return is_zero(result) ? std::nullopt : std::optional(result.ln_z_error);
               })
          .add("relative_ln_z_error", "that over `ln_z`; null if `ln_z` is 0",
               [=](const LnZResult& result) {
                 return is_zero(result) ? std::nullopt : finite(result.ln_z_error / std::abs(result.ln_z));
               })
          .add("per_vertex", "`ln_z` over the number of vertices",
               [=](const LnZResult& result) {
                 const bool none = is_zero(result) || result.vertices == 0;
                 return none ? std::nullopt
                             : std::optional(result.ln_z / static_cast<double>(result.vertices));
               })
          .add("blocks", "that were eliminated", &LnZResult::blocks)
          .add("device", "`cpu`, or `gpu` if that did the eliminations (`--method condensation`)",
               [](const LnZResult& result) { return std::string(result.gpu.empty() ? "cpu" : "gpu"); })
          .add("threads", "that might be used; `condensation` uses two", &LnZResult::threads)
          .add("seconds", "as of a count; `plan` and `verify` are 0", &LnZResult::seconds));
  return fields;
}

}  // namespace countpm
