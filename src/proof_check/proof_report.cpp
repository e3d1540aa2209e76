#include "src/proof_check/proof_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "graph/errors.hpp"
#include "src/proof_check/proof_check.hpp"
#include "src/proof_check/refused.hpp"
#include "src/watch/monitor.hpp"

namespace countpm {
namespace {

using proof_check::ProofFile;

void describe(const ProofFile& proof, ProofReport& report) {
  const proof_check::Statement& statement = proof.statement;
  report.count = statement.count;
  report.vertices = statement.vertices;
  report.edges = statement.edges.size();
  report.sets = statement.sets.size();
  report.monomers = statement.has_monomers();
  report.weighted = proof.weighted();
  // No part of what is proved: it is a matrix where the edges say so, too.
  const proof_check::StrictJson* const rows = proof.json.find("rows");
  if (rows == nullptr || rows->kind != proof_check::StrictJson::Kind::integer || rows->integer < 0 ||
      rows->integer > std::int64_t{statement.vertices} || !statement.sets.empty())
    return;
  const auto m = static_cast<std::uint32_t>(rows->integer);
  const auto joins = [&](const proof_check::Piece& edge) {
    return edge.vertices[0] < m && edge.vertices[1] >= m;
  };
  if (!std::all_of(statement.edges.begin(), statement.edges.end(), joins)) return;
  report.rows = m;
  const std::uint32_t columns = statement.vertices - m;
  report.rectangle = m != columns;
  for (std::uint32_t v = 0; v < statement.vertices; ++v)
    report.rectangle = report.rectangle && statement.monomers[v] == ((v < m) == (m > columns) ? "1" : "0");
}

/// Compares with the input, read in every way in which it may be the graph of the proof. Where it is not, the
/// last one of these to be read says why. What of the statement the input does not say, and whether it has
/// values that were not compared.
std::pair<std::string, bool> compare_with(const ProofFile& proof, const Source& input, ReadOptions options) {
  options.weights = options.weights || proof.weighted();
  options.letters = true;
  std::vector<ReadOptions> readings{options};
  if (!options.kind && input.kind != Source::Kind::standard_input) {
    if (proof.of_matrix()) {
      for (const GraphKind kind : {GraphKind::directed, GraphKind::bipartite}) {
        readings.push_back(options);
        readings.back().kind = kind;
      }
    } else {
      readings.push_back(options);
      readings.back().kind = GraphKind::undirected;
      if (proof.statement.has_monomers()) {
        readings.push_back(options);
        readings.back().loops = LoopPolicy::monomer;
      }
    }
  }
  std::exception_ptr unread, refused;
  for (const ReadOptions& reading : readings) {
    try {
      const ReadResult read = read_graph(input, reading);
      return {proof_check::require_same_graph(proof, read.graph), read.info.values_unused > 0};
    } catch (const proof_check::Refused&) {
      refused = std::current_exception();
    } catch (const Error&) {
      if (!unread) unread = std::current_exception();
    }
  }
  std::rethrow_exception(refused ? refused : unread);
}

ProofReport checked(const std::string& file, const std::string& bytes, const std::optional<Source>& input,
                    const ReadOptions& options) {
  ProofReport report;
  report.file = file;
  try {
    const ProofFile proof = proof_check::read_proof(bytes);
    describe(proof, report);
    const proof_check::ProofFindings findings = proof_check::check_proof(proof);
    report.planar = findings.planar;
    report.rounds = findings.rounds;
    report.prime = findings.prime;
    if (input) {
      report.input = input->name;
      bool values = false;
      std::tie(report.not_compared, values) = compare_with(proof, *input, options);
      if (report.rows && 2 * std::uint64_t{*report.rows} != report.vertices && !report.rectangle)
        throw proof_check::Refused(
            "a matrix has more lines on one side, and the proof is not of its rectangle: these have no "
            "monomers of weight 1");
      if (report.rectangle && report.not_compared == "monomers")
        report.not_compared.clear();  // its shape says them
      if (values) report.not_compared += report.not_compared.empty() ? "values" : " and values";
    }
    report.proved = true;
  } catch (const proof_check::Refused& refused) {
    report.reason = refused.what();
  }
  return report;
}

}  // namespace

std::string ProofReport::statement() const {
  if (rows && (rectangle || (!monomers && 2 * std::uint64_t{*rows} == vertices)))
    return fmt::format("permanent of a {} x {} matrix with {} entries", *rows, vertices - *rows, edges);
  const char* const what = sets != 0 ? "exact covers" : monomers ? "all matchings" : "perfect matchings";
  std::string text = fmt::format("{}{} of a graph with {} vertices and {} edges",
                                 weighted ? "weights summed over " : "", what, vertices, edges);
  if (sets != 0) text += fmt::format(", and {} sets", sets);
  return text;
}

bool seems_proof(const std::string& bytes) {
  return proof_check::seems_proof(bytes);
}

ProofReport check_proof_file(const std::string& file, const std::string& bytes,
                             const std::optional<Source>& input, const ReadOptions& options,
                             const CountOptions& watched) {
  Monitor monitor(watched);
  return monitor.explained([&] { return checked(file, bytes, input, options); });
}

}  // namespace countpm
