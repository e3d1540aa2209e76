#pragma once
// What a question is about, however a program has it.
#include <string>
#include <utility>
#include <variant>

#include "graph/read.hpp"
#include "src/api/options.hpp"
#include "src/library/views.hpp"

namespace countpm {

/// A graph or matrix in memory as if it had been read: the graph, and how many weights of 0 it was without.
/// Labels are the numbers from 0. Throws InputError, which names the edge, where one leads to a vertex that
/// is not there, is there twice, is a loop of an undirected graph or has a weight that is no number; where
/// lists are not beside each other; and where there are too many vertices. O(edges).
ReadResult read_view(const EdgeView& edges);
/// A bipartite graph: rows on the left, columns on the right.
ReadResult read_view(const SparseView& matrix);

/// A file, a lattice or bytes, which are read when a question is asked; or a graph or matrix in memory, which
/// is checked here, as read_view() does. Immutable: any number of threads may ask of one at a time.
class Input {  // NOLINT(bugprone-exception-escape): numbers are moved by swapping
 public:
  Input(Source source, ReadOptions options = {})  // NOLINT(google-explicit-constructor)
      : content_(Unread{std::move(source), std::move(options)}) {}
  Input(Graph graph, std::string name = "<graph>");  // NOLINT(google-explicit-constructor)
  Input(ReadResult read);                            // NOLINT(google-explicit-constructor)
  Input(const EdgeView& edges);                      // NOLINT(google-explicit-constructor)
  Input(const SparseView& matrix);                   // NOLINT(google-explicit-constructor)

  /// Calls unread(source, options), or known(read): of what has been read, or is in memory.
  template <class FromSource, class FromMemory>
  auto ask(const FromSource& unread, const FromMemory& known) const {
    if (const auto* later = std::get_if<Unread>(&content_)) return unread(later->source, later->options);
    return known(std::get<ReadResult>(content_));
  }

 private:
  struct Unread {
    Source source;
    ReadOptions options;
  };
  std::variant<Unread, ReadResult> content_;
};

/// The graph that answers are about: ids in them are numbers of its vertices and edges, and its tables have
/// the labels. Throws as count() does; of the options the time limit and interruption are used.
ReadResult read_input(const Input& input, const Options& options = {});

}  // namespace countpm
