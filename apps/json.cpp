#include "apps/json.hpp"

#include <cmath>

#include "apps/options.hpp"
#include "apps/series_lines.hpp"
#include "src/report/head.hpp"

namespace countpm::app {
namespace {

/// What is not known is negative.
std::optional<double> if_known(double seconds) {
  return seconds < 0 ? std::nullopt : std::optional(seconds);
}

struct ExactObject {
  const CountResult& result;
};
const Fields<ExactObject>& fields_of(const ExactObject*) {
  static const auto fields =
      Fields<ExactObject>()
          .add("count", "as of a count", [](const ExactObject& o) { return o.result.count; })
          .add("log10", "", [](const ExactObject& o) { return finite(o.result.log10); })
          .add("exact", "", [](const ExactObject& o) { return o.result.exact; })
          .add("method", "", [](const ExactObject& o) { return o.result.method; })
          .add("seconds", "of the whole count", [](const ExactObject& o) { return o.result.seconds.total; });
  return fields;
}

struct FindingObject {
  const VerificationStep& step;
};
const Fields<FindingObject>& fields_of(const FindingObject*) {
  static const auto fields =
      Fields<FindingObject>()
          .add("name", "", [](const FindingObject& o) { return o.step.name; })
          .add("verdict", "`proved`, `agrees`, `not checked` or `refuted`",
               [](const FindingObject& o) { return std::string(word_of(o.step.verdict)); })
          .add("detail", "", [](const FindingObject& o) { return o.step.detail; });
  return fields;
}

struct TaskObject {
  const JournalTaskStatus& task;
};
const Fields<TaskObject>& fields_of(const TaskObject*) {
  static const auto fields =
      Fields<TaskObject>()
          .add("rows", "", [](const TaskObject& o) { return o.task.rows; })
          .add("entries", "", [](const TaskObject& o) { return o.task.entries; })
          .add("method", "", [](const TaskObject& o) { return o.task.method; })
          .add("arithmetic", "", [](const TaskObject& o) { return o.task.arithmetic; })
          .add("double_check", "it is counted a second time",
               [](const TaskObject& o) { return o.task.double_check; })
          .add("units", "of work", [](const TaskObject& o) { return o.task.units; })
          .add("units_done", "", [](const TaskObject& o) { return o.task.units_done; })
          .add("predicted_seconds", "", [](const TaskObject& o) { return finite(o.task.predicted_seconds); });
  return fields;
}

struct SamplingObject {
  const JournalSamplingStatus& sampling;
};
const Fields<SamplingObject>& fields_of(const SamplingObject*) {
  static const auto fields =
      Fields<SamplingObject>()
          .add("rows", "", [](const SamplingObject& o) { return o.sampling.rows; })
          .add("entries", "", [](const SamplingObject& o) { return o.sampling.entries; })
          .add("sampler", "", [](const SamplingObject& o) { return o.sampling.sampler; })
          .add("samples", "with a guarantee trials",
               [](const SamplingObject& o) { return o.sampling.samples; })
          .add("nonzero", "successes, or trials with hits",
               [](const SamplingObject& o) { return o.sampling.nonzero; })
          .add("goal",
               "so many before it is looked at how good they are; with a guarantee the successes asked for, "
               "or the "
               "trials expected",
               [](const SamplingObject& o) { return o.sampling.goal; })
          .add("log10", "of the mean; null if all are 0, and of trials",
               [](const SamplingObject& o) { return finite(o.sampling.log10); })
          .add("relative_standard_error", "null if it is not known",
               [](const SamplingObject& o) { return finite(o.sampling.relative_error); });
  return fields;
}

template <class T, class Item>
std::vector<T> objects_of(const std::vector<Item>& items) {
  std::vector<T> objects;
  objects.reserve(items.size());
  for (const Item& item : items) objects.push_back({item});
  return objects;
}

struct PartObject {
  std::uint64_t number = 0;
  std::uint64_t of = 0;
};
const Fields<PartObject>& fields_of(const PartObject*) {
  static const auto fields =
      Fields<PartObject>().add("number", "", &PartObject::number).add("of", "so many", &PartObject::of);
  return fields;
}

struct StoredInput {
  std::string path;
  std::string sha256;
};
const Fields<StoredInput>& fields_of(const StoredInput*) {
  static const auto fields = Fields<StoredInput>()
                                 .add("path", "absolute, or a lattice", &StoredInput::path)
                                 .add("sha256", "empty for a lattice", &StoredInput::sha256);
  return fields;
}

struct CoverageDetails {
  const ComparedCoverage& coverage;
};
const Fields<CoverageDetails>& fields_of(const CoverageDetails*) {
  static const auto fields =
      Fields<CoverageDetails>()
          .add("sampler", "", [](const CoverageDetails& o) { return o.coverage.sampler; })
          .add("samples", "", [](const CoverageDetails& o) { return o.coverage.samples; })
          .add("seeds", "", [](const CoverageDetails& o) { return o.coverage.runs; })
          .add("shown", "intervals without a doubt",
               [](const CoverageDetails& o) { return o.coverage.shown; })
          .add("covered", "of these", [](const CoverageDetails& o) { return o.coverage.covered; })
          .add("confidence", "", [](const CoverageDetails& o) { return o.coverage.confidence; })
          .add("probability", "that no more hold by chance",
               [](const CoverageDetails& o) { return o.coverage.probability; });
  return fields;
}

/// null where nothing was left to sample.
template <class Get>
auto of_row(Get get) {
  return null_unless<ComparedObject>([](const ComparedObject& o) { return o.row != nullptr; },
                                     [get](const ComparedObject& o) { return get(*o.row); });
}

std::optional<double> of_entropy(const SeriesRow& row, double Entropy::*part) {
  return row.entropy ? std::optional((*row.entropy).*part) : std::nullopt;
}

}  // namespace

const char* word_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::proved:
      return "proved";
    case Verdict::agrees:
      return "agrees";
    case Verdict::not_checked:
      return "not checked";
    case Verdict::refuted:
      return "refuted";
  }
  return "";
}

