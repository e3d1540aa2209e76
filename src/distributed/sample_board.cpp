#include "src/distributed/sample_board.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <sstream>
#include <utility>

#include "src/api/version.hpp"
#include "src/journal/checkpoint.hpp"

namespace countpm {
namespace {

constexpr auto look_at_round_every = std::chrono::milliseconds(20);

}  // namespace

void SampleBoard::share_samplers(JournalHeader header) {
  const std::lock_guard lock(mutex_);
  header_ = std::move(header);
  header_.version = version();
  header_.id = random_journal_id();
  plan_ = header_lines(header_);
  ++plan_number_;
  keep_none();
}

double SampleBoard::draw(const SampleRound& round, Monitor& monitor) {
  std::unique_lock lock(mutex_);
  const auto seen = seconds_a_sample_.find(round.series);
  size_ = {};
  size_.seen = seen != seconds_a_sample_.end();
  size_.unit_seconds = std::max(size_.seen ? seen->second : round.seconds_a_sample, 1e-12);
  free_ = {};
  done_ = {};
  free_.add(round.samples);
  left_ = round.samples.size();
  under_way_ = 0;
  ended_ = false;
  round_ = &round;
  bool begun = false;
  changed_.notify_all();
  while (left_ > 0 && !monitor.stop_signal().requested()) {
    begun = begun || under_way_ > 0 || !done_.empty();
    if (begun && round.ended()) ended_ = true;
    if (ended_ && (under_way_ == 0 || !round_->rest_counts)) break;
    changed_.wait_for(lock, look_at_round_every);
  }
  round_ = nullptr;
  if (!size_.seen) return 0;
  return seconds_a_sample_[round.series] = size_.unit_seconds;
}

std::string SampleBoard::plan() const {
  const std::lock_guard lock(mutex_);
  return plan_;
}

std::string SampleBoard::plan_of(const UnitOrder& order) const {
  const std::lock_guard lock(mutex_);
  return order.plan == plan_number_ ? plan_ : std::string();
}

std::optional<UnitOrder> SampleBoard::take(double seconds, std::uint64_t workers) {
  const std::lock_guard lock(mutex_);
  if (round_ == nullptr || ended_ || free_.empty()) return std::nullopt;
  UnitOrder order;
  order.plan = plan_number_;
  order.task = round_->series;
  order.range = free_.front();
  size_.free = free_.size();
  order.range.last = order.range.first + std::min(order.range.size(), size_.units(seconds, workers));
  order.seconds = size_.unit_seconds * static_cast<double>(order.range.size());
  free_.remove(order.range);
  ++under_way_;
  return order;
}

/// Whether it is of the round that is drawn now: rounds of a series have no sample in common.
bool SampleBoard::is_current(const UnitOrder& order) const {
  return round_ != nullptr && order.plan == plan_number_ && order.task == round_->series &&
         order.range.first >= round_->samples.first && order.range.last <= round_->samples.last;
}

UnitDelivery SampleBoard::deliver(const UnitOrder& order, const std::string& records) {
  const std::lock_guard lock(mutex_);
  UnitDelivery delivery;
  if (order.plan != plan_number_) {
    delivery.repeated = 1;
    return delivery;
  }
  const bool current = is_current(order);
  std::istringstream lines(records);
  for (std::string line; std::getline(lines, line);) {
    std::optional<SampleBatch> batch = parse_batch_line(header_, line);
    const bool asked_for = batch && batch->series == order.task && batch->range.first >= order.range.first &&
                           batch->range.last <= order.range.last && (!current || round_->can_have(*batch));
    if (!asked_for) {
      ++delivery.refused;
      continue;
    }
    // What comes when a round is over was drawn by somebody else, too.
    if (!current || done_.meets(batch->range)) {
      ++delivery.repeated;
      continue;
    }
    const UnitRange range = batch->range;
    done_.add(range);
    free_.remove(range);
    left_ -= range.size();
    size_.see(batch->seconds / static_cast<double>(range.size()));
    delivery.units += range.size();
    delivery.seconds += batch->seconds;
    keep_some(*batch);
    round_->give(*std::move(batch), false);
  }
  if (current) free_again(order);
  changed_.notify_all();
  return delivery;
}

void SampleBoard::free_again(const UnitOrder& order) {
  for (const UnitRange& lacking : done_.lacks(order.range)) free_.add(lacking);
  under_way_ -= std::min<std::uint64_t>(under_way_, 1);
}

void SampleBoard::give_back(const UnitOrder& order) {
  const std::lock_guard lock(mutex_);
  if (is_current(order)) free_again(order);
  changed_.notify_all();
}

void SampleBoard::wait(double seconds) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, std::chrono::duration<double>(seconds),
                    [this] { return closed_ || (round_ != nullptr && !ended_ && !free_.empty()); });
}

void SampleBoard::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
  changed_.notify_all();
}

}  // namespace countpm
