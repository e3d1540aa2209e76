// Structure before counting: matching or violator, then strong components of the matched digraph.
// boost::strong_components keeps its depth-first path in a vector (the recursive variant is only compiled
// under BOOST_RECURSIVE_DFS), so deep graphs need heap, not stack: tests/matching/structure.cpp runs it under
// a 256 KiB stack.
#include "matching/structure.hpp"

#ifdef BOOST_RECURSIVE_DFS
#error "BOOST_RECURSIVE_DFS makes boost::strong_components recurse: deep graphs would overflow the stack"
#endif
#include <boost/graph/strong_components.hpp>
#include <boost/property_map/property_map.hpp>

#include "graph/stop_poll.hpp"
#include "matching/matched_digraph.hpp"

namespace countpm {

BlockDecomposition fine_decomposition(const SparsePattern& pattern, const Matching& matching) {
  BlockDecomposition result;
  const Index n = pattern.rows;
  result.row_block.resize(n);
  result.column_block.resize(n);
  if (n == 0) return result;

  StopPoll poll;
  const MatchedDigraph graph{pattern, matching.column_mate, poll};
  std::vector<Index> root(n);
  std::vector<Index> discovered(n);
  std::vector<boost::default_color_type> color(n);
  const boost::typed_identity_property_map<Index> index;
  result.blocks = static_cast<Index>(boost::strong_components(
      graph, boost::make_iterator_property_map(result.row_block.begin(), index),
      boost::vertex_index_map(index)
          .root_map(boost::make_iterator_property_map(root.begin(), index))
          .discover_time_map(boost::make_iterator_property_map(discovered.begin(), index))
          .color_map(boost::make_iterator_property_map(color.begin(), index))));

  // Tarjan numbers a component after all those that it reaches; block upper triangular order is the reverse.
  for (Index i = 0; i < n; ++i) {
    result.row_block[i] = result.blocks - 1 - result.row_block[i];
    result.column_block[matching.row_mate[i]] = result.row_block[i];
  }
  for (Index i = 0; i < n; ++i) {
    poll.steps(pattern.row_degree(i));
    for (std::uint64_t k = pattern.row_start[i]; k < pattern.row_start[i + std::uint64_t{1}]; ++k) {
      result.entries_dropped += result.column_block[pattern.column[k]] != result.row_block[i] ? 1 : 0;
    }
  }
  return result;
}

Structure analyse(const SparsePattern& pattern) {
  Structure structure;
  structure.matching = maximum_matching(pattern);
  if (pattern.rows != pattern.columns || structure.matching.size != pattern.rows) {
    structure.violator = hall_violator(pattern, structure.matching);
  } else {
    structure.decomposition = fine_decomposition(pattern, structure.matching);
  }
  return structure;
}

}  // namespace countpm
