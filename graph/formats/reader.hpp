#pragma once
// Inside the reading: one function a format, all of one shape. graph/read.cpp finds the bytes and the format
// and calls one.
//
// What every reader is given:
//   bytes    the whole text after decompression; gone once the reader returns (copy what must live longer)
//   name     for messages: InputError(name, line, expected, found)
//   options  as, weights, multi, loops; format has been settled
//   info     to count zeros, loops and parallel edges; GraphBuilder does so
// Empty input (no bytes at all) has been refused before. O(bytes) time.
#include <cstdint>
#include <string>
#include <string_view>

#include "graph/read_options.hpp"

namespace countpm {

// Longer texts of these formats are refused: what their readers make of them takes many times the memory.
inline constexpr std::uint64_t largest_dot = std::uint64_t{64} << 20U;
inline constexpr std::uint64_t largest_graphml = std::uint64_t{256} << 20U;
inline constexpr std::uint64_t largest_exchange = std::uint64_t{256} << 20U;  // GML, GEXF, JSON

/// What InputBytes::all() is told for the format: the longest line, and the longest text; 0: any.
std::uint64_t line_limit_of(Format format);
std::uint64_t size_limit_of(Format format);

Graph read_edge_list(std::string_view bytes, const std::string& name, const ReadOptions& options,
                     InputInfo& info);
Graph read_csv(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);
Graph read_matrix_market(std::string_view bytes, const std::string& name, const ReadOptions& options,
                         InputInfo& info);
Graph read_dense(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info);
Graph read_dimacs(std::string_view bytes, const std::string& name, const ReadOptions& options,
                  InputInfo& info);
Graph read_graph6(std::string_view bytes, const std::string& name, const ReadOptions& options,
                  InputInfo& info);
Graph read_digraph6(std::string_view bytes, const std::string& name, const ReadOptions& options,
                    InputInfo& info);
Graph read_sparse6(std::string_view bytes, const std::string& name, const ReadOptions& options,
                   InputInfo& info);
Graph read_graphml(std::string_view bytes, const std::string& name, const ReadOptions& options,
                   InputInfo& info);
/// mol and sdf: one molecule; of several the message says so.
Graph read_molfile(std::string_view bytes, const std::string& name, const ReadOptions& options,
                   InputInfo& info);
Graph read_xyz(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);
Graph read_planar_code(std::string_view bytes, const std::string& name, const ReadOptions& options,
                       InputInfo& info);
Graph read_vax(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);
Graph read_board(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info);
Graph read_hyper(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info);
/// Also "vertex: neighbours" and lines of a vertex alone; of directed graphs arcs from the first.
Graph read_adjacency_list(std::string_view bytes, const std::string& name, const ReadOptions& options,
                          InputInfo& info);
Graph read_metis(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info);
Graph read_tgf(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);
Graph read_npy(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);
Graph read_npz(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);
Graph read_gml(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);
Graph read_gexf(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);
Graph read_pajek(std::string_view bytes, const std::string& name, const ReadOptions& options,
                 InputInfo& info);
Graph read_json(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);
Graph read_dot(std::string_view bytes, const std::string& name, const ReadOptions& options, InputInfo& info);

}  // namespace countpm
