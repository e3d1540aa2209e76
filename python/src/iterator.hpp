#pragma once
// Matchings one by one, as Python's iterators are: found by a thread of its own, a few ahead.
#include <nanobind/nanobind.h>

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "python/src/graph.hpp"
#include "src/api/results.hpp"

namespace countpm::python {

/// Ids of a matching, as bytes of uint32: of a bipartite or directed graph the right end of each row's edge,
/// in order; else the ends of each edge.
std::string ids_of(const std::vector<Edge>& matching, GraphKind kind);

/// The graph as it is read, and where `monomer` is not empty all of its vertices with that weight as ones
/// that stay alone: of a bipartite graph both sides in one list, left first.
ReadResult read_with(const PyGraph& graph, const std::string& monomer);

class MatchingIterator {
 public:
  /// monomer: the weight of a vertex that stays alone, or nothing. orbits: one matching of each.
  MatchingIterator(const PyGraph& graph, std::uint64_t first, std::optional<std::uint64_t> last,
                   const std::string& monomer, bool orbits);
  ~MatchingIterator();
  MatchingIterator(const MatchingIterator&) = delete;
  MatchingIterator& operator=(const MatchingIterator&) = delete;

  /// Throws nanobind::stop_iteration after the last, and what the search threw; where a signal's handler
  /// raised, that: there are no more matchings then.
  nanobind::bytes next();
  /// Ends the search; there are no more matchings then. Any number of times.
  void close();

 private:
  bool put(const std::vector<Edge>& matching);
  void search(ReadResult read, const ListOptions& options);
  void wait_for_some();
  bool over() const { return finished_ || !found_.empty(); }

  GraphKind kind_;
  bool orbits_;
  std::deque<std::string> ready_;  // under Python's lock; what follows is under this one
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> found_;
  std::size_t found_bytes_ = 0;
  bool closing_ = false;
  bool finished_ = false;
  std::exception_ptr failure_;
  std::thread thread_;
};

void bind_iterator(nanobind::module_& module);

}  // namespace countpm::python
