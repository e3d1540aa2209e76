#pragma once
// What the ranks that share a table send each other (kernels/support/exchange.hpp), over their channel: one
// thread works and calls give() and take(), the channel's own thread carries.
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/support/exchange.hpp"
#include "src/machine/channel.hpp"

namespace countpm {

class RankExchange : public Exchange {
 public:
  /// what: of all that is exchanged between these ranks, which work it is; no end of line.
  RankExchange(const Channel& channel, std::string what);

  // For the thread that works.
  int part() const override { return part_; }
  int parts() const override { return static_cast<int>(came_.size()); }
  void give(std::vector<std::string> bytes) override;
  std::vector<std::string> take(const StopSignal& stop) override;

  // For the channel's thread.
  /// Sends what was given since; whether there was anything.
  bool send(Channel& channel);
  /// Takes in a message "part"; false, and nothing happens, where it is of other work. Throws CheckError
  /// where it is damaged.
  bool hear(const Message& message);

 private:
  bool all_came() const;

  std::string what_;
  int part_;
  std::mutex mutex_;
  std::condition_variable heard_;
  struct Outgoing {
    std::size_t to = 0;
    std::string message;
  };
  std::vector<Outgoing> outgoing_;
  std::uint64_t given_ = 0;                    // calls of give()
  std::vector<std::deque<std::string>> came_;  // from each rank
  std::vector<std::uint64_t> heard_from_;      // how often
};

/// Whether it is a message "part".
bool is_part(const Message& message);

}  // namespace countpm
