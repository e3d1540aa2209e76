// The table of samplers: names, a line of help, source.
#include <fmt/format.h>

#include "graph/errors.hpp"
#include "kernels/estimate/samples/sampler.hpp"

namespace countpm {

const std::vector<SamplerInfo>& samplers() {
  static const std::vector<SamplerInfo> table{
      {SamplerKind::rasmussen, "rasmussen", "row by row, a column uniformly among those left",
       "L. E. Rasmussen, Approximating the permanent: a simple approach, Random Structures Algorithms 5 "
       "(1994)"},
      {SamplerKind::rasmussen_plus, "rasmussen+", "likewise, the row with the fewest columns left first",
       "as rasmussen"},
      {SamplerKind::scaling, "scaling", "columns in proportion to Sinkhorn's doubly stochastic scaling",
       "I. Beichl, F. Sullivan, Approximating the permanent via importance sampling with application to the "
       "dimer covering problem, J. Comput. Phys. 149 (1999)"},
      {SamplerKind::scaling_plus, "scaling+", "likewise, the row with the fewest columns left first",
       "as scaling"},
      {SamplerKind::bethe, "bethe", "rows and columns by belief propagation, vertices of degree 2 contracted",
       "V. Gogate, R. Dechter, SampleSearch: importance sampling in presence of determinism, Artif. Intell. "
       "175 "
       "(2011); P. O. Vontobel, The Bethe permanent of a nonnegative matrix, IEEE Trans. Inf. Theory 59 "
       "(2013)"},
      {SamplerKind::population, "population",
       "many partial matchings at once, those with the same used columns as one, a few kept at random",
       "P. Fearnhead, P. Clifford, On-line inference for hidden Markov models via particle filters, J. R. "
       "Statist. Soc. B 65 (2003)",
       false},
      {SamplerKind::godsil_gutman, "godsil-gutman",
       "squared determinants of the roots of entries with random signs",
       "C. D. Godsil, I. Gutman, On the matching polynomial of a graph (1981)", false},
      {SamplerKind::godsil_gutman_complex, "godsil-gutman-complex",
       "likewise, fourth roots of unity for signs",
       "N. Karmarkar, R. Karp, R. Lipton, L. Lovasz, M. Luby, A Monte-Carlo algorithm for estimating the "
       "permanent, SIAM J. Comput. 22 (1993)",
       false},
      {SamplerKind::godsil_gutman_quaternion, "godsil-gutman-quaternion",
       "likewise, quaternion units for signs",
       "S. Chien, L. Rasmussen, A. Sinclair, Clifford algebras and approximating the permanent, J. Comput. "
       "Syst. "
       "Sci. 67 (2003)",
       false},
      {SamplerKind::boundary, "boundary",
       "vertices in order, partners by a matrix-product state of what the rest is worth",
       "A. J. Ferris, G. Vidal, Perfect sampling with unitary tensor networks, Phys. Rev. B 85 (2012)",
       false},
      {SamplerKind::annealed, "annealed",
       "a Markov chain from matchings with many holes to perfect ones, by annealed importance sampling",
       "R. M. Neal, Annealed importance sampling, Stat. Comput. 11 (2001); M. Jerrum, A. Sinclair, E. "
       "Vigoda, "
       "A polynomial-time approximation algorithm for the permanent of a matrix with nonnegative entries, J. "
       "ACM 51 (2004)",
       false},
  };
  return table;
}

const SamplerInfo& sampler_info(SamplerKind kind) {
  return samplers()[static_cast<std::size_t>(kind)];
}

bool can_scale(SamplerKind kind) {
  return kind == SamplerKind::scaling || kind == SamplerKind::scaling_plus;
}

bool draws_any_graph(SamplerKind kind) {
  return kind == SamplerKind::bethe || kind == SamplerKind::boundary || kind == SamplerKind::annealed;
}

bool can_prune(SamplerKind kind) {
  return sampler_info(kind).walks && kind != SamplerKind::bethe;
}

SamplerKind sampler_named(std::string_view name) {
  std::string names;
  for (const SamplerInfo& info : samplers()) {
    if (info.name == name) return info.kind;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", info.name);
  }
  throw UsageError(
      fmt::format("unknown sampler '{}'; the samplers are: {}", quoted(std::string(name)), names));
}

}  // namespace countpm