const char* word_of(Extent extent) {
  switch (extent) {
    case Extent::nothing:
      return "nothing";
    case Extent::part:
      return "part";
    case Extent::whole:
      return "whole";
  }
  return "";
}

ErrorDetails details_of(const SeriesFailure& failure) {
  return {kind_of(failure), failure.message, exit_code_of(failure),
          failure.input ? &*failure.input : nullptr};
}

std::string error_text(const ErrorDetails& error, bool on_one_line) {
  const Json json = json_of(ErrorObject{error});
  return on_one_line ? one_line(json) + "\n" : indented(json);
}

const Fields<ErrorObject>& fields_of(const ErrorObject*) {
  static const auto fields = bare_head<ErrorObject>("error").add("error", "", &ErrorObject::error);
  return fields;
}

const Fields<SeriesRowObject>& fields_of(const SeriesRowObject*) {
  static const auto fields =
      bare_head<SeriesRowObject>("many-row")
          .add("input", "the lattice, the file, or `FILE:LINE` of a file of several graphs",
               [](const SeriesRowObject& o) { return o.row.input; })
          .add("vertices", "null if it could not be read",
               [](const SeriesRowObject& o) { return o.row.vertices; })
          .add("edges", "", [](const SeriesRowObject& o) { return o.row.edges; })
          .add("count", "as of a count; null with `--no-counts` and `--ln-z`, and if there is an error",
               [](const SeriesRowObject& o) { return o.counts ? text_or_null(o.row.count) : std::nullopt; })
          .add("digits", "of an integer", [](const SeriesRowObject& o) { return o.row.digits; })
          .add("log10", "as of a count",
               [](const SeriesRowObject& o) { return o.row.log10 ? finite(*o.row.log10) : std::nullopt; })
          .add("exact", "as of a count; null if there is an error",
               [](const SeriesRowObject& o) {
                 return o.row.failure ? std::nullopt : std::optional(o.row.exact);
               })
          .add("error_bound", "as of a count",
               [](const SeriesRowObject& o) { return text_or_null(o.row.error_bound); })
          .add("ln_z", "as in `entropy` of a count",
               [](const SeriesRowObject& o) { return of_entropy(o.row, &Entropy::ln_z); })
          .add("per_vertex", "",
               [](const SeriesRowObject& o) { return of_entropy(o.row, &Entropy::per_vertex); })
          .add("per_dimer", "",
               [](const SeriesRowObject& o) { return of_entropy(o.row, &Entropy::per_dimer); })
          .add("limit", "what `per_vertex` tends to, with a range's growth in mind",
               [](const SeriesRowObject& o) {
                 const bool known = o.row.entropy && o.row.entropy->limit;
                 return known ? std::optional(o.row.entropy->limit->per_vertex) : std::nullopt;
               })
          .add("ln_z_error", "with `--ln-z`, as of that",
               [](const SeriesRowObject& o) { return o.row.ln_z_error; })
          .add("ratio_to_first",
               "with `--ratio-to-first`: the count over the first line's, 12 digits; null if that is 0 or "
               "one of them "
               "is not "
               "exact. With `--ln-z` the quotient, 9 digits",
               [](const SeriesRowObject& o) { return text_or_null(o.row.ratio); })
          .add("method",
               "of the block that took longest (`direct`: a small graph, counted without a plan; `ln-z` "
               "with "
               "`--ln-z`)",
               [](const SeriesRowObject& o) { return text_or_null(o.row.method); })
          .add("seconds", "of the whole count", [](const SeriesRowObject& o) { return o.row.seconds; })
          .add("graph", "of graph6, sparse6 and digraph6: the graph's line; of an SDF: the molecule's title",
               [](const SeriesRowObject& o) { return text_or_null(o.row.graph); })
          .add("warnings", "as of a count", [](const SeriesRowObject& o) { return o.row.warnings; })
          .add("error", "why there is no count", [](const SeriesRowObject& o) {
            return o.row.failure ? std::optional(details_of(*o.row.failure)) : std::nullopt;
          });
  return fields;
}

