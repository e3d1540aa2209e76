#pragma once
// Rank 0 of an estimate on several machines: it hands out samples by their numbers, its own processors among
// those who draw them, and gives on what comes back.
#include <map>
#include <string>
#include <vector>

#include "src/distributed/sample_crew.hpp"
#include "src/machine/channel.hpp"

namespace countpm {

class SampleLeader : public SampleCrew {
 public:
  /// The channel outlives the leader.
  explicit SampleLeader(Channel& channel);

  void share_blocks(const JournalHeader& header) override;
  void share_samplers(JournalHeader header) override;
  double least_seconds() const override;
  /// Ranks join once they are ready; nobody waits for them. A batch whose checksum is wrong, or that the
  /// block cannot have, is a CheckError; what stopped another rank is thrown as throw_rank_failure() does.
  double draw(const SampleRound& round, Monitor& monitor) override;

 private:
  class Phase;
  struct Rank {
    bool ready = false;
    double slots = 1;
    double lead_seconds = 0;
    std::map<std::size_t, double> samples_a_second;  // by series, as seen
  };

  Channel& channel_;
  JournalHeader header_;
  std::vector<Rank> ranks_;
};

}  // namespace countpm
