#pragma once
// Messages between the ranks of a count on several machines. The count knows no more of MPI than this.
#include <optional>
#include <string>

namespace countpm {

struct Message {
  int from = 0;
  std::string text;  // any bytes
};

/// One rank's end. All calls come from one thread, the one that made it.
class Channel {
 public:
  virtual ~Channel() = default;
  virtual int rank() const = 0;
  virtual int ranks() const = 0;
  /// Among the ranks on this host.
  virtual int local_rank() const = 0;
  virtual int local_ranks() const = 0;
  /// Of this host, for this rank: those that it may use, each divided among the ranks that may.
  virtual int local_cores() const = 0;
  /// Returns at once. Two messages from one rank to another arrive in order.
  virtual void send(int to, std::string text) = 0;
  /// The next message, where one is there.
  virtual std::optional<Message> receive() = 0;

  /// Work that is predicted to take less is done before the others have heard of it, and is not shared.
  virtual double worth_seconds() const { return 0.005; }

  /// Whether that rank is gone for good, where the others can go on: what is sent to it goes nowhere, and
  /// nothing comes from it any more. Where rank 0 is, the others receive "end" in its name.
  virtual bool lost(int /*rank*/) const { return false; }
  /// How many are, as far as receive() has seen. From any thread.
  virtual int lost_ranks() const { return 0; }
};

}  // namespace countpm
