#pragma once
// Kekule structures, counted and weighed.
#include <functional>
#include <vector>

#include "graph/formats/graph_entries.hpp"
#include "graph/molecules/pi_system.hpp"
#include "src/api/entries.hpp"
#include "src/chemistry/kekule_result.hpp"

namespace countpm {

/// Counts the perfect matchings of an undirected graph, with the checks of count(), and the share of them
/// that has each edge. Weights play no part. That the orders at every atom add up to 1, and that each is a
/// whole number of structures, is checked. Throws as count() and exact_marginals() do, UsageError for graphs
/// that are not undirected, CheckError where the two disagree.
KekuleResult kekule(ReadResult read, const CountOptions& options);
/// The same of a source, or of one of its graphs, which is read within the time limit. A molecule without a
/// pi system is a result, too.
KekuleResult kekule(const Source& source, const ReadOptions& read_options, CountOptions options);
KekuleResult kekule(const GraphEntry& entry, const ReadOptions& read_options, CountOptions options);
KekuleResult without_pi_system(const NoPiSystem& none);

/// For each edge whether the bond is double.
using StructureSink = std::function<bool(const std::vector<bool>&)>;  // false: enough
/// The structures, one after another in the order of list_matchings(). Returns how many went to the sink.
std::uint64_t list_structures(const KekuleResult& result, const ListOptions& options,
                              const StructureSink& sink);

}  // namespace countpm