const Fields<ComparedObject>& fields_of(const ComparedObject*) {
  static const auto fields =
      bare_head<ComparedObject>("comparison")
          .add("input", "the file or the lattice", [](const ComparedObject& o) { return o.start.input.path; })
          .add("vertices", "", [](const ComparedObject& o) { return o.start.vertices; })
          .add("edges", "", [](const ComparedObject& o) { return o.start.edges; })
          .add("true_count", "the exact count; null beyond the limits",
               [](const ComparedObject& o) {
                 return o.start.exact ? std::optional(ExactObject{*o.start.exact}) : std::nullopt;
               })
          .add("refusal", "why there is no exact count",
               [](const ComparedObject& o) { return text_or_null(o.start.refusal); })
          .add("sampler", "null, as all that follows: nothing is left to sample",
               of_row([](const ComparedEstimate& row) { return row.sampler; }))
          .add("samples", "drawn of every block; `estimate.samples` says how many there were",
               of_row([](const ComparedEstimate& row) { return row.samples; }))
          .add("ratio", "the estimate over the exact count",
               [](const ComparedObject& o) {
                 const bool known = o.row != nullptr && o.row->log10_ratio;
                 return known ? finite(std::pow(10, *o.row->log10_ratio)) : std::nullopt;
               })
          .add("covered", "whether the interval covers the exact count (up to double's rounding)",
               [](const ComparedObject& o) { return o.row != nullptr ? o.row->covered : std::nullopt; })
          .add("estimate", "as of an estimate",
               of_row([](const ComparedEstimate& row) { return row.estimate; }))
          .add("seconds", "of sampling", of_row([](const ComparedEstimate& row) { return row.seconds; }))
          .add("device", "what drew: `cpu`, `gpu` or `gpu+cpu`",
               of_row([](const ComparedEstimate& row) { return row.device; }))
          .add("seconds_for_percent", "how long an error of 1 % is predicted to take; null with a doubt",
               [](const ComparedObject& o) {
                 return o.row != nullptr ? o.row->seconds_for_percent : std::nullopt;
               });
  return fields;
}

const Fields<CoverageObject>& fields_of(const CoverageObject*) {
  static const auto fields = bare_head<CoverageObject>("coverage")
                                 .add("input", "", [](const CoverageObject& o) { return o.start.input.path; })
                                 .add("coverage", "of one sampler and number of samples, with all seeds",
                                      [](const CoverageObject& o) { return CoverageDetails{o.coverage}; });
  return fields;
}

const Fields<MoleculeObject>& fields_of(const MoleculeObject*) {
  static const auto fields =
      bare_head<MoleculeObject>("molecule-row")
          .add("molecule", "from 1", &MoleculeObject::number)
          .add("line", "where it begins; null: the format has none",
               [](const MoleculeObject& o) { return o.line > 0 ? std::optional(o.line) : std::nullopt; })
          .add("title", "", [](const MoleculeObject& o) { return text_or_null(o.title); })
          .join_or_null(fields_of(static_cast<const KekuleResult*>(nullptr)),
                        [](const MoleculeObject& o) { return o.result; })
          .add("error", "as in a row of `many`; then all keys between `title` and this one are null",
               [](const MoleculeObject& o) {
                 return o.failure != nullptr ? std::optional(details_of(*o.failure)) : std::nullopt;
               });
  return fields;
}

