// The options that belong to one question, or a few: help shows them first, as the command's own.
#include "apps/complete.hpp"
#include "apps/option_rows.hpp"
#include "apps/parse_value.hpp"
#include "graph/text.hpp"
#include "kernels/estimate/population/population.hpp"
#include "kernels/estimate/samples/sampler.hpp"
#include "src/machine/assume.hpp"

namespace countpm::app {
namespace {

constexpr std::uint64_t most_samples = std::uint64_t{1} << 53;
constexpr std::uint64_t most_compared_samples = 1'000'000'000'000;
constexpr std::uint64_t most_scale_steps = 1'000'000;

Names sampler_names() {
  Names names;
  for (const SamplerInfo& info : samplers()) names.push_back(info.name);
  return names;
}

Names auto_and(Names names) {
  names.insert(names.begin(), "auto");
  return names;
}

OptionValue share(std::string_view value_name, std::string_view default_value) {
  return valued(ValueType::share, value_name, default_value);
}

std::vector<OptionInfo> count_options() {
  using namespace group;
  return {
      repeatable(
          row("modulo", count | explain, valued(T::text, "P,..."),
              "only the residue of the count modulo P, a number from 2 to 2^64; of several, a line each: "
              "the number and the residue (docs/modulo.md)",
              [](R r, V v) { add_moduli(v, r.count.modulo); })),
      row("double-check", count | split | probability | orbits, flag(),
          "count a second time, by another method on the transposed matrix, and compare",
          [](R r, V) { r.count.double_check = true; }),
      not_kept(with_uses({{explain, "without FILE, say also what a proof would take, in time and memory"}},
                         row("proof", count | explain, bare("-", valued(T::file, "FILE")),
                             "write a proof of the number to FILE, which anybody can check without countpm "
                             "(docs/proofs.md). What has no proof is refused before it is counted (exit 3)",
                             [](R r, V v) {
                               r.count.proof = true;
                               if (v != "-") r.proof = v;
                             }))),
      with_letter('n', with_uses({{chem, "the first N structures in --structures and --sheet"},
                                  {sample, "how many matchings to draw", "1"}},
                                 row("number", list | sample | chem | orbits | forecast,
                                     number("N", "", 0, no_limit), "stop after N matchings",
                                     [](R r, V v) { r.limit = r.sample.count = *parse_integer(v); }))),
      row("range", list | orbits, valued(T::range, "A..B", "1.."),
          "only the matchings from number A to number B; the first is number 1",
          [](R r, V v) {
            const NumberRange range = *parse_range(v);
            r.list.first = range.first;
            r.list.last = range.last;
          }),
      row("exact",
          count | explain | marginals | split | minors | probability | determinants | orbits | logarithm |
              forecast,
          flag(),
          "answer exactly, in integers and fractions p/q: decimals, and the parts of complex numbers, count "
          "as the fractions that they spell",
          [](R r, V) { (r.command == "marginals" ? r.marginals.exact : r.read.exact) = true; }),
      row("given", marginals | sampled | forecast, valued(T::text, "A,B"),
          "for each edge, its joint probability with the edge A,B, and the covariance of the two",
          [](R r, V v) { r.given_edge = v; }),
      row("pairs", marginals | sampled | forecast, valued(T::file, "FILE"),
          "the probabilities of pairs of edges, one pair per line of FILE, as four labels",
          [](R r, V v) { r.pairs_file = v; }),
      row("digits", marginals | forecast, number("N", "12", 1, 100'000),
          "significant digits of each probability, which is rounded from its exact value",
          [](R r, V v) { r.marginals.digits = static_cast<unsigned>(*parse_integer(v)); }),
  };
}

std::vector<OptionInfo> sample_options() {
  using namespace group;
  constexpr Questions estimates = estimate | ratios | forecast;
  return {
      with_uses(
          {{marginals,
            "with --sampled: how to draw samples; auto: boundary or bethe, whichever does better in a few "
            "trial samples",
            "",
            {"auto", "bethe", "boundary", "annealed"}},
           {sample,
            "auto: draw exactly; annealed, bethe or boundary: approximately, by weighted samples, where "
            "exact draws are out of reach",
            "",
            {"auto", "bethe", "boundary", "annealed"}}},
          row("sampler", estimates | marginals | sample | split | sampled,
              choice("NAME", "auto", auto_and(sampler_names())),
              "how to draw samples (docs/estimate.md); auto: bethe, population or boundary, and of graphs "
              "with odd cycles or monomers bethe or boundary, whichever does better in a few trial samples",
              [](R r, V v) {
                r.estimate.sampler.kind = v == "auto" ? std::optional<SamplerKind>() : sampler_named(v);
              })),
      with_uses({{marginals, "with --sampled: sample until no edge's standard error is larger; below 50%"}},
                row("error", estimates | marginals | sampled, share("FRACTION", "1%"),
                    "the goal: sample until the error is at most this fraction of the estimate",
                    [](R r, V v) { r.estimate.relative_error = r.edge_error = *parse_share(v); })),
      row("ln-error", estimates, share("ERROR", ""),
          "another goal: sample until the standard error of ln Z is at most this (0.35 at most), and print "
          "ln Z",
          [](R r, V v) { r.estimate.ln_error = *parse_share(v); }),
      row("replicates", estimate | forecast, number("N", "1", 1, most_replicates),
          "make N independent estimates, with seeds derived from --seed, and combine them: they show whether "
          "the errors are right",
          [](R r, V v) { r.estimate.replicates = *parse_integer(v); }),
      asking(ratio, "",
             row("ratio-to", estimates | resume, valued(T::file, "INPUT"),
                 "estimate Z(first input) / Z(this input) from shared samples; both must have the same "
                 "vertices. What they have in common adds no error",
                 [](R r, V v) { r.ratio_to = v; })),
      asking(integral, "",
             row("integrate", estimates, valued(T::text, "LETTER=FROM:TO"),
                 "how much ln Z changes as the letter in weights goes from one number to the other: the "
                 "integral of the mean number of its edges over its logarithm",
                 [](R r, V v) { r.integrate = letter_range(v); })),
      asking(signed_sum, "",
             row("signed", estimates, flag(),
                 "estimate a sum with negative or complex weights: sample their absolute values, each sample "
                 "with its sign or phase. The mean sign shows how much cancels",
                 [](R, V) {})),
      asking(
          forecast, "only a forecast is made",
          with_uses(
              {{count, "the same as 'countpm explain INPUT'"},
               {sample, "only forecast: what each method would take for each piece, exactly or by samples"},
               {minors, "only forecast: how, and how long that is predicted to take"}},
              row("explain",
                  count | ((estimates | marginals | compare | minors | sample | sampled) - signed_sum),
                  flag(),
                  "only forecast, after a few trial samples: what would be drawn, by which sampler, how long "
                  "that is predicted to take, and what a doubt would mean",
                  [](R, V) {}))),
      row("confidence", estimates | compare | split, share("FRACTION", "95%"),
          "the probability that the interval covers the count; above 50%",
          [](R r, V v) { r.estimate.confidence = *parse_share(v); }),
      row("guarantee", estimate | split | forecast, valued(T::guarantee, "EPS,DELTA"),
          "a proven error for any matrix: the estimate is within a factor 1 +- EPS, except with probability "
          "DELTA. EPS is at least 0.0001, DELTA at least 0.000001. Refused (exit 3) if that is predicted to "
          "take longer than --time-limit",
          [](R r, V v) {
            const auto [epsilon, delta] = *parse_guarantee(v);
            r.estimate.guarantee = GuaranteeGoal{epsilon, delta};
          }),
      with_uses({{marginals, "with --sampled: draw exactly N samples of every piece of the graph"}},
                row("samples", estimates | marginals | split | sampled, number("N", "", 1, most_samples),
                    "draw exactly N samples of every sampled block",
                    [](R r, V v) { r.estimate.samples = *parse_integer(v); })),
      asking(sampled, "samples have an error",
             row("sampled", marginals | sampled | forecast, flag(),
                 "by weighted samples, each probability with its standard error, if no exact method finishes "
                 "in time",
                 [](R, V) {})),
      row("second", estimates | split, choice("NAME", "auto", {"auto", "none", "annealed"}),
          "what checks the samples. auto: another sampler, for a tenth of the time, unless --sampler is "
          "given; annealed: a Markov chain, for as long as the samples; none",
          [](R r, V v) { r.estimate.second = chosen<SecondOpinion>("second", v); }),
      row("exact-below", estimates | split, valued(T::duration, "TIME", "1s"),
          "count blocks exactly if that is predicted to take less than this",
          [](R r, V v) { r.estimate.exact_below_seconds = *parse_duration(v); }),
      row("all-sampled", estimates | split, flag(),
          "sample every block that the reductions leave, even if it is easy to count",
          [](R r, V) { r.estimate.all_sampled = true; }),
      row("samplers", compare | forecast, choices("NAMES", sampler_names()),
          "which samplers to compare, if not all",
          [](R r, V v) {
            r.compare.samplers.clear();
            for (const V name : countpm::split(v, ',')) r.compare.samplers.push_back(sampler_named(name));
          }),
      row("sizes", compare | forecast,
          bounded(valued(T::integers, "NUMBERS", "100,1000,10000"), 1, most_compared_samples),
          "how many samples of every block an estimate draws, one estimate per number",
          [](R r, V v) {
            r.compare.samples.clear();
            for (const V size : countpm::split(v, ',')) r.compare.samples.push_back(*parse_integer(size));
          }),
      row("seeds", compare | forecast, number("N", "1", 1, most_replicates),
          "make every estimate with N seeds derived from --seed, and print how many intervals cover the "
          "count; pictures and pages show the first",
          [](R r, V v) { r.compare.seeds = *parse_integer(v); }),
  };
}

/// For those who know the sampler: nobody else needs them.
std::vector<OptionInfo> sampler_options() {
  using namespace group;
  return {
      row("prune", estimate | compare | split | forecast, choice("NAME", "auto", {"auto", "on", "off"}),
          "at every step, drop the edges that no perfect matching has left: no sample is zero, but each "
          "takes longer; auto: for scaling+ up to 1024 rows",
          [](R r, V v) { r.estimate.sampler.prune = v == "auto" ? std::optional<bool>() : v == "on"; }),
      row("scale-interval", estimate | compare | split | forecast, number("ROWS", "", 1, most_scale_steps),
          "scaling: how many rows to draw before scaling again; by default 1, and one more per 512 rows",
          [](R r, V v) {
            r.estimate.sampler.scale_interval = static_cast<std::uint32_t>(*parse_integer(v));
          }),
      row("scale-steps", estimate | compare | split | forecast, number("N", "4", 1, most_scale_steps),
          "scaling: how many sweeps of Sinkhorn's iteration each time",
          [](R r, V v) { r.estimate.sampler.scale_steps = static_cast<std::uint32_t>(*parse_integer(v)); }),
      row("exact-tail", estimate | compare | split | forecast, number("ROWS", "", 0, 64),
          "count the last ROWS rows of every sample exactly; 0: none; by default as many as are cheap",
          [](R r, V v) { r.estimate.sampler.tail_rows = static_cast<std::uint32_t>(*parse_integer(v)); }),
      row("strata", estimate | compare | split | forecast, number("N", "1", 1, most_strata),
          "make each sample the mean of N walks whose first choices are stratified",
          [](R r, V v) { r.estimate.sampler.strata = static_cast<std::uint32_t>(*parse_integer(v)); }),
      row("population", estimate | compare | split | forecast, number("N", "", 1, most_population),
          "population: how many states to keep alive; by default as many as make samples steady",
          [](R r, V v) { r.estimate.sampler.population = static_cast<std::uint32_t>(*parse_integer(v)); }),
  };
}

std::vector<OptionInfo> long_run_options() {
  using namespace group;
  return {
      row("on-limit", count, choice("NAME", "refuse", {"refuse", "estimate", "bounds"}),
          "what to do with a count beyond the limits: refuse it (exit 3); estimate it, and say so; or print "
          "certain bounds, LOWER .. UPPER, and exit with 3",
          [](R r, V v) { r.on_limit = chosen<OnLimit>("on-limit", v); }),
      row("audit", count | sessions | split | orbits, bounded(share("FRACTION", ""), 0, 1),
          "run a random fraction of the units of work again, by other code or on another device, and print "
          "no number if one differs (docs/many-machines.md)",
          [](R r, V v) { r.count.audit_share = parse_share(v).value_or(1); }),
      row("assume", explain, valued(T::text, "LIST"),
          "forecast for another machine: gpu=h100 or gpu=h200, gpus=N, machines=N, threads=N, separated by "
          "commas (docs/forecasts.md)",
          [](R r, V v) { r.count.assumed = parse_assumed(v); }),
      not_kept(row("parts", split, number("K", "2", 1, 10'000),
                   "how many parts to make; all of them are written, even if some have nothing to do",
                   [](R r, V v) { r.parts = *parse_integer(v); })),
      not_kept(row("estimate", split, flag(),
                   "split an estimate: each part draws its share of the --samples, or of the trials that a "
                   "--guarantee is expected to take. Together they are those of 'countpm estimate' with the "
                   "same options",
                   [](R r, V) { r.split_estimate = true; })),
      row("input", merge, valued(T::file, "INPUT"), "where the input is, if it has moved since it was split",
          [](R r, V v) { r.input = v; }),
  };
}

std::vector<OptionInfo> series_options() {
  using namespace group;
  return {
      row("no-counts", many | logarithm, flag(), "omit the counts; show only their number of digits",
          [](R r, V) { r.no_counts = true; }),
      row("ratio-to-first", many | logarithm, flag(),
          "add a column: each count divided by the first one, such as Z with monomers over Z without",
          [](R r, V) { r.ratio = true; }),
      row("jobs", many | logarithm | recurrence, number("N", "0", 0, 256),
          "count N graphs at a time, each with its share of the threads and the memory; rows stay in order. "
          "0: as many small graphs at a time as there are threads, others one by one with all threads",
          [](R r, V v) { r.jobs = *parse_integer(v); }),
      asking(logarithm, "",
             row("ln-z", count | many | logarithm, flag(),
                 "ln Z in floating point with a bound on its error, instead of the count (planar inputs, and "
                 "lattices on other surfaces)",
                 [](R, V) {})),
      asking(recurrence, "the counts themselves are not shown",
             row("recurrence", many | recurrence, flag(),
                 "for one lattice with N as a size (lattice:square:4xN), or a range of lattices: the linear "
                 "recurrence of the counts, their generating function and growth rate (docs/recurrences.md)",
                 [](R, V) {})),
      with_uses(
          {{list,
            "list matchings up to symmetry: one of those that symmetries of the graph map to one another"}},
          asking(orbits, "",
                 row("up-to-symmetry", count | list | orbits, flag(),
                     "count matchings up to symmetry: those that a symmetry of the graph maps to one another "
                     "count once (docs/symmetry.md)",
                     [](R, V) {}))),
  };
}

std::vector<OptionInfo> molecule_options() {
  using namespace group;
  return {
      row("structures", chem, valued(T::file, "FILE"),
          "write the Kekule structures as an SDF: at most 10000, or the first N with --number N",
          [](R r, V v) { r.structures = v; }),
      row("sheet", chem, valued(T::file, "FILE"),
          "draw the Kekule structures side by side: at most 100, or the first N with --number N",
          [](R r, V v) { r.sheet = v; }),
  };
}

std::vector<OptionInfo> photon_options() {
  using namespace group;
  return {
      row("column", minors | forecast, valued(T::text, "LABEL"),
          "omit this column of a square matrix, and each row in turn. The columns of a matrix file are "
          "called 1, 2, ...",
          [](R r, V v) { r.column = v; }),
      row("ln-only", determinants, flag(),
          "print only the sign and ln of the absolute value: 1, 0 or -1, or of a complex number that over "
          "its "
          "absolute value, a blank, and the logarithm",
          [](R r, V) { r.ln_only = true; }),
      row("in", probability, bounded(valued(T::integers, "N,N,..."), 0, most_copies),
          "how many photons enter each mode, in the order of the matrix's columns",
          [](R r, V v) { r.photons_in = parse_copies(v); }),
      row("out", probability, bounded(valued(T::integers, "N,N,..."), 0, most_copies),
          "how many photons leave by each mode, in the order of the matrix's rows",
          [](R r, V v) { r.photons_out = parse_copies(v); }),
  };
}

std::vector<OptionInfo> help_options() {
  using namespace group;
  return {
      with_uses(
          {{schema, "write docs/json.md"}},
          row("markdown", help | schema, flag(), "write docs/options.md; of the topic kinds docs/kinds.md",
              [](R r, V) { r.markdown = true; })),
      row("man", help, flag(), "write the man page countpm(1)", [](R r, V) { r.manual = true; }),
      row("completions", help, choice("SHELL", "", shell_names()),
          "write the completions of options, values, commands and lattices for this shell",
          [](R r, V v) { r.completions = v; }),
  };
}

}  // namespace

std::vector<OptionSection> own_sections() {
  return {{"Counts, matchings and edges", true, count_options()},
          {"Samples", true, sample_options()},
          {"Settings of samplers, for experts", false, sampler_options()},
          {"Limits reached, other machines, parts", true, long_run_options()},
          {"Many graphs, ln Z, symmetry", true, series_options()},
          {"Molecules", true, molecule_options()},
          {"Boson sampling", true, photon_options()},
          {"Help", true, help_options()}};
}

}  // namespace countpm::app
