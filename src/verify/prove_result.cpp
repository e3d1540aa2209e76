#include "src/verify/prove_result.hpp"

#include <string_view>
#include <utility>

#include "graph/errors.hpp"
#include "src/input/with_graph.hpp"
#include "src/proof/count_proof.hpp"
#include "src/verify/conclusion.hpp"
#include "src/verify/second_count.hpp"
#include "src/verify/stored_result.hpp"

namespace countpm {
namespace {

std::string without_prefix(const std::string& lattice) {
  constexpr std::string_view prefix = "lattice:";
  return lattice.starts_with(prefix) ? lattice.substr(prefix.size()) : lattice;
}

/// As far as a proof looks at it.
CountResult number_of_result(const StoredResult& stored) {
  CountResult result;
  result.method = stored.method;
  result.polynomial = stored.polynomial;
  result.coefficients = stored.coefficients;
  if (!stored.polynomial) result.value = parse_rational(stored.count, stored.file);
  return result;
}

}  // namespace

std::string prove_result(const StoredResult& stored, const Source& source, const ReadOptions& read_options,
                         const CountOptions& options) {
  if (!stored.exact)
    throw UnableError("there is no proof of this: the count is in floating point", "count with --exact");
  ReadOptions reading = read_options;
  reading.hash = true;
  return with_graph(GraphQuestion::count, source, reading, options,
                    [&](Monitor& monitor, const ReadResult& read) {
                      monitor.throw_if_stopped();
                      const bool other_lattice =
                          read.info.lattice && without_prefix(stored.input) != without_prefix(read.info.path);
                      if (read.info.sha256 != stored.sha256 || other_lattice)
                        refuse_other_input(stored, source.name, read.info.sha256);
                      CountProof proof(read.graph, read.info, options, monitor);
                      proof.require_within_limits();
                      return proof.of(number_of_result(stored));
                    });
}

}  // namespace countpm
