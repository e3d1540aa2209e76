#include "src/distributed/rank_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <string_view>
#include <utility>

#include "graph/errors.hpp"

namespace countpm {
namespace {

constexpr std::string_view part_word = "part\n";
// The work's name, an end of line, and these.
struct Envelope {
  std::uint64_t number = 0;  // of its sender's give()
  std::uint64_t sum = 0;     // of the bytes
};

/// Of bytes that differ it differs, but for one case in 2^64.
std::uint64_t sum_of_bytes(std::string_view bytes, std::uint64_t number) {
  // Four sums side by side: one alone waits for each multiplication.
  std::array<std::uint64_t, 4> sums{number + 1, bytes.size() + 2, 3, 4};
  const char* at = bytes.data();
  std::size_t left = bytes.size();
  const auto take = [](std::uint64_t& sum, std::uint64_t word) {
    sum = (sum ^ word) * 0x9E3779B97F4A7C15U;
    sum ^= sum >> 32U;
  };
  for (; left >= 4 * sizeof(std::uint64_t); left -= 4 * sizeof(std::uint64_t)) {
    for (std::uint64_t& sum : sums) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, sizeof word);
      at += sizeof word;
      take(sum, word);
    }
  }
  std::uint64_t all = 0;
  for (; left > 0; --left) take(all, static_cast<unsigned char>(*at++));
  for (const std::uint64_t sum : sums) take(all, sum);
  return all;
}

}  // namespace

bool is_part(const Message& message) {
  return message.text.starts_with(part_word);
}

RankExchange::RankExchange(const Channel& channel, std::string what)
    : what_(std::move(what)),
      part_(channel.rank()),
      came_(static_cast<std::size_t>(channel.ranks())),
      heard_from_(came_.size(), 0) {
  what_ += '\n';
}

void RankExchange::give(std::vector<std::string> bytes) {
  std::vector<Outgoing> outgoing;
  for (std::size_t to = 0; to < bytes.size(); ++to) {
    if (to == static_cast<std::size_t>(part_)) continue;
    const Envelope envelope{given_, sum_of_bytes(bytes[to], given_)};
    Outgoing& out = outgoing.emplace_back(Outgoing{to, {}});
    out.message.reserve(part_word.size() + what_.size() + sizeof envelope + bytes[to].size());
    out.message += part_word;
    out.message += what_;
    out.message.append(reinterpret_cast<const char*>(&envelope), sizeof envelope);
    out.message += bytes[to];
    std::string().swap(bytes[to]);
  }
  ++given_;
  const std::lock_guard lock(mutex_);
  std::move(outgoing.begin(), outgoing.end(), std::back_inserter(outgoing_));
  came_[static_cast<std::size_t>(part_)].push_back(std::move(bytes[static_cast<std::size_t>(part_)]));
}

bool RankExchange::all_came() const {
  return std::none_of(came_.begin(), came_.end(), [](const auto& from) { return from.empty(); });
}

std::vector<std::string> RankExchange::take(const StopSignal& stop) {
  constexpr std::chrono::milliseconds look_again{10};
  std::unique_lock lock(mutex_);
  while (!heard_.wait_for(lock, look_again, [this] { return all_came(); })) stop.check();
  std::vector<std::string> bytes;
  bytes.reserve(came_.size());
  for (auto& from : came_) {
    bytes.push_back(std::move(from.front()));
    from.pop_front();
  }
  return bytes;
}

bool RankExchange::send(Channel& channel) {
  std::vector<Outgoing> outgoing;
  {
    const std::lock_guard lock(mutex_);
    outgoing.swap(outgoing_);
  }
  for (Outgoing& out : outgoing) channel.send(static_cast<int>(out.to), std::move(out.message));
  return !outgoing.empty();
}

bool RankExchange::hear(const Message& message) {
  const std::string_view said = std::string_view(message.text).substr(part_word.size());
  if (!said.starts_with(what_)) return false;
  const auto from = static_cast<std::size_t>(message.from);
  Envelope envelope;
  if (said.size() < what_.size() + sizeof envelope)
    throw CheckError(fmt::format("rank {} sent a part of a table that is cut short", message.from));
  std::memcpy(&envelope, said.data() + what_.size(), sizeof envelope);
  std::string bytes(said.substr(what_.size() + sizeof envelope));
  if (envelope.sum != sum_of_bytes(bytes, envelope.number))
    throw CheckError(fmt::format("rank {} sent a part of a table whose checksum is wrong", message.from));
  if (envelope.number != heard_from_[from]++)
    throw CheckError(fmt::format("rank {} sent parts of a table out of order", message.from));
  const std::lock_guard lock(mutex_);
  came_[from].push_back(std::move(bytes));
  if (all_came()) heard_.notify_all();
  return true;
}

}  // namespace countpm
