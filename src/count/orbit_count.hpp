#pragma once
// Perfect matchings (cycle covers) up to symmetry, by the lemma of Cauchy and Frobenius: the number of orbits
// is the mean, over the symmetries g of the graph, of the number of matchings that g leaves as they are.
//
// These are the perfect matchings of a smaller graph, whose vertices are the orbits of <g>. The edges of a
// matching that g leaves as it is fall into whole orbits of edges. One between two orbits U and V of vertices
// covers each of these vertices once just where it has |U| = |V| edges: an edge of the smaller graph. One
// within U does where it has |U| / 2: there U may stay alone. Parallel ones add up, and an edge of weight w
// counts by w^|orbit|. (Of a directed graph an orbit of arcs from U to V, U = V too, has |U| = |V| of them.)
// So whatever counts perfect matchings, with vertices that may stay alone, counts orbits. W. Burnside, Theory
// of Groups of Finite Order (1897), 118.
#include "graph/read.hpp"
#include "src/api/entries.hpp"
#include "src/count/orbit_result.hpp"

namespace countpm {

/// The group, by automorphisms() (graph/automorphisms.hpp), is to have at most 100,000 elements; of
/// conjugates one is looked at. Each count is count()'s, within what is left of the limits. Throws as count()
/// does; UnableError for larger groups, decimal and complex weights, monomers and covers; CheckError where
/// the sum is no multiple of the group's order.
OrbitCount count_orbits(const Source& source, const ReadOptions& read_options, const CountOptions& options);
OrbitCount count_orbits(ReadResult read, const CountOptions& options);

}  // namespace countpm
