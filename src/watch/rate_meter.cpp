#include "src/watch/rate_meter.hpp"

#include <algorithm>
#include <cmath>

namespace countpm {
namespace {

constexpr double first_distance = 0.1;  // seconds
constexpr std::size_t most_marks = 64;
constexpr std::size_t least_slices = 4;

}  // namespace

void RateMeter::start(double now, double done) {
  marks_.assign(1, {now, done});
  last_ = {now, done};
  distance_ = first_distance;
}

void RateMeter::note(double now, double done) {
  if (marks_.empty()) start(now, done);
  last_ = {now, std::max(done, last_.done)};
  if (now - marks_.back().time < distance_) return;
  marks_.push_back(last_);
  if (marks_.size() <= most_marks) return;
  // Every other one goes, but for the first.
  for (std::size_t k = 1; 2 * k < marks_.size(); ++k) marks_[k] = marks_[2 * k];
  marks_.resize((marks_.size() + 1) / 2);
  distance_ *= 2;
}

double RateMeter::rate() const {
  if (marks_.empty() || last_.time <= marks_.front().time) return 0;
  return (last_.done - marks_.front().done) / (last_.time - marks_.front().time);
}

RemainingTime RateMeter::remaining() const {
  RemainingTime result;
  const double mean = rate();
  if (mean <= 0) return result;
  const double left = std::max(1 - last_.done, 0.0);
  result.seconds = left / mean;
  const std::size_t slices = marks_.size() - 1;
  if (slices < least_slices) return result;
  double squares = 0;
  for (std::size_t k = 1; k <= slices; ++k) {
    const double seconds = marks_[k].time - marks_[k - 1].time;
    const double difference = (marks_[k].done - marks_[k - 1].done) / std::max(seconds, 1e-9) - mean;
    squares += difference * difference;
  }
  const auto count = static_cast<double>(slices);
  const double two_errors = 2 * std::sqrt(squares / (count - 1) / count);
  result.low = left / (mean + two_errors);
  // A rate that may be zero has no latest end.
  if (two_errors < mean) result.high = left / (mean - two_errors);
  return result;
}

}  // namespace countpm
