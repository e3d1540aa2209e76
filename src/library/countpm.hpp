#pragma once
// countpm for programs: what is to be counted goes in as an Input, and a checked result comes out. Installed
// as <countpm/countpm.hpp>; docs/library.md has examples.
//
// Every function throws the family of graph/errors.hpp and nothing else but std::bad_alloc: UsageError for
// options that there are not, InputError for a graph that is none, UnableError beyond the limits, CheckError
// where a check failed, InterruptedError where Options::interrupted said so. None prints, or leaves anything
// behind in the process. Any number of threads may ask at a time; each question starts as many threads as its
// options say.
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graph/errors.hpp"
#include "src/api/estimate_result.hpp"
#include "src/api/options.hpp"
#include "src/api/ratio_result.hpp"
#include "src/api/results.hpp"
#include "src/api/sampled_result.hpp"
#include "src/api/sampling_forecast.hpp"
#include "src/api/signed_sum.hpp"
#include "src/api/version.hpp"
#include "src/chemistry/kekule_result.hpp"
#include "src/count/bounded_result.hpp"
#include "src/count/ln_z_result.hpp"
#include "src/count/orbit_result.hpp"
#include "src/count/outcome_probability.hpp"
#include "src/library/input.hpp"
#include "src/report/json_text.hpp"

