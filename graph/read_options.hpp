#pragma once
// What may be asked of reading a graph, and what is known of one that was read.
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"
#include "graph/kinds/degrees.hpp"
#include "graph/kinds/ground_states.hpp"

namespace countpm {

struct MoleculeInput;  // graph/molecules/pi_system.hpp

enum class Format {
  edge_list,
  csv,
  matrix_market,
  dimacs,
  dense,
  graph6,
  digraph6,
  sparse6,
  graphml,
  dot,
  mol,
  sdf,
  xyz,
  planar_code,
  vax,
  board,
  hyper,
  metis,
  adjacency_list,
  tgf,
  npy,
  npz,
  gml,
  gexf,
  pajek,
  json
};

/// What said which format a file is in: --format, the ending of its name, or its first lines.
enum class FormatBy { option, ending, content };

/// All formats with their names for --format ("edgelist", "mtx", "dimacs", "dense", "graph6", ...), endings
/// and a line of help.
struct FormatInfo {
  Format format;
  std::string_view name;
  std::vector<std::string_view> endings;
  std::string_view help;
};
const std::vector<FormatInfo>& formats();
const char* name_of(Format format);
/// The format of that name; UsageError listing the valid ones where there is none.
Format format_named(std::string_view name);

/// Where a graph comes from: a file's path, "-" (standard input), "lattice:..." (graph/lattices/lattice.hpp),
/// or bytes in memory.
struct Source {
  enum class Kind { file, standard_input, lattice, memory };
  Kind kind = Kind::memory;
  std::string name;   // path, "<stdin>", the lattice spec, or a name for messages
  std::string bytes;  // memory only

  /// Tells the kinds apart by the argument's text, as the command line does.
  static Source from_argument(const std::string& argument);
  static Source from_bytes(std::string bytes, std::string name = "<memory>");
};

/// first: parallel edges are one edge listed several times, and must have one weight.
enum class MultiPolicy { reject, sum, first };
/// Of tables of words: what the first line is. automatic: told from the others, or asked for.
enum class FirstLine { automatic, edge, header };
/// Of undirected graphs only: in a directed graph a loop is a cycle of length 1. monomer: the vertex may stay
/// alone, and then counts by the loop's weight.
enum class LoopPolicy { reject, drop, monomer };

struct ReadOptions {
  /// Unset: by the ending, checked against the content; of a name without an ending, and of standard input,
  /// by content.
  std::optional<Format> format;
  FormatBy format_by = FormatBy::option;  // what has said so, for messages
  std::optional<GraphKind> kind;          // unset: what the format says; undirected for an edge list
  bool symmetric = false;  // with kind == directed, for undirected input: every edge is an arc each way
  /// Unset: values in files are checked and then ignored, but an explicit zero is no edge. The weights of a
  /// lattice spec count all the same.
  bool weights = false;
  MultiPolicy multi = MultiPolicy::reject;
  FirstLine first_line = FirstLine::automatic;
  /// Of tables: which columns hold the ends of edges, "A,B", and their weight; by name or number from 1. Of
  /// GraphML, DOT, GML, GEXF, Pajek and JSON: the attribute of edges that is the weight. Empty: told from the
  /// text. A weight column stands for `weights`, too.
  std::string end_columns;
  std::string weight_column;
  /// Told at once of everything in InputInfo::warnings. May be called from several threads.
  std::function<void(const std::string& warning)> warn;
  bool strict = false;  // a warning is an error
  LoopPolicy loops = LoopPolicy::reject;
  std::vector<std::string> remove;  // vertices that are taken away (graph/kinds/remove_vertices.hpp)
  /// The weight of a vertex that stays alone (graph/kinds/monomers.hpp), of those without a loop; "t": a
  /// letter. Empty: only vertices with a loop may, under LoopPolicy::monomer.
  std::string monomers;
  /// Only the perfect matchings whose weights, added up, are least or largest
  /// (graph/kinds/ground_states.hpp). An explicit weight of 0 is one like others then, and an edge. Weights
  /// count as with `weights`.
  std::optional<Extremum> ground_state;
  /// How many edges are to meet at every vertex (graph/kinds/degrees.hpp); empty: one, as of perfect
  /// matchings.
  std::optional<Index> degree;
  std::vector<VertexDegree> vertex_degrees;  // with it: of single vertices, after those that the file names
  /// Lengths of rings (graph/kinds/rings.hpp) that cover vertices beside edges (graph/kinds/tiles.hpp), and
  /// the weight of a ring. Weight empty or "x": a letter.
  std::vector<std::uint32_t> rings;
  std::string ring_weight;
  std::vector<std::string> at;  // "x=1/2": what letters in weights stand for (graph/letters.hpp)
  bool letters = false;         // weights may have other letters, too; else they are an error
  /// A file with the rotation system of the graph (graph/formats/read_rotations.hpp); empty: none. Vertices
  /// that `remove` takes away are in it.
  std::string embedding;
  /// How often each row (left vertex, tail) and each column stands in the matrix, 0: not at all
  /// (graph/kinds/repeat_lines.hpp). Unset: each once.
  std::optional<std::vector<Index>> rows;
  std::optional<std::vector<Index>> columns;
  bool exact = false;  // decimals and complex numbers count as the exact numbers that they spell
  bool hash = false;   // compute InputInfo::sha256
};

/// The surface that a graph is drawn on, by a rotation system that was given.
struct DrawnOn {
  std::string file;  // of ReadOptions::embedding; empty: the input itself says it
  bool orientable = true;
  std::uint64_t genus = 0;  // handles; of a surface that is not orientable crosscaps
  std::uint64_t faces = 0;
};

/// What was read, for reports.
struct InputInfo {
  std::string path;
  Format format = Format::edge_list;
  FormatBy format_by = FormatBy::content;
  bool gzip = false;
  bool lattice = false;
  bool memory = false;      // a graph in memory; `format` then says whether it is a matrix
  std::uint64_t bytes = 0;  // after decompression
  std::string sha256;       // of the bytes as stored, lower-case hexadecimal; empty where not asked for
  std::uint64_t zeros_dropped = 0;
  std::uint64_t loops_dropped = 0;
  std::uint64_t parallel_summed = 0;
  std::uint64_t repeats_merged = 0;    // edges listed again, in one direction or in both
  std::uint64_t vertices_removed = 0;  // by ReadOptions::remove
  std::uint64_t values_unused = 0;  // values other than 1 (and 0) that count 1, without ReadOptions::weights
  std::string letters;              // in weights, also those of ReadOptions::at
  bool lines_repeated = false;      // by ReadOptions::rows and ReadOptions::columns
  bool exact = false;               // complex weights are summed exactly (ReadOptions::exact)
  bool weighted = false;            // the sum is of products of weights; of a lattice: with weights=
  /// What was assumed in reading, as sentences: a header, a matrix stored as symmetric that is rows x
  /// columns, which atoms take part.
  std::vector<std::string> assumptions;
  /// What was taken in one way where another would make the number another one: a line passed over, columns
  /// and values that are not used, arcs that count as edges.
  std::vector<std::string> warnings;
  std::optional<GroundStates> ground_states;  // by ReadOptions::ground_state
  std::optional<Degrees> degrees;             // by ReadOptions::degree
  std::optional<DrawnOn> drawn_on;            // before anything is removed
  std::vector<VertexDegree> vertex_degrees;   // of an edge list: '#! vertex LABEL degree F'
  /// Of mol, sdf and xyz: the whole molecule, and which of its atoms are vertices; null for all others.
  std::shared_ptr<const MoleculeInput> molecule;
};

}  // namespace countpm