const Fields<VerifiedObject>& fields_of(const VerifiedObject*) {
  static const auto fields =
      bare_head<VerifiedObject>("verified")
          .add("result", "the file", [](const VerifiedObject& o) { return o.stored.file; })
          .add("count", "", [](const VerifiedObject& o) { return o.stored.count; })
          .add("refuted", "then the exit code is 4, and there is no `error`",
               [](const VerifiedObject& o) { return o.report.refuted(); })
          .add("verified",
               "`whole`, `part` or `nothing`: how much of the count was proved or counted anew; the exit "
               "code is 5 "
               "unless it is `whole`",
               [](const VerifiedObject& o) {
                 return std::string(o.report.refuted() ? "nothing" : word_of(o.report.extent));
               })
          .add("how", "the end of the last line of the text; null if `refuted`",
               [](const VerifiedObject& o) {
                 return o.report.refuted() ? std::nullopt : std::optional(o.report.how);
               })
          .add("findings", "([many-machines.md](many-machines.md))",
               [](const VerifiedObject& o) { return objects_of<FindingObject>(o.report.steps); });
  return fields;
}

const Fields<ProofObject>& fields_of(const ProofObject*) {
  using Object = ProofObject;
  const auto read = [](const Object& o) { return !o.report.count.empty(); };
  static const auto fields =
      bare_head<Object>("proof-check")
          .add("proof", "the file", [](const Object& o) { return o.report.file; })
          .add("count", "what the proof states; null if it cannot be read",
               [](const Object& o) { return text_or_null(o.report.count); })
          .add("proved", "if not, the exit code is 4, and there is no `error`",
               [](const Object& o) { return o.report.proved; })
          .add("reason", "why the proof is refused; null if `proved`",
               [](const Object& o) { return text_or_null(o.report.reason); })
          .add("vertices", "this and the next ones are of the proof; null if it cannot be read",
               null_unless<Object>(read, [](const Object& o) { return o.report.vertices; }))
          .add("edges", "", null_unless<Object>(read, [](const Object& o) { return o.report.edges; }))
          .add("sets", "of three vertices or more",
               null_unless<Object>(read, [](const Object& o) { return o.report.sets; }))
          .add("rows", "of a matrix; null of a graph", [](const Object& o) { return o.report.rows; })
          .add("monomers", "vertices may stay alone",
               null_unless<Object>(read, [](const Object& o) { return o.report.monomers; }))
          .add("weighted", "edges have other weights than 1",
               null_unless<Object>(read, [](const Object& o) { return o.report.weighted; }))
          .add("form", "`rounds` or `planar`; null unless `proved`",
               [](const Object& o) {
                 return o.report.proved ? std::optional<std::string>(o.report.planar ? "planar" : "rounds")
                                        : std::nullopt;
               })
          .add("rounds", "", [](const Object& o) { return o.report.rounds; })
          .add("prime", "that the statement draws, in decimal; null unless `proved`",
               [](const Object& o) { return o.report.proved ? std::optional(o.report.prime) : std::nullopt; })
          .add("input", "that has the same graph; null if none was given",
               [](const Object& o) { return o.report.proved ? text_or_null(o.report.input) : std::nullopt; })
          .add("not_compared",
               "what of the statement an input does not say, and of the input what was not compared: "
               "`monomers`, `sets`, `values`; else null",
               [](const Object& o) { return text_or_null(o.report.not_compared); });
  return fields;
}

