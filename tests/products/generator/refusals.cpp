#include "tests/products/generator/refusals.hpp"

namespace countpm::products {

const std::vector<RefusalReason>& refusals() {
  static const std::vector<RefusalReason> table{
      // What is asked does not go with this kind of graph.
      {"is about matchings, and of a directed graph cycle covers are counted",
       "monomers: of a directed graph cycle covers are counted"},
      {"is about covers by edges and rings, and of a directed graph cycle covers are counted",
       "rings: of a directed graph cycle covers are counted"},
      {"is about undirected and bipartite graphs, and of a directed graph cycle covers are counted",
       "degrees: of a directed graph cycle covers are counted"},
      {"maximum matchings are of undirected and bipartite graphs",
       "maximum matchings: of a directed graph cycle covers are counted"},
      {"does not fit a bipartite graph, which has no loops",
       "loops as monomers: a bipartite graph has no loops"},
      {"minors are of a matrix, and this is an undirected graph", "minors: of matrices"},
      {"minors of a square matrix lack a column as well", "minors of a square matrix, and no column named"},
      {"permanents without a line are of a matrix that has one line more",
       "minors of arrays: of one with a line more"},
      {"rows and columns are repeated of a matrix", "repeated lines: of matrices"},
      {"amplitudes are a matrix", "probabilities of outcomes: of matrices"},
      {"Kekule structures are those of a molecule or an undirected graph",
       "Kekule structures: of undirected graphs"},
      {"expected a square matrix", "a determinant, Pfaffian or adjacency matrix is square"},
      {"expected a skew-symmetric matrix", "a Pfaffian: of skew-symmetric matrices"},
      {"expected a symmetric matrix", "a hafnian, or an undirected graph: of symmetric matrices"},
      {"--remove is of graphs, and this is a list of sets", "removed vertices: of graphs, not of sets"},
      {"has no perfect matching: there is no ratio to it", "a ratio to 0"},
      {"which leaves no probabilities", "probabilities: of weights that add up to another sum than 0", false,
       Claim::sum_is_zero},
      {"ask for the pair the other way round", "pairs: of an edge whose matchings' weights add up to 0",
       false, Claim::edge_is_zero},
      // Numbers that are not beside the lines: vertices were removed.
      {"and the matrix has", "repeated lines, photons: as many numbers as lines, and one was removed"},
      {"numbers, and the graph has", "copies: as many numbers as vertices, and one was removed"},
      {"has no column \"", "minors: without a column that there is, and it was removed"},
      // Letters.
      {"and only plain counts and 'explain' take polynomials", "letters without a value: of counts alone"},
      {"has no weight with the letter x to integrate over", "an integral: over a letter that weights have"},
      {"the weights have the letter y, too", "an integral: over the one letter that weights have"},
      {"that letter (", "--at: of a letter that weights have"},
      {"with rings weights are numbers", "rings: no letters beside theirs"},
      {"with --monomers t weights are numbers", "a matching polynomial: no letters beside its own"},
      {"ground states have the least or the largest weight, and here weights have letters",
       "ground states: letters have no order"},
      {"(7, -2/3, 0.25, 1e-3, (re,im) or a+bi), found", "sets: weights without letters"},
      // Complex and real weights.
      {"are of real weights, and here weights are complex",
       "probabilities, pairs, ln Z, orbits, bounds and ratios: of real weights"},
      {"complex weights have no order", "ground states: of real weights"},
      {"the polynomial of --rings has exact coefficients", "a polynomial of rings: of exact weights"},
      {"the matching polynomial has exact coefficients", "a matching polynomial: of exact weights"},
      {"complex weights are summed exactly over matchings, not over covers",
       "rings and sets: no exact complex weights"},
      {"orbits are of graphs without decimal weights", "orbits: of integers and fractions"},
      {"orbits are of graphs without parallel edges", "orbits: each edge once"},
      {"orbits are counted of graphs with fewer", "orbits: of at most 100,000 symmetries", false},
      {"bounds are of counts without negative or complex weights",
       "bounds: of weights that are not negative"},
      {"a ratio is sampled of weights that are not negative", "a ratio: of weights that are not negative"},
      {"estimates need weights that are real and not negative",
       "estimates: of weights that are not negative"},
      {"--multi sum adds up the weights of parallel edges", "ground states: each edge once"},
      {"expected 0 or 1 (other values need --weights)",
       "a dense matrix with other values than 0 and 1, and no --weights"},
      {"expected weights other than 0, which is no edge", "ground states of arrays: 0 is no edge"},
      {"expected vertices",
       "two sides without an edge: edges alone say in adjlist and tgf which side a vertex is on", false},
      {"one reading: --format metis", "METIS of four numbers a line, and no option that says so", false},
      {"expected a graph, found an empty file", "a table without a header and an edge", false},
      {"rounding leaves no digit certain", "no digit of a floating-point sum is certain", false},
      // Methods, devices and checks.
      {"a determinant is computed in one way", "a determinant: no method, no second count"},
      {"a Pfaffian is computed in one way", "a Pfaffian: no method, no second count"},
      {"no method can count a block", "the method cannot count a block (docs/methods.md), or not on a GPU"},
      {"the GPU has no room for these row sums there", "row-sums=shared: of as many rows as fit", false},
      {"--ln-z cannot do a block", "ln Z: of planar blocks, and lattices on other surfaces"},
      {"the time limit", "it is predicted to take longer than the test's time limit, or does", false},
      {"ground states with odd sets cannot be verified", "verify: not of ground states with odd sets"},
      {"an exact sum of complex weights cannot be verified", "verify: not of exact complex sums"},
  };
  return table;
}

int refusal_of(const std::string& message) {
  for (std::size_t r = 0; r < refusals().size(); ++r)
    if (message.find(refusals()[r].words) != std::string::npos) return static_cast<int>(r);
  return -1;
}

}  // namespace countpm::products
