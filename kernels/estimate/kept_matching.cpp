#include "kernels/estimate/kept_matching.hpp"

#include <algorithm>
#include <limits>

namespace countpm {
namespace {

constexpr std::size_t most_reached_in_passing = 24;

}  // namespace

void KeptMatching::reset(const std::vector<Vertex>& mate) {
  states_.resize(mate.size());
  for (std::size_t v = 0; v < mate.size(); ++v) states_[v].mate = mate[v];
}

void KeptMatching::begin_search() {
  if (++search_ == 0) {  // after 2^32 searches
    for (State& state : states_) state.seen = 0;
    search_ = 1;
  }
  rows_.clear();
  columns_.clear();
}

void KeptMatching::reach(std::vector<Vertex>& reached, Vertex v, Vertex from) {
  State& state = states_[v];
  if (state.seen == search_) return;
  state.seen = search_;
  state.before = from;
  reached.push_back(v);
}

KeptMatching::Outcome KeptMatching::join(const BetheGraph& graph, Vertex row, Vertex column,
                                         std::size_t most_reached) {
  begin_search();
  reach(rows_, mate(column), row);
  reach(columns_, mate(row), column);
  std::size_t next_row = 0;
  std::size_t next_column = 0;
  while (next_row < rows_.size() && next_column < columns_.size()) {
    if (rows_.size() + columns_.size() > most_reached) return Outcome::open;
    const bool forwards = rows_.size() - next_row <= columns_.size() - next_column;
    const Vertex v = forwards ? rows_[next_row++] : columns_[next_column++];
    const Vertex own = mate(v);
    for (const BetheGraph::EdgeNumber e : graph.edges(v)) {
      const Vertex w = graph.edge(e).end[forwards ? 1 : 0];
      if (w == own || w == (forwards ? column : row)) continue;
      const State& state = states_[w];
      if (state.seen == search_) {
        meeting_row_ = forwards ? v : w;
        meeting_column_ = forwards ? w : v;
        return Outcome::joined;
      }
      if (state.mate != (forwards ? row : column)) reach(forwards ? rows_ : columns_, state.mate, v);
    }
  }
  return Outcome::apart;
}

bool KeptMatching::may_take(const BetheGraph& graph, Vertex row, Vertex column) {
  return mate(row) == column || join(graph, row, column, most_reached_in_passing) != Outcome::apart;
}

void KeptMatching::marry(Vertex row, Vertex column) {
  states_[row].mate = column;
  states_[column].mate = row;
}

bool KeptMatching::take(const BetheGraph& graph, Vertex row, Vertex column) {
  if (mate(row) == column) return true;
  if (join(graph, row, column, std::numeric_limits<std::size_t>::max()) != Outcome::joined) return false;
  // The columns from the meeting to the row's mate pass their rows on to the next, ...
  Vertex row_left = mate(meeting_column_);
  for (Vertex j = meeting_column_; states_[j].before != column;) {
    j = states_[j].before;
    const Vertex next = mate(j);
    marry(row_left, j);
    row_left = next;
  }
  // ... the rows from the meeting to the column's mate their columns.
  Vertex column_left = meeting_column_;
  for (Vertex i = meeting_row_; i != row; i = states_[i].before) {
    const Vertex next = mate(i);
    marry(i, column_left);
    column_left = next;
  }
  marry(row, column);
  return true;
}

void KeptMatching::contract(Vertex v, Vertex kept, Vertex other) {
  const Vertex partner = mate(mate(v) == kept ? other : kept);
  states_[kept].mate = partner;
  states_[partner].mate = kept;
}

}  // namespace countpm
