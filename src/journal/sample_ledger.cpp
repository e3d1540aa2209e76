#include "src/journal/sample_ledger.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "kernels/estimate/rejection_trials.hpp"

namespace countpm {
namespace {

using Json = nlohmann::ordered_json;

// Far beyond what samples of any matrix that fits into memory come to, and far from any overflow.
constexpr std::int64_t largest_exponent = std::int64_t{1} << 40;

[[noreturn]] void throw_damaged(const char* what) {
  throw std::invalid_argument(what);
}

std::int64_t exponent_from(const Json& json) {
  const auto exponent = json.get<std::int64_t>();
  if (exponent > largest_exponent || exponent < -largest_exponent) throw_damaged("an exponent beyond reason");
  return exponent;
}

Json to_json(const ExactSum& sum) {
  return Json::array({sum.integer().get_str(16), sum.exponent()});
}

ExactSum sum_from(const Json& json) {
  mpz_class integer;
  const auto text = json.at(0).get<std::string>();
  if (text.empty() || text.find_first_not_of("0123456789abcdef") != std::string::npos ||
      integer.set_str(text, 16) != 0)
    throw_damaged("a sum is no hexadecimal number");
  ExactSum sum;
  sum.add(integer, exponent_from(json.at(1)));
  return sum;
}

Json to_json(const Scaled& value) {
  return Json::array({fmt::format("{:a}", value.mantissa), value.exponent});
}

Scaled scaled_from(const Json& json) {
  const auto text = json.at(0).get<std::string>();
  char* end = nullptr;
  Scaled value{std::strtod(text.c_str(), &end), exponent_from(json.at(1))};
  if (text.empty() || *end != '\0' || !std::isfinite(value.mantissa) || value.mantissa < 0)
    throw_damaged("a sample is no number");
  return value;
}

void read_hits(const Json& json, DrawnSamples& drawn) {
  drawn.share_bits = json.at("share_bits").get<unsigned>();
  if (drawn.share_bits > RejectionTrials::most_share_bits) throw_damaged("shares beyond reason");
  std::uint64_t trials = 0;
  for (const auto& pair : json.at("hits")) {
    const auto hits = pair.at(0).get<std::uint64_t>();
    const auto count = pair.at(1).get<std::uint64_t>();
    if (hits == 0 || hits > std::uint64_t{1} << drawn.share_bits) throw_damaged("more hits than a trial has");
    drawn.hits[hits] += count;
    trials += count;
  }
  if (trials != drawn.moments.nonzero) throw_damaged("trials with hits that are not counted");
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
  const SampleMoments& moments = record.drawn.moments;
  Json bins = Json::array();
  for (const auto& [bin, count] : moments.histogram) bins.push_back(Json::array({bin, count}));
  Json json = {
      {"sampling", record.sampling},
      {"goal", record.drawn.goal},
      {"samples", moments.samples},
      {"nonzero", moments.nonzero},
      {"sums", Json::array({to_json(moments.sum), to_json(moments.squares), to_json(moments.cubes)})},
      {"largest", to_json(moments.largest)},
      {"bins", bins},
      {"seconds", record.drawn.seconds}};
  if (record.drawn.share_bits > 0) {
    Json hits = Json::array();
    for (const auto& [number, count] : record.drawn.hits) hits.push_back(Json::array({number, count}));
    json["share_bits"] = record.drawn.share_bits;
    json["hits"] = hits;
  }
  return json.dump();
}

SampleRecord parse_samples(const std::string& text) {
  const Json json = Json::parse(text);
  SampleRecord record;
  record.sampling = json.at("sampling").get<std::size_t>();
  record.drawn.goal = json.at("goal").get<std::uint64_t>();
  record.drawn.seconds = json.at("seconds").get<double>();
  SampleMoments& moments = record.drawn.moments;
  moments.samples = json.at("samples").get<std::uint64_t>();
  moments.nonzero = json.at("nonzero").get<std::uint64_t>();
  if (moments.nonzero > moments.samples) throw_damaged("more samples that are not zero than samples");
  const Json& sums = json.at("sums");
  moments.sum = sum_from(sums.at(0));
  moments.squares = sum_from(sums.at(1));
  moments.cubes = sum_from(sums.at(2));
  moments.largest = scaled_from(json.at("largest"));
  std::uint64_t in_bins = 0;
  for (const auto& bin : json.at("bins")) {
    const auto count = bin.at(1).get<std::uint64_t>();
    moments.histogram[exponent_from(bin.at(0))] += count;
    in_bins += count;
  }
  // Trials have no bins.
  if (in_bins != (moments.sum.is_zero() ? 0 : moments.nonzero)) throw_damaged("samples that are in no bin");
  if (json.contains("share_bits")) read_hits(json, record.drawn);
  return record;
}

}  // namespace countpm
