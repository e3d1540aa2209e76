#include "python/src/iterator.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <chrono>
#include <utility>

#include "graph/errors.hpp"
#include "graph/kinds/monomers.hpp"
#include "python/src/long_call.hpp"
#include "src/api/entries.hpp"
#include "src/machine/startable_threads.hpp"
#include "src/matchings/list_orbits.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

constexpr auto look_every = std::chrono::milliseconds(50);
// So many matchings are found ahead, unless they are large.
constexpr std::size_t most_ahead = 256;
constexpr std::size_t most_bytes_ahead = std::size_t{1} << 24U;

}  // namespace

std::string ids_of(const std::vector<Edge>& matching, GraphKind kind) {
  std::vector<Index> ids;
  ids.reserve(2 * matching.size());
  for (const Edge& edge : matching) {
    if (kind == GraphKind::undirected) ids.push_back(edge.from);
    ids.push_back(edge.to);
  }
  return {reinterpret_cast<const char*>(ids.data()), ids.size() * sizeof(Index)};
}

ReadResult read_with(const PyGraph& graph, const std::string& monomer) {
  ReadResult read(graph.read());
  add_monomers(read.graph, monomer, false, read.info.path);
  return read;
}

MatchingIterator::MatchingIterator(const PyGraph& graph, std::uint64_t first,
                                   std::optional<std::uint64_t> last, const std::string& monomer, bool orbits)
    : kind_(monomer.empty() ? graph.graph().kind : GraphKind::undirected), orbits_(orbits) {
  ListOptions options;
  options.first = first;
  options.last = last;
  if (first == 0) throw UsageError("matchings are numbered from 1");
  options.interrupted = [this] {
    const std::lock_guard lock(mutex_);
    return closing_;
  };
  thread_ = start_thread([this, read = read_with(graph, monomer), options] { search(read, options); });
}

MatchingIterator::~MatchingIterator() {
  close();
}

void MatchingIterator::search(ReadResult read, const ListOptions& options) {
  std::exception_ptr failure;
  try {
    const MatchingIdSink sink = [this](const std::vector<Edge>& matching) { return put(matching); };
    if (orbits_) {
      list_orbits(std::move(read), options, sink);
    } else {
      list_matchings(std::move(read), options, sink);
    }
  } catch (const InterruptedError&) {
    // It was closed.
  } catch (...) {
    failure = std::current_exception();
  }
  const std::lock_guard lock(mutex_);
  failure_ = failure;
  finished_ = true;
  changed_.notify_all();
}

bool MatchingIterator::put(const std::vector<Edge>& matching) {
  std::string ids = ids_of(matching, kind_);
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] {
    return closing_ || found_.empty() || (found_.size() < most_ahead && found_bytes_ < most_bytes_ahead);
  });
  if (closing_) return false;
  found_bytes_ += ids.size();
  found_.push_back(std::move(ids));
  if (found_.size() == 1) changed_.notify_all();
  return true;
}

/// Without Python's lock between two looks at its signals.
void MatchingIterator::wait_for_some() {
  while (true) {
    std::deque<std::string> taken;
    bool is_over = false;
    {
      const nb::gil_scoped_release released;
      std::unique_lock lock(mutex_);
      is_over = changed_.wait_for(lock, look_every, [this] { return over(); });
      taken.swap(found_);
      found_bytes_ = 0;
      changed_.notify_all();
    }
    // Other threads may ask of the same iterator: what is found is put where Python's lock holds.
    for (std::string& ids : taken) ready_.push_back(std::move(ids));
    if (is_over) return;
    try {
      check_signals();
    } catch (...) {
      close();
      throw;
    }
  }
}

nb::bytes MatchingIterator::next() {
  if (ready_.empty()) wait_for_some();
  if (ready_.empty()) {
    std::exception_ptr failure;
    {
      const std::lock_guard lock(mutex_);
      failure = std::exchange(failure_, nullptr);
    }
    if (failure) std::rethrow_exception(failure);
    throw nb::stop_iteration();
  }
  nb::bytes ids(ready_.front().data(), ready_.front().size());
  ready_.pop_front();
  return ids;
}

void MatchingIterator::close() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    changed_.notify_all();
  }
  if (std::thread ending = std::move(thread_); ending.joinable()) {
    const nb::gil_scoped_release released;
    ending.join();
  }
  ready_.clear();
  const std::lock_guard lock(mutex_);
  found_.clear();
  failure_ = nullptr;
}

void bind_iterator(nb::module_& module) {
  nb::class_<MatchingIterator>(
      module, "MatchingIterator",
      "Perfect matchings (cycle covers) one by one, in lexicographic order, as bytes of uint32.")
      .def(
          "__init__",
          [](MatchingIterator* self, const PyGraph& graph, std::uint64_t first,
             std::optional<std::uint64_t> last, const std::string& monomer,
             bool orbits) { new (self) MatchingIterator(graph, first, last, monomer, orbits); },
          nb::arg("graph"), nb::arg("first") = 1, nb::arg("last") = nb::none(), nb::arg("monomer") = "",
          nb::arg("orbits") = false)
      .def(
          "__iter__", [](nb::object self) { return self; }, nb::sig("def __iter__(self) -> MatchingIterator"))
      .def("__next__", &MatchingIterator::next)
      .def("close", &MatchingIterator::close, "Ends the search; there are no more matchings then.");
}

}  // namespace countpm::python
