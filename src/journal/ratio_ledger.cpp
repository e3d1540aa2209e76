#include "src/journal/ratio_ledger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "graph/sparse_matrix.hpp"
#include "src/journal/journal_fields.hpp"

namespace countpm {
namespace {

using fields::Json;

// ln of any product of weights that fits into memory is far below.
constexpr double largest_log = 1e12;
constexpr std::uint64_t most_chunks = fields::most_samples / largest_ratio_chunk;

Json to_json(double log) {
  return std::isinf(log) ? Json() : Json(log);
}

double log_from(const Json& json) {
  if (json.is_null()) return -std::numeric_limits<double>::infinity();
  return fields::number(json, "sample", -largest_log, largest_log);
}

}  // namespace

bool RatioLedger::put(std::uint64_t chunk, const RatioSamples& samples) {
  const std::lock_guard lock(mutex_);
  if (!chunks_.emplace(chunk, samples).second) return false;
  new_.push_back(chunk);
  samples_ += samples.size();
  has_new_ = true;
  return true;
}

std::optional<RatioSamples> RatioLedger::get(std::uint64_t chunk) const {
  const std::lock_guard lock(mutex_);
  const auto found = chunks_.find(chunk);
  return found == chunks_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::uint64_t> RatioLedger::chunks() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::uint64_t> numbers;
  numbers.reserve(chunks_.size());
  for (const auto& [chunk, samples] : chunks_) numbers.push_back(chunk);
  return numbers;
}

std::uint64_t RatioLedger::samples() const {
  const std::lock_guard lock(mutex_);
  return samples_;
}

std::vector<RatioRecord> RatioLedger::take(std::size_t piece, bool all) {
  const std::lock_guard lock(mutex_);
  has_new_ = false;
  std::vector<RatioRecord> taken;
  if (all) {
    for (const auto& [chunk, samples] : chunks_) taken.push_back({piece, chunk, samples});
    new_.clear();
  } else {
    for (const std::uint64_t chunk : std::exchange(new_, {}))
      taken.push_back({piece, chunk, chunks_.at(chunk)});
  }
  return taken;
}

std::string ratio_text(const RatioRecord& record) {
  Json samples = Json::array();
  for (const RatioSample& sample : record.samples)
    samples.push_back(Json::array({to_json(sample.log), to_json(sample.log_a), to_json(sample.log_b)}));
  return Json({{"piece", record.piece}, {"chunk", record.chunk}, {"samples", std::move(samples)}}).dump();
}

RatioRecord parse_ratio(const std::string& text) {
  const Json json = fields::parse(text);
  RatioRecord record;
  record.piece = fields::whole_at(json, "piece", 0, no_index);
  record.chunk = fields::whole_at(json, "chunk", 0, most_chunks);
  const Json& samples = fields::list_at(json, "samples");
  if (samples.empty() || samples.size() > largest_ratio_chunk) fields::refuse("a chunk of another size");
  for (const Json& one : samples) {
    if (!one.is_array() || one.size() != 3) fields::refuse("a sample of other sums");
    record.samples.push_back({log_from(one[0]), log_from(one[1]), log_from(one[2])});
    if (!is_sample(record.samples.back())) fields::refuse("a sample that cannot be");
  }
  return record;
}

bool is_sample(const RatioSample& sample) {
  const auto is_log = [](double log) { return std::isfinite(log) || (std::isinf(log) && log < 0); };
  const bool none = std::isinf(sample.log_a) && std::isinf(sample.log_b);
  return is_log(sample.log) && is_log(sample.log_a) && is_log(sample.log_b) &&
         (std::isfinite(sample.log) || none);
}

}  // namespace countpm
