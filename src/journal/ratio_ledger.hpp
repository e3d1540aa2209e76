#pragma once
// What has been drawn of a piece for a ratio of two sums: for journals and whoever goes on with one.
#include <atomic>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace countpm {

/// One sample of both sums: ln of its weight in the graph of both, in the first and in the second. -infinity:
/// 0; where the weight in the graph of both is 0, all are.
struct RatioSample {
  double log = 0;
  double log_a = 0;
  double log_b = 0;
};
using RatioSamples = std::vector<RatioSample>;
inline constexpr std::size_t largest_ratio_chunk = 32;

/// As a journal has it: chunk number `chunk` of the samples of piece number `piece`.
struct RatioRecord {
  std::size_t piece = 0;
  std::uint64_t chunk = 0;
  RatioSamples samples;
};

/// The chunks of one piece, whatever came in between. Thread-safe.
class RatioLedger {
 public:
  /// What is there already stays. Returns whether it was new.
  bool put(std::uint64_t chunk, const RatioSamples& samples);
  /// Empty: it is not there.
  std::optional<RatioSamples> get(std::uint64_t chunk) const;
  /// The numbers of those that are there, in order.
  std::vector<std::uint64_t> chunks() const;
  std::uint64_t samples() const;
  bool has_new() const { return has_new_.load(std::memory_order_relaxed); }
  /// Those that are new, and from then on are not; all: with those that were.
  std::vector<RatioRecord> take(std::size_t piece, bool all);

 private:
  mutable std::mutex mutex_;
  std::map<std::uint64_t, RatioSamples> chunks_;
  std::vector<std::uint64_t> new_;
  std::uint64_t samples_ = 0;
  std::atomic<bool> has_new_{false};
};

/// As JSON on one line, every figure exact, and back. The parser throws std::exception for what is none.
std::string ratio_text(const RatioRecord& record);
RatioRecord parse_ratio(const std::string& text);

/// Whether a sample is one: no NaN, no +infinity, and 0 in both graphs where it is 0 in that of both.
bool is_sample(const RatioSample& sample);

}  // namespace countpm
