#pragma once
// Every rank of a count or an estimate on several machines but rank 0: what they all do
// (src/count/follow_count.hpp, src/estimate/follow_estimate.hpp).
#include <functional>

#include <string>

#include "src/api/entries.hpp"

namespace countpm {

class Monitor;  // src/watch/monitor.hpp

/// Rank 0 says that all is over.
struct EndOfCount {};

/// The text of the next message from rank 0, which is to have this word, but for what came too late. Throws
/// EndOfCount, CheckError where it says something else, and what the monitor says.
std::string await_word(Channel& channel, const std::string& wanted, const Monitor& monitor);

/// Runs, and tells rank 0 of what it throws but EndOfCount, which goes on.
void tell_what_is_thrown(Channel& channel, const std::function<void()>& work);
/// Until rank 0 says that it is over, whatever else it says.
void await_end(Channel& channel);

/// As with_graph() of src/input/with_graph.hpp, of rank 0's standard input where that is the source.
ReadResult read_as_rank_0(const Source& source, const ReadOptions& read_options, Channel& channel,
                          const Monitor& monitor);

/// What a rank does that is not rank 0: the work, which may follow(); what it throws is told to rank 0, which
/// ends the count. Returns when rank 0 has said that all is over.
void follow_to_end(Channel& channel, const std::function<void()>& work);

}  // namespace countpm
