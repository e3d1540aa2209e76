#include "src/journal/sample_ledger.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <utility>

#include "graph/errors.hpp"
#include "graph/sparse_matrix.hpp"
#include "src/journal/journal_fields.hpp"

namespace countpm {
namespace {

using fields::Json;
using fields::refuse;

// Far beyond what samples of any matrix that fits into memory come to, and far from any overflow. What
// samples of a block may come to: check_possible().
constexpr std::int64_t largest_scale = std::int64_t{1} << 40;
constexpr std::size_t longest_sum = std::size_t{1} << 26;
// By how much sums of weights and the weights themselves may differ, by rounding.
constexpr double largest_ln_difference = 1e-9;
constexpr std::int64_t bins_an_octave = SampleMoments::bins_an_octave;

std::int64_t exponent_from(const Json& json) {
  return fields::integer(json, "exponent", -largest_scale, largest_scale);
}

std::int64_t octave_of(std::int64_t bin) {
  return bin >= 0 ? bin / bins_an_octave : -((bins_an_octave - 1 - bin) / bins_an_octave);
}

Json to_json(const ExactSum& sum) {
  return Json::array({sum.integer().get_str(16), sum.exponent()});
}

ExactSum sum_from(const Json& json) {
  const std::string& text = fields::text(fields::nth(json, 0), "sum");
  if (text.size() > longest_sum || !fields::is_hexadecimal(text)) refuse("a sum is no hexadecimal number");
  const std::int64_t exponent = exponent_from(fields::nth(json, 1));
  ExactSum sum;
  sum.add(mpz_class(text, 16), exponent);
  return sum;
}

Json to_json(const Scaled& value) {
  return Json::array({fmt::format("{:a}", value.mantissa), value.exponent});
}

Scaled scaled_from(const Json& json) {
  const std::string& text = fields::text(fields::nth(json, 0), "largest");
  char* end = nullptr;
  const Scaled value{std::strtod(text.c_str(), &end), exponent_from(fields::nth(json, 1))};
  const bool normalised = value.mantissa == 0 || (value.mantissa >= 0.5 && value.mantissa < 1);
  if (text.empty() || *end != '\0' || !normalised || to_json(value)[0] != text)
    refuse("a sample is no number");
  return value;
}

/// Pairs of a number and how many there are of it, in order; all together at most `most`.
template <class Counts, class Number>
std::uint64_t read_counts(const Json& list, std::uint64_t most, const Number& number, Counts& counts) {
  std::uint64_t sum = 0;
  for (const Json& pair : list) {
    const auto key = number(fields::nth(pair, 0));
    const std::uint64_t count = fields::whole(fields::nth(pair, 1), "count", 1, most - sum);
    if (!counts.empty() && counts.rbegin()->first >= key) refuse("counts that are not in order");
    counts.emplace_hint(counts.end(), key, count);
    sum += count;
  }
  return sum;
}

void read_hits(const Json& json, DrawnSamples& drawn) {
  drawn.share_bits =
      static_cast<unsigned>(fields::whole_at(json, "share_bits", 1, RejectionTrials::most_share_bits));
  const std::uint64_t most_hits = std::uint64_t{1} << drawn.share_bits;
  const std::uint64_t trials = read_counts(
      fields::list_at(json, "hits"), drawn.moments.nonzero,
      [&](const Json& hits) { return fields::whole(hits, "hits", 1, most_hits); }, drawn.hits);
  if (trials != drawn.moments.nonzero) refuse("trials with hits that are not counted");
}

/// In order, none twice, each in the range; as many as the moments have.
std::vector<TrialHits> trials_from(const Json& json, const UnitRange& range, const SampleMoments& moments) {
  constexpr std::uint64_t most_hits = std::uint64_t{1} << RejectionTrials::most_share_bits;
  std::vector<TrialHits> trials;
  std::uint64_t next = range.first;
  for (const Json& pair : fields::list_at(json, "trials")) {
    if (next >= range.last) refuse("trials that are not there");
    const std::uint64_t trial = fields::whole(fields::nth(pair, 0), "trial", next, range.last - 1);
    trials.push_back({trial, fields::whole(fields::nth(pair, 1), "hits", 1, most_hits)});
    next = trial + 1;
  }
  if (trials.size() != moments.nonzero) refuse("trials with hits that are not counted");
  if (!moments.histogram.empty()) refuse("samples with hits");
  return trials;
}

Json to_json(const std::vector<TrialHits>& trials) {
  Json result = Json::array();
  for (const TrialHits& trial : trials) result.push_back(Json::array({trial.trial, trial.hits}));
  return result;
}

/// Whether a sum of k-th powers is one of samples in these bins: of 53 bits each, and so many of them.
bool fits(const ExactSum& sum, int power, const SampleMoments& moments) {
  constexpr double rounding = 1e-6;
  const std::int64_t least = octave_of(moments.histogram.begin()->first);
  const std::int64_t most = octave_of(moments.histogram.rbegin()->first);
  if (sum.is_zero() || sum.exponent() < power * (least - ScaledInteger::bits + 1)) return false;
  const double log2 = sum.log2();
  const auto top = static_cast<double>(power * most);
  return log2 >= top - rounding &&
         log2 <= top + power + std::log2(static_cast<double>(moments.nonzero)) + rounding;
}

/// Whether they can be moments of one set of samples. Trials have neither bins nor sums.
void check_consistent(const SampleMoments& moments) {
  if (moments.histogram.empty()) {
    if (!moments.sum.is_zero() || !moments.squares.is_zero() || !moments.cubes.is_zero() ||
        !moments.largest.is_zero())
      refuse("samples that are in no bin");
    return;
  }
  if (!fits(moments.sum, 1, moments) || !fits(moments.squares, 2, moments) ||
      !fits(moments.cubes, 3, moments))
    refuse("sums that are not those of the samples in the bins");
  if (moments.largest.is_zero() ||
      SampleMoments::bin_of(to_integer(moments.largest)) != moments.histogram.rbegin()->first)
    refuse("a largest sample that is not in the last bin");
}

void put_moments(const SampleMoments& moments, Json& json) {
  Json bins = Json::array();
  for (const auto& [bin, count] : moments.histogram) bins.push_back(Json::array({bin, count}));
  json["samples"] = moments.samples;
  json["nonzero"] = moments.nonzero;
  json["sums"] = Json::array({to_json(moments.sum), to_json(moments.squares), to_json(moments.cubes)});
  json["largest"] = to_json(moments.largest);
  json["bins"] = std::move(bins);
}

SampleMoments moments_from(const Json& json) {
  SampleMoments moments;
  moments.samples = fields::whole_at(json, "samples", 0, fields::most_samples);
  moments.nonzero = fields::whole_at(json, "nonzero", 0, moments.samples);
  const Json& sums = fields::list_at(json, "sums");
  moments.sum = sum_from(fields::nth(sums, 0));
  moments.squares = sum_from(fields::nth(sums, 1));
  moments.cubes = sum_from(fields::nth(sums, 2));
  moments.largest = scaled_from(fields::at(json, "largest"));
  const std::uint64_t in_bins =
      read_counts(fields::list_at(json, "bins"), moments.nonzero, exponent_from, moments.histogram);
  if (in_bins != (moments.sum.is_zero() ? 0 : moments.nonzero)) refuse("samples that are in no bin");
  check_consistent(moments);
  return moments;
}

}  // namespace

void SampleLedger::put(DrawnSamples drawn) {
  const std::lock_guard lock(mutex_);
  drawn_ = std::move(drawn);
  has_new_ = true;
}

DrawnSamples SampleLedger::get() const {
  const std::lock_guard lock(mutex_);
  return drawn_;
}

DrawnSamples SampleLedger::take() {
  const std::lock_guard lock(mutex_);
  has_new_ = false;
  return drawn_;
}

std::string samples_text(const SampleRecord& record) {
  Json json = {{"sampling", record.sampling}, {"goal", record.drawn.goal}};
  put_moments(record.drawn.moments, json);
  json["seconds"] = record.drawn.seconds;
  if (record.drawn.trials) {
    json["share_bits"] = record.drawn.share_bits;
    json["trials"] = to_json(*record.drawn.trials);
  } else if (record.drawn.share_bits > 0) {
    Json hits = Json::array();
    for (const auto& [number, count] : record.drawn.hits) hits.push_back(Json::array({number, count}));
    json["share_bits"] = record.drawn.share_bits;
    json["hits"] = hits;
  }
  return json.dump();
}

SampleRecord parse_samples(const std::string& text) {
  const Json json = fields::parse(text);
  SampleRecord record;
  record.sampling = fields::whole_at(json, "sampling", 0, no_index);
  record.drawn.goal = fields::whole_at(json, "goal", 0, 2 * fields::most_samples);
  record.drawn.seconds = fields::seconds_at(json, "seconds");
  record.drawn.moments = moments_from(json);
  if (json.contains("trials")) {
    record.drawn.share_bits =
        static_cast<unsigned>(fields::whole_at(json, "share_bits", 0, RejectionTrials::most_share_bits));
    const SampleMoments& moments = record.drawn.moments;
    record.drawn.trials = trials_from(json, {0, moments.samples}, moments);
  } else if (json.contains("share_bits")) {
    read_hits(json, record.drawn);
  }
  if (record.drawn.share_bits > 0 && !record.drawn.moments.histogram.empty()) refuse("samples with hits");
  return record;
}

namespace {

/// As many as there are samples, with the sum that the moments have.
void read_ln_weights(const Json& list, SampleBatch& batch) {
  if (!list.is_array() || list.size() != batch.moments.samples) refuse("another number of weights");
  std::uint64_t nonzero = 0;
  double largest = -std::numeric_limits<double>::infinity();
  for (const Json& one : list) {
    if (!one.is_null() && !one.is_number()) refuse("what is no weight");
    batch.ln_weights.push_back(one.is_null() ? -std::numeric_limits<double>::infinity() : one.get<double>());
    nonzero += one.is_null() ? 0 : 1;
    largest = std::max(largest, batch.ln_weights.back());
  }
  if (nonzero != batch.moments.nonzero) refuse("weights other than the samples'");
  if (nonzero == 0) return;
  double sum = 0;
  for (const double ln : batch.ln_weights) sum += std::exp(ln - largest);
  const double ln_sum = largest + std::log(sum);
  if (!(std::abs(ln_sum - batch.moments.sum.log2() * std::log(2.0)) <=
        largest_ln_difference * (1 + std::abs(ln_sum))))
    refuse("weights other than the samples'");
}

}  // namespace

std::string batch_text(const SampleBatch& batch) {
  Json json = {{"series", batch.series}, {"first", batch.range.first}};
  put_moments(batch.moments, json);
  json["seconds"] = batch.seconds;
  if (!batch.hits.empty()) json["trials"] = to_json(batch.hits);
  if (!batch.ln_weights.empty()) {
    Json weights = Json::array();
    for (const double ln : batch.ln_weights) weights.push_back(std::isinf(ln) ? Json() : Json(ln));
    json["ln_weights"] = std::move(weights);
  }
  return json.dump();
}

SampleBatch parse_batch(const std::string& text) {
  const Json json = fields::parse(text);
  SampleBatch batch;
  batch.series = fields::whole_at(json, "series", 0, series_a_block * std::uint64_t{no_index});
  batch.range.first = fields::whole_at(json, "first", 0, fields::most_samples);
  batch.moments = moments_from(json);
  batch.range.last = batch.range.first + batch.moments.samples;
  batch.seconds = fields::seconds_at(json, "seconds");
  if (batch.range.empty()) refuse("no samples");
  if (json.contains("trials")) {
    batch.hits = trials_from(json, batch.range, batch.moments);
  } else if (batch.moments.histogram.empty() != (batch.moments.nonzero == 0)) {
    refuse("samples that are in no bin");
  }
  if (json.contains("ln_weights")) read_ln_weights(json["ln_weights"], batch);
  return batch;
}

bool possible(const SampleMoments& moments, double log2_most) {
  if (moments.histogram.empty()) return true;
  const auto least = static_cast<double>(octave_of(moments.histogram.begin()->first));
  const auto most = static_cast<double>(octave_of(moments.histogram.rbegin()->first) + 1);
  return std::max(std::abs(least), std::abs(most)) <= log2_most;
}

void check_possible(const DrawnSamples& drawn, double log2_most, const std::string& file) {
  if (possible(drawn.moments, log2_most)) return;
  throw InputError(file, 0, "samples of this block",
                   fmt::format("samples from 2^{} to 2^{}, which it cannot have",
                               octave_of(drawn.moments.histogram.begin()->first),
                               octave_of(drawn.moments.histogram.rbegin()->first) + 1));
}

}  // namespace countpm