const Fields<StatusObject>& fields_of(const StatusObject*) {
  static const auto fields =
      object_head<StatusObject>("status")
          .add("version", "of the countpm that made the checkpoint",
               [](const StatusObject& o) { return o.status.version; })
          .add("checkpoint", "FILE", [](const StatusObject& o) { return o.file; })
          .add("part", "that `split` made. Then what follows is about its own units",
               [](const StatusObject& o) {
                 const bool part = o.status.part != 0;
                 return part ? std::optional(PartObject{o.status.part, o.status.parts}) : std::nullopt;
               })
          .add("input", "",
               [](const StatusObject& o) {
                 return StoredInput{o.status.input, o.status.sha256};
               })
          .add("ratio_to",
               "of a ratio: its second input (null for `--integrate`, whose range is among the `options`); "
               "`sampled` "
               "are then the pieces of the graph of both (`log10` of the ratio so far), or the blocks of "
               "both sums",
               [](const StatusObject& o) { return text_or_null(o.status.ratio_to); })
          .add("options", "as the count was asked for",
               [](const StatusObject& o) { return ByName<std::string>(o.status.options); })
          .add("blocks", "", [](const StatusObject& o) { return objects_of<TaskObject>(o.status.tasks); })
          .add("estimate", "of an estimate: what it is to reach",
               [](const StatusObject& o) { return text_or_null(o.status.estimate); })
          .add("estimated", "and whether it has", [](const StatusObject& o) { return o.status.estimated; })
          .add("sampled", "of an estimate's blocks",
               [](const StatusObject& o) { return objects_of<SamplingObject>(o.status.samplings); })
          .add("done",
               "share of the predicted work, 0 to 1; of an estimate null until it is where it was to get to, "
               "or a "
               "count",
               // The sum over the tasks may miss 1 by a rounding, and a count that structure alone gave has
               // none.
               [](const StatusObject& o) -> std::optional<double> {
                 if (o.done) return 1;
                 return o.status.estimate.empty() ? std::optional(o.status.done) : std::nullopt;
               })
          .add("elapsed_seconds", "counting, all sessions together",
               [](const StatusObject& o) { return o.status.elapsed_seconds; })
          .add("remaining_seconds", "as in `--progress json`, when the file was last written",
               [](const StatusObject& o) { return if_known(o.status.remaining_seconds); })
          .add("remaining_low", "", [](const StatusObject& o) { return if_known(o.status.remaining_low); })
          .add("remaining_high", "", [](const StatusObject& o) { return if_known(o.status.remaining_high); })
          .add("count", "once it is done", [](const StatusObject& o) { return text_or_null(o.status.count); })
          .add("bytes", "of the file", [](const StatusObject& o) { return o.status.bytes; })
          .add("damaged_lines", "that are left out",
               [](const StatusObject& o) { return o.status.damaged_lines; })
          .add("lost_ranks", "in all sessions together: ranks of `mpirun` that ended while others went on",
               [](const StatusObject& o) { return o.status.lost_ranks; })
          .add("in_use", "a process is writing it", [](const StatusObject& o) { return o.status.in_use; });
  return fields;
}

const Fields<SplitObject>& fields_of(const SplitObject*) {
  static const auto fields =
      bare_head<SplitObject>("split")
          .add("input", "the file or the lattice", &SplitObject::input)
          .add("files", "the parts, one after another", &SplitObject::files)
          .add("units", "of work, in all parts together; null of an estimate", &SplitObject::units)
          .add("samples", "of every sampled block, with a guarantee trials, likewise; null of a count",
               &SplitObject::samples)
          .add("predicted_seconds", "for all parts on this machine; of an estimate by one thread",
               [](const SplitObject& o) { return finite(o.predicted_seconds); });
  return fields;
}

const Fields<ProvedObject>& fields_of(const ProvedObject*) {
  static const auto fields =
      bare_head<ProvedObject>("proof")
          .add("result", "the file", [](const ProvedObject& o) { return o.stored.file; })
          .add("input", "the file or the lattice", [](const ProvedObject& o) { return o.input; })
          .add("count", "", [](const ProvedObject& o) { return o.stored.count; })
          .add("proof",
               "what `prove` writes without `--json` "
               "([proof-format.md](internals/proof-format.md)): by itself in a file it can be checked",
               [](const ProvedObject&) { return AnyObject{Json::object()}; });  // its text comes later
  return fields;
}

const Fields<ProgressObject>& fields_of(const ProgressObject*) {
  static const auto fields =
      Fields<ProgressObject>()
          .add("stage", "`plan`, `count`, `double-check`, ...",
               [](const ProgressObject& o) { return o.progress.stage; })
          .add("method", "that runs", [](const ProgressObject& o) { return o.progress.method; })
          .add("block", "that is counted", [](const ProgressObject& o) { return o.progress.block; })
          .add("blocks", "of so many", [](const ProgressObject& o) { return o.progress.blocks; })
          .add("done",
               "share of the stage's predicted work, 0 to 1; with a checkpoint, what earlier sessions did "
               "counts",
               [](const ProgressObject& o) { return finite(o.progress.done); })
          .add("rate", "that share per second, as measured in this session; 0 where not known yet",
               [](const ProgressObject& o) { return o.progress.share_a_second; })
          .add("elapsed_seconds", "since the start of the session",
               [](const ProgressObject& o) { return o.progress.elapsed_seconds; })
          .add("remaining_seconds", "of the stage, at that rate",
               [](const ProgressObject& o) { return if_known(o.progress.remaining_seconds); })
          .add("remaining_low",
               "the same at the rate with two of its standard errors more: those of the mean over equal "
               "slices of the "
               "time so far",
               [](const ProgressObject& o) { return if_known(o.progress.remaining_low); })
          .add("remaining_high", "and less; null if the rate may be 0",
               [](const ProgressObject& o) { return if_known(o.progress.remaining_high); });
  return fields;
}

}  // namespace countpm::app