namespace countpm {

/// The permanent of a matrix, whose values count: a SparseView, a bipartite graph's biadjacency matrix (left
/// by right), a directed or undirected graph's adjacency matrix. Of a matrix that is not square: the sum over
/// the injections of the shorter side's lines into the longer side's.
Value permanent(const Input& matrix, const Options& options = {});

/// The hafnian of a symmetric matrix, whose values count and whose diagonal does not: a SparseView, an
/// undirected graph's adjacency matrix, or that of a directed one where each arc has its reverse of the same
/// weight. Of an odd number of rows: 0. Throws InputError where the matrix is not symmetric.
Value hafnian(const Input& matrix, const Options& options = {});

/// The loop hafnian: as hafnian(), but the values on the diagonal count as those of vertices that stay alone.
/// Of an undirected graph: with the loops that it has (LoopPolicy::monomer), and of none without.
Value loop_hafnian(const Input& matrix, const Options& options = {});

/// The determinant of a square matrix: a SparseView, a bipartite graph's biadjacency matrix, a directed or
/// undirected graph's adjacency matrix. Sparse matrices by nested dissection, dense ones in one piece, modulo
/// as many primes as Hadamard's inequality asks for, and one more by another order, which must agree. Exact
/// for integers and fractions; of doubles and complex numbers, too, rounded once in the end (exactly(): not
/// rounded). Throws InputError where the matrix is not square.
Value determinant(const Input& matrix, const Options& options = {});

/// The Pfaffian of a skew-symmetric matrix, likewise; of an odd number of rows 0. Throws InputError where an
/// entry is not minus its mirror image, or one on the diagonal is not 0.
Value pfaffian(const Input& matrix, const Options& options = {});

/// The input, undirected or bipartite, with vertices that may stay alone (ReadOptions::monomers): each, but
/// those with loops of their own, counts by this weight ("1/2") then, and count() adds up all matchings. "t":
/// CountResult::coefficients. Throws UsageError for a directed graph and for a weight that is none.
Input with_monomers(const Input& input, const std::string& weight = "1");

/// The input with only the perfect matchings (cycle covers) of least or largest weight
/// (ReadOptions::ground_state): count() then says how many there are, and InputInfo::ground_states of every
/// result which weight they have. Sums are compared exactly. Of bipartite and directed graphs all questions
/// may be asked; the edges are those that these matchings may have. Of a source an explicit weight of 0 is
/// one like others; of a graph in memory it is no edge, and one of an EdgeView is refused (InputError): add a
/// number to all weights.
Input ground_states(const Input& input, Extremum which);

/// The input, undirected or bipartite, with sets of edges of which every vertex has `degree`, in place of
/// perfect matchings (ReadOptions::degree); `named` vertices have a degree of their own. count(), explain()
/// and estimate() are about these.
Input with_degree(const Input& input, Index degree, const std::vector<VertexDegree>& named = {});

/// The matrix of which row i stands rows[i] times and column j columns[j] times, as modes of several photons
/// do; empty: each once. Of an undirected graph, whose rows and columns are repeated alike, vertices stand
/// several times: copies of one are joined by its loop (of a source; of a graph in memory loops are weights
/// of single vertices as well). Throws UsageError where the numbers are not beside the lines, add up to
/// different sums, or are not alike for an undirected graph.
Input with_copies(const Input& matrix, const std::optional<std::vector<Index>>& rows,
                  const std::optional<std::vector<Index>>& columns);
/// The input with decimals, doubles and complex numbers as the exact numbers that they are: of complex ones
/// the value is a ComplexBall whose digits are "(re,im)" with fractions, and whose error is "0".
Input exactly(const Input& input);

/// Of a matrix with one row more than columns, or one column more than rows, whose values count: in place k
/// the permanent without row (column) k, all in one pass. Exact as permanent() is.
std::vector<Value> minors(const Input& matrix, const Options& options = {});

/// How likely photons are to leave an interferometer by these modes: the squared absolute value of a
/// permanent over factorials, with its error or exact (src/count/outcome_probability.hpp). The values of the
/// matrix count; in row i and column j stands the amplitude from mode j to mode i.
OutcomeProbability outcome_probability(const Input& matrix, const Photons& photons,
                                       const Options& options = {});

/// Of an undirected or bipartite graph: in place k the number of matchings with k edges, weighted where the
/// input is, to the most edges that a matching has.
std::vector<mpq_class> matching_polynomial(const Input& input, const Options& options = {});

/// The input, undirected or bipartite, whose vertices may also be covered by rings: its chordless cycles of
/// these lengths (graph/kinds/rings.hpp), each of that weight. count() adds up all covers by edges and rings
/// then. "x": CountResult::coefficients. Throws UsageError for a directed graph and for a weight that is
/// none.
Input with_rings(const Input& input, const std::vector<std::uint32_t>& lengths = {6},
                 const std::string& weight = "x");

/// Of a molecule's graph: in place k the number of covers by k hexagons and by edges, to the most hexagons
/// that a cover has (the Clar number); the Zhang-Zhang polynomial.
std::vector<mpq_class> clar_covering_polynomial(const Input& input, const Options& options = {});

/// The sum over all exact covers of vertices 0 .. vertices - 1 by sets, each vertex in just one of them, of
/// the products of the sets' weights (`weights` beside `sets`; none: all 1). Equal sets are different ones.
/// Throws InputError where a set is empty, has a vertex twice or one that there is not, or the weights are
/// not as many.
CountResult exact_covers(Index vertices, const std::vector<std::vector<Index>>& sets,
                         const std::vector<mpq_class>& weights = {}, const Options& options = {});

/// Of an input whose weights have letters ("3*x*y^-1"): the sum over its perfect matchings (cycle covers) as
/// a polynomial in them, which is CountResult::polynomial, too. Without letters: a constant. Throws
/// UsageError for weights that are not exact.
Polynomial polynomial(const Input& input, const Options& options = {});

/// Perfect matchings, or the cycle covers of a directed graph; weighted where the input is.
CountResult count(const Input& input, const Options& options = {});

/// The same; where the limits do not allow it, or no method can, what is certain of it in place of an
/// UnableError: blocks that were counted by then exactly, the others between certified bounds. What is told
/// after the time limit was made ready before. Still throws UnableError where the structure is not known by
/// then, and, before anything is counted, for what has no bounds: monomers and covers, negative and complex
/// weights.
std::variant<CountResult, BoundedCount> count_or_bounds(const Input& input, const Options& options = {});

/// Perfect matchings (cycle covers) up to symmetry: those that a symmetry of the graph takes to each other
/// count as one. Weights, which are to be integers or fractions, are kept by symmetries, and each orbit then
/// counts by the weight of its matchings. Throws UnableError where the graph has more than 100,000
/// symmetries.
OrbitCount count_orbits(const Input& input, const Options& options = {});

/// Hands out inputs one after another, and nothing at the end. An InputError that it throws is the answer to
/// that input; it is asked again then.
using NextInput = std::function<std::optional<Input>()>;
/// The graphs of a source that may hold several (docs/formats.md); of others the one. Errors have the lines
/// of the source.
NextInput read_many(Source source, ReadOptions options = {});

/// A result, or what count() threw.
using EachResult = std::variant<CountResult, std::exception_ptr>;
/// Takes the result of the input with this number, from 1; false: enough.
using EachSink = std::function<bool(std::uint64_t number, EachResult result)>;
/// Counts what `next` hands out, some at a time, and passes the results on in order, from the calling thread;
/// `next` is called from other threads, by one at a time. Limits hold for each count by itself. jobs: how
/// many are counted at a time, each with its share of the threads and the memory; 0: small graphs as many as
/// there are threads, each on one, others one by one with all of them. Returns how many results there were.
std::uint64_t count_many(const NextInput& next, const EachSink& sink, const Options& options = {},
                         int jobs = 0);

/// Structure, reductions and what each method is predicted to take; counts nothing. The rates are measured
/// here, or as far as `assumed` says those of another machine (docs/forecasts.md).
Explanation explain(const Input& input, const Options& options = {}, const AssumedMachine& assumed = {});

/// Counts what is easy, samples the rest.
EstimateResult estimate(const Input& input, const Options& options = {},
                        const EstimateOptions& sampling = {});

/// Z(A) / Z(B) of two graphs, or weights, on the same vertices, by the same samples: what both have in common
/// makes no error. Exact where both are easy to count.
RatioResult ratio(const Input& a, const Input& b, const Options& options = {},
                  const EstimateOptions& sampling = {});

/// How much ln Z changes as a letter in weights goes from one positive number to another: as the ratio of
/// both sums.
RatioResult integrate(const Input& input, const LetterRange& range, const Options& options = {},
                      const EstimateOptions& sampling = {});

/// The sum with negative and complex weights, by samples of their absolute values; and how much of that
/// cancels. Exact where it is easy to count.
SignedSum signed_sum(const Input& input, const Options& options = {}, const EstimateOptions& sampling = {});

/// What estimate(), ratio() and sampled_marginals() would draw, by which samplers, and how long that is
/// predicted to take, by trial samples; the numbers themselves are not told.
SamplingForecast explain_estimate(const Input& input, const Options& options = {},
                                  const EstimateOptions& sampling = {});
SamplingForecast explain_ratio(const Input& a, const Input& b, const Options& options = {},
                               const EstimateOptions& sampling = {});
SamplingForecast explain_integral(const Input& input, const LetterRange& range, const Options& options = {},
                                  const EstimateOptions& sampling = {});
SamplingForecast explain_sampled_marginals(const Input& input, const Options& options = {},
                                           const EdgeSampling& sampling = {});

/// ln of the count in floating point, of planar graphs and lattices on other surfaces.
LnZResult ln_z(const Input& input, const Options& options = {});

/// Between which numbers the count is for certain; nothing is counted. See count_or_bounds(), too.
CertainBounds bounds(const Input& input, const Options& options = {});

/// The probability of every edge to be in a random perfect matching (cycle cover), one drawn with probability
/// proportional to the product of its weights: beside the graph's edges, in their order. With monomers of all
/// matchings, and after the edges a loop for every vertex: how likely it is to stay alone. With
/// MatchingSize::maximum of the maximum matchings.
Marginals marginals(const Input& input, const Options& options = {});
ExactMarginals exact_marginals(const Input& input, const Options& options = {});
/// The same by weighted samples, each probability with its standard error: where no exact method reaches.
SampledMarginals sampled_marginals(const Input& input, const Options& options = {},
                                   const EdgeSampling& sampling = {});

/// A molecule's Kekule structures, counted, and the Pauling bond orders: exact shares of them. Of the pi
/// system of a mol, SDF or xyz file (docs/chem.md), or of any undirected graph; weights play no part. A
/// molecule without a pi system is a result that says so (no_pi_system).
KekuleResult kekule(const Input& molecule, const Options& options = {});

/// The probability that a random perfect matching has both edges of a pair, of each pair of places in the
/// graph's edges: exact.
std::vector<mpq_class> pair_marginals(const Input& input,
                                      const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                                      const Options& options = {});
/// The same by weighted samples, and the covariances, each number with its standard error; with the edges'
/// probabilities by the same samples.
SampledPairMarginals sampled_pair_marginals(const Input& input,
                                            const std::vector<std::pair<std::uint64_t, std::uint64_t>>& pairs,
                                            const Options& options = {}, const EdgeSampling& sampling = {});

/// `number` random perfect matchings (cycle covers), independent and exactly proportional to the products of
/// their weights. Options::seed fixes them. None where there is none. With monomers, or of maximum matchings,
/// the edges of each, which need not cover every vertex.
std::vector<std::vector<Edge>> sample(const Input& input, std::uint64_t number, const Options& options = {});
/// The same, one after another; returns how many went to the sink.
std::uint64_t sample(const Input& input, std::uint64_t number, const MatchingIdSink& sink,
                     const Options& options = {});

/// The same where exact draws are out of reach: approximately, by weighted samples of a sampler, "annealed",
/// "bethe" or "boundary"; the result says how far their law may be off.
DrawnApproximately sample_approximately(const Input& input, std::uint64_t number, const MatchingIdSink& sink,
                                        const std::string& sampler = "annealed", const Options& options = {});

/// All perfect matchings (cycle covers), or a range of them, one after another, in lexicographic order;
/// weights play no part. With monomers all matchings, a vertex alone coming after its partners. Returns how
/// many went to the sink.
std::uint64_t list(const Input& input, const MatchingIdSink& sink, const ListOptions& options = {});
/// The same of one matching of each orbit: of those that a symmetry of the graph takes to each other
/// (count_orbits() says how many there are; here weights play no part). No range.
std::uint64_t list_orbits(const Input& input, const MatchingIdSink& sink, const ListOptions& options = {});

}  // namespace countpm
