#include "graph/read.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "graph/errors.hpp"
#include "graph/formats/foreign_formats.hpp"
#include "graph/formats/formats.hpp"
#include "graph/formats/input_bytes.hpp"
#include "graph/formats/other_partings.hpp"
#include "graph/formats/read_rotations.hpp"
#include "graph/formats/read_table.hpp"
#include "graph/formats/reader.hpp"
#include "graph/formats/text_encoding.hpp"
#include "graph/formats/told_counts.hpp"
#include "graph/formats/unclear_labels.hpp"
#include "graph/graph_builder.hpp"
#include "graph/kinds/monomers.hpp"
#include "graph/kinds/remove_vertices.hpp"
#include "graph/kinds/repeat_lines.hpp"
#include "graph/kinds/tiles.hpp"
#include "graph/lattices/lattice.hpp"
#include "graph/letters.hpp"
#include "graph/molecules/pi_system.hpp"
#include "graph/text.hpp"
#include "graph/validate.hpp"

namespace countpm {

Source Source::from_argument(const std::string& argument) {
  Source source;
  source.name = argument;
  if (argument == "-") {
    source.kind = Kind::standard_input;
    source.name = "<stdin>";
  } else if (argument.starts_with("lattice:")) {
    source.kind = Kind::lattice;
  } else {
    source.kind = Kind::file;
  }
  return source;
}

Source Source::from_bytes(std::string bytes, std::string name) {
  return Source{Kind::memory, std::move(name), std::move(bytes)};
}

// graph6, sparse6, DOT, GraphML, JSON and others may put a whole graph on a line.
std::uint64_t line_limit_of(Format format) {
  switch (format) {
    case Format::edge_list:
    case Format::csv:
    case Format::matrix_market:
    case Format::dimacs:
    case Format::hyper:
    case Format::metis:
    case Format::adjacency_list:
    case Format::tgf:
      return text_line_limit;
    default:
      return 0;
  }
}

std::uint64_t size_limit_of(Format format) {
  switch (format) {
    case Format::dot:
      return largest_dot;
    case Format::graphml:
      return largest_graphml;
    case Format::gml:
    case Format::gexf:
    case Format::json:
      return largest_exchange;
    default:
      return 0;
  }
}

namespace {

Graph read_as(Format format, std::string_view bytes, const std::string& name, const ReadOptions& options,
              InputInfo& info) {
  switch (format) {
    case Format::edge_list:
      return read_edge_list(bytes, name, options, info);
    case Format::csv:
      return read_csv(bytes, name, options, info);
    case Format::matrix_market:
      return read_matrix_market(bytes, name, options, info);
    case Format::dimacs:
      return read_dimacs(bytes, name, options, info);
    case Format::dense:
      return read_dense(bytes, name, options, info);
    case Format::graph6:
      return read_graph6(bytes, name, options, info);
    case Format::digraph6:
      return read_digraph6(bytes, name, options, info);
    case Format::sparse6:
      return read_sparse6(bytes, name, options, info);
    case Format::graphml:
      return read_graphml(bytes, name, options, info);
    case Format::dot:
      return read_dot(bytes, name, options, info);
    case Format::mol:
    case Format::sdf:
      return read_molfile(bytes, name, options, info);
    case Format::xyz:
      return read_xyz(bytes, name, options, info);
    case Format::planar_code:
      return read_planar_code(bytes, name, options, info);
    case Format::vax:
      return read_vax(bytes, name, options, info);
    case Format::board:
      return read_board(bytes, name, options, info);
    case Format::hyper:
      return read_hyper(bytes, name, options, info);
    case Format::metis:
      return read_metis(bytes, name, options, info);
    case Format::adjacency_list:
      return read_adjacency_list(bytes, name, options, info);
    case Format::tgf:
      return read_tgf(bytes, name, options, info);
    case Format::npy:
      return read_npy(bytes, name, options, info);
    case Format::npz:
      return read_npz(bytes, name, options, info);
    case Format::gml:
      return read_gml(bytes, name, options, info);
    case Format::gexf:
      return read_gexf(bytes, name, options, info);
    case Format::pajek:
      return read_pajek(bytes, name, options, info);
    case Format::json:
      return read_json(bytes, name, options, info);
  }
  throw Error("read_graph: no such format");
}

ReadResult read_lattice(const Source& source, const ReadOptions& options) {
  if (options.format) throw UsageError("--format does not fit a lattice: it has no file");
  ReadResult result;
  result.info.path = source.name;
  result.info.lattice = true;
  result.graph = convert_graph(lattice_graph(source.name, nullptr, LetterValues(options.at),
                                             &result.info.letters, options.ground_state.has_value()),
                               source.name, options, result.info);
  return result;
}

bool is_numpy(std::optional<Format> format) {
  return format == Format::npy || format == Format::npz;
}

/// The byte order mark of UTF-8, which Windows' programs write, is no text.
std::string_view without_mark(std::string_view bytes) {
  if (bytes.starts_with("\xef\xbb\xbf")) bytes.remove_prefix(3);
  return bytes;
}

/// The text in UTF-8 with line feeds; empty where it is so already.
std::string recoded_text(InputBytes& input, const std::string& name, InputInfo& info) {
  const std::string_view head = input.head();
  if (!needs_recoding(head)) return {};
  bool mixed = false;
  std::string text = recoded(input.all(0, largest_recoded), name, mixed);
  if (mixed)
    info.warnings.push_back(fmt::format(
        "{}: some lines end in a carriage return alone, others in a line feed: both were taken for ends",
        quoted(name, 400)));
  return text;
}

ReadResult read_bytes(const Source& source, const ReadOptions& options) {
  ReadResult result;
  InputInfo& info = result.info;
  info.path = source.name;
  InputBytes input(source, options.hash);
  std::string_view head = input.head();
  info.gzip = input.gzip();
  if (head.empty()) throw InputError(source.name, 0, "a graph", "an empty file");
  if (!is_numpy(options.format ? options.format : guess_format(head).format))
    refuse_binary(source.name, source.kind == Source::Kind::standard_input, head);
  const std::string other_code = recoded_text(input, source.name, info);
  if (!other_code.empty()) head = other_code;
  head = without_mark(head);
  refuse_foreign_text(source.name, head, options.format ? options.format : format_by_ending(source.name));
  const TableGuess table = guess_table_of(source.name, head, options);
  if (table.may_be && !options.format) refuse_smiles(source.name, head);
  SettledFormat settled =
      table.may_be ? SettledFormat{table.format, table.by} : settle_format(source.name, head, options.format);
  if (options.format) settled.by = options.format_by;
  info.format = settled.format;
  info.format_by = settled.by;
  const std::string_view all = !other_code.empty()
                                   ? std::string_view(other_code)
                                   : input.all(line_limit_of(info.format), size_limit_of(info.format));
  const std::string_view bytes = without_mark(all);
  info.bytes = all.size();
  info.sha256 = input.sha256();
  const auto as_said = [&](const auto& read) {
    try {
      return read();
    } catch (NoPiSystem& none) {
      none.keep(info);
      throw;
    } catch (const InputError& error) {
      throw FormatError(error, settled);
    } catch (const std::length_error&) {
      throw InputError(source.name, 0, "at most 4294967294 vertices", "more");
    }
  };
  const auto look_again = [&] {
    if (info.format != Format::edge_list && info.format != Format::csv) return;
    warn_of_counts_in_comments(bytes, result.graph, info);
    as_said([&] { tell_of_other_partings(bytes, result.graph, options, info); });
  };
  if (table.may_be) {
    std::optional<Graph> graph = as_said([&] { return read_table(bytes, source.name, options, info); });
    if (graph) {
      result.graph = *std::move(graph);
      look_again();
      return result;
    }
    settled = settle_format(source.name, bytes.substr(0, table_head), options.format);
    if (options.format) settled.by = options.format_by;
    info.format = settled.format;
    info.format_by = settled.by;
  }
  result.graph = as_said([&] { return read_as(info.format, bytes, source.name, options, info); });
  look_again();
  return result;
}

bool joins_numbers(const Graph& graph) {
  const LabelTable& labels = graph.left_labels;
  for (Index id = 0; id < labels.size(); ++id) {
    if (!parse_number(labels.label(id))) return false;
  }
  return true;
}

void warn_of_unused(const ReadOptions& options, const Graph& graph, InputInfo& info) {
  const bool of_lines = info.format == Format::edge_list || info.format == Format::csv;
  // Of matrices zeros are plain.
  if (info.zeros_dropped > 0 && of_lines) {
    const std::string lines =
        info.zeros_dropped == 1 ? "a line has" : fmt::format("{} lines have", info.zeros_dropped);
    if (!options.weights) {
      info.warnings.push_back(fmt::format("{}: {} the value 0, which is no edge, without --weights too",
                                          quoted(info.path, 400), lines));
    } else if (!options.ground_state && info.format_by != FormatBy::option && joins_numbers(graph)) {
      info.warnings.push_back(fmt::format(
          "{}: {} the value 0, which is no edge: if the lines are rows of a matrix, --format dense reads "
          "them",
          quoted(info.path, 400), lines));
    }
  }
  if (info.values_unused == 0) return;
  info.warnings.push_back(
      fmt::format("{}: the input has {} other than 1, which {} not used: without --weights every {} counts 1",
                  quoted(info.path, 400),
                  info.values_unused == 1 ? "a value" : fmt::format("{} values", info.values_unused),
                  info.values_unused == 1 ? "is" : "are", info.format == Format::hyper ? "set" : "edge"));
}

void tell_warnings(const ReadOptions& options, const InputInfo& info) {
  if (options.strict && !info.warnings.empty())
    throw InputError(info.path, 0, "an input that has one reading, as --strict says", info.warnings.front());
  if (!options.warn) return;
  for (const std::string& warning : info.warnings) options.warn(warning);
}

void check_together(const ReadOptions& options) {
  if (!options.rings.empty() && (options.ground_state || options.degree))
    throw UsageError(
        "--rings is about covers by edges and rings, which neither --ground-state nor --degree knows");
  if (!options.embedding.empty() && (options.degree || options.rows || options.columns ||
                                     !options.rings.empty() || !options.monomers.empty()))
    throw UsageError(
        "--embedding is about perfect matchings of the graph as it is: neither --degree nor --monomers, "
        "--rings, "
        "--rows, --cols or --copies");
  if (options.degree && (options.rows || options.columns))
    throw UsageError(
        "--degree and --rows or --cols: a vertex has copies in one way at a time; leave one out");
  if (!options.ground_state) return;
  if (options.multi == MultiPolicy::sum)
    throw UsageError(
        "--multi sum adds up the weights of parallel edges, and of these a matching has one: --ground-state "
        "needs each edge once");
  if (options.degree)
    throw UsageError(
        "--ground-state is about perfect matchings, and --degree about other sets of edges: leave one out");
}

}  // namespace

void count_exactly(ReadResult& read) {
  if (read.graph.weight_kind == WeightKind::real) read.graph.weight_kind = WeightKind::rational;
  read.info.exact = read.graph.weight_kind == WeightKind::complex;
}

ReadResult read_graph(const Source& source, const ReadOptions& given) {
  validate(source, given);
  check_together(given);
  ReadOptions options = given;
  options.weights = options.weights || options.ground_state;
  const LetterValues at(options.at);
  ReadResult result =
      source.kind == Source::Kind::lattice ? read_lattice(source, options) : read_bytes(source, options);
  if (source.kind != Source::Kind::lattice) warn_of_unclear_labels(result.graph, result.info);
  warn_of_unused(options, result.graph, result.info);
  tell_warnings(options, result.info);
  at.require_all_used(result.info.letters, source.name);
  if (!options.letters) refuse_letters(result.graph, source.name);
  if (!options.embedding.empty()) read_rotations(options.embedding, result.graph, result.info);
  result.info.vertices_removed = remove_vertices(result.graph, options.remove, source.name);
  if (options.rows || options.columns) {
    repeat_rows_and_columns(result.graph, options.rows, options.columns, options.loops == LoopPolicy::monomer,
                            source.name);
    result.info.lines_repeated = true;
  }
  if (options.exact) count_exactly(result);  // polynomials ask for exact weights
  add_monomers(result.graph, options.monomers, options.loops == LoopPolicy::monomer, source.name);
  if (options.degree) {
    std::vector<VertexDegree> named = result.info.vertex_degrees;
    named.insert(named.end(), options.vertex_degrees.begin(), options.vertex_degrees.end());
    result.info.degrees = make_factors_matchings(result.graph, *options.degree, named, source.name);
  }
  if (options.ground_state)
    result.info.ground_states = keep_ground_states(result.graph, *options.ground_state);
  add_rings(result.graph, options.rings, options.ring_weight, source.name);
  if (options.exact) count_exactly(result);  // what was added
  if (!result.graph.rotations) result.info.drawn_on.reset();
  result.info.weighted = result.graph.weight_kind != WeightKind::none;
  return result;
}

}  // namespace countpm
