#include "python/src/graph.hpp"

#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>

#include "graph/kinds/repeat_lines.hpp"
#include "graph/letters.hpp"
#include "python/src/arrays.hpp"
#include "python/src/errors.hpp"
#include "python/src/long_call.hpp"
#include "python/src/options.hpp"
#include "python/src/values.hpp"
#include "src/library/countpm.hpp"
#include "src/library/matrices.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

PyGraph from_edges(const std::string& kind, std::uint64_t left, std::uint64_t right, nb::handle tails,
                   nb::handle heads, nb::handle weights, const std::string& name) {
  const Array from(tails, "tails");
  const Array to(heads, "heads");
  const WeightList values(weights);
  EdgeView view;
  view.kind = kind_named(kind);
  view.left = left;
  view.right = right;
  view.from = from.indices();
  view.to = to.indices();
  view.weights = values.view();
  view.name = name;
  return PyGraph(read_view(view));
}

PyGraph from_csr(const std::string& kind, std::uint64_t rows, std::uint64_t columns, nb::handle row_start,
                 nb::handle column, nb::handle weights, const std::string& name, const std::string& loops) {
  const GraphKind wanted = kind_named(kind);
  const LoopPolicy policy = loops_named(loops);
  const Array starts(row_start, "row_start");
  const Array columns_of(column, "column");
  const WeightList values(weights);
  SparseView view;
  view.rows = rows;
  view.columns = columns;
  view.row_start = starts.indices();
  view.column = columns_of.indices();
  view.weights = values.view();
  view.name = name;
  ReadResult read = read_view(view);
  if (wanted == GraphKind::undirected) read = symmetric_graph(std::move(read), policy);
  if (wanted == GraphKind::directed) read = adjacency_graph(std::move(read));
  return PyGraph(std::move(read));
}

PyGraph read_source(Source source, const Reading& reading) {
  const ReadOptions options = read_options(reading);
  LongCall call((nb::none()));
  Options limits;
  limits.time_limit_seconds = std::numeric_limits<double>::infinity();
  call.watch(limits);
  const Input input(std::move(source), options);
  ReadResult result = call.run([&] {
    ReadResult read = read_input(input, limits);
    if (read.graph.covers)
      throw UsageError(fmt::format(
          "{}: a list of sets is no graph (exact_covers() takes sets; the command line reads files of them)",
          quoted(read.info.path)));
    return read;
  });
  warn(result.info.warnings);
  return PyGraph(std::move(result));
}

PyGraph read_argument(const std::string& argument, std::optional<std::string> format,
                      std::optional<std::string> kind, bool symmetric, bool weights, std::string multi,
                      std::string loops, std::vector<std::string> remove,
                      std::optional<std::string> first_line, std::string ends, std::string weight_column,
                      std::string embedding) {
  return read_source(Source::from_argument(argument),
                     {std::move(format), std::move(kind), symmetric, weights, std::move(multi),
                      std::move(loops), std::move(remove), std::move(first_line), std::move(ends),
                      std::move(weight_column), std::move(embedding)});
}

PyGraph from_bytes(const nb::bytes& data, const std::string& name, std::optional<std::string> format,
                   std::optional<std::string> kind, bool symmetric, bool weights, std::string multi,
                   std::string loops, std::vector<std::string> remove, std::optional<std::string> first_line,
                   std::string ends, std::string weight_column, std::string embedding) {
  return read_source(Source::from_bytes(std::string(data.c_str(), data.size()), name),
                     {std::move(format), std::move(kind), symmetric, weights, std::move(multi),
                      std::move(loops), std::move(remove), std::move(first_line), std::move(ends),
                      std::move(weight_column), std::move(embedding)});
}

using Copies = std::optional<std::vector<Index>>;

PyGraph repeated(const PyGraph& graph, const Copies& rows, const Copies& columns, bool may_differ) {
  ReadResult read = graph.read();
  repeat_lines(read.graph, rows, columns, read.info.path, may_differ);
  read.info.lines_repeated = true;
  return PyGraph(std::move(read));
}

PyGraph exactly(const PyGraph& graph) {
  ReadResult read = graph.read();
  count_exactly(read);
  return PyGraph(std::move(read));
}

/// Labels may be any bytes: those that are no UTF-8 come as Python has them in file names.
nb::list labels(const LabelTable& table) {
  nb::list result;
  for (Index id = 0; id < table.size(); ++id) {
    const std::string label = table.label(id);
    nb::object text = nb::steal(
        PyUnicode_DecodeUTF8(label.data(), static_cast<Py_ssize_t>(label.size()), "surrogateescape"));
    if (!text.is_valid()) throw nb::python_error();
    result.append(std::move(text));
  }
  return result;
}

nb::tuple edge_arrays(const PyGraph& graph) {
  std::vector<Index> tails;
  std::vector<Index> heads;
  for (const Edge& edge : graph.graph().edges) {
    tails.push_back(edge.from);
    heads.push_back(edge.to);
  }
  return nb::make_tuple(nb::bytes(tails.data(), tails.size() * sizeof(Index)),
                        nb::bytes(heads.data(), heads.size() * sizeof(Index)));
}

double to_double(const mpq_class& value) {
  return nearest_double(mpz_class(value.get_num()), mpz_class(value.get_den()));
}

nb::object number(std::int64_t value, WeightKind kind) {
  if (kind == WeightKind::real) return nb::float_(static_cast<double>(value));
  return nb::int_(value);
}

nb::object number(const mpq_class& value, WeightKind kind) {
  if (kind == WeightKind::real) return nb::float_(to_double(value));
  if (value.get_den() == 1) return to_python(mpz_class(value.get_num()));
  return to_python(value);
}

nb::object number(const ComplexRational& value, WeightKind) {
  nb::object result = nb::steal(PyComplex_FromDoubles(to_double(value.re), to_double(value.im)));
  if (!result.is_valid()) throw nb::python_error();
  return result;
}

/// None where every edge counts 1.
nb::object weights_list(const PyGraph& python_graph) {
  const Graph& graph = python_graph.graph();
  if (graph.letters) {
    nb::list texts;
    const auto* places = std::get_if<std::vector<std::int64_t>>(&graph.values);
    for (std::size_t k = 0; k < graph.edges.size(); ++k) {
      const std::size_t place = places == nullptr ? 1 : static_cast<std::size_t>((*places)[k]);
      texts.append(text_of(graph.letters->weight[place], graph.letters->letters));
    }
    return texts;
  }
  return std::visit(
      [&](const auto& values) -> nb::object {
        using List = std::decay_t<decltype(values)>;
        if constexpr (std::is_same_v<List, std::monostate>) {
          if (graph.weight_kind == WeightKind::none) return nb::none();
          nb::list ones;
          for (std::size_t k = 0; k < graph.edges.size(); ++k)
            ones.append(number(std::int64_t{1}, graph.weight_kind));
          return ones;
        } else {
          nb::list list;
          for (const auto& value : values) list.append(number(value, graph.weight_kind));
          return list;
        }
      },
      graph.values);
}

}  // namespace

std::optional<std::string> lattice_of(const ReadResult& read) {
  if (!read.info.lattice || read.graph.kind != GraphKind::undirected) return std::nullopt;
  return read.info.path;
}

void bind_graph(nb::module_& module) {
  nb::class_<PyGraph>(module, "Graph", "A graph in memory, checked when it is made, and never changed.")
      .def_static("from_edges", from_edges, nb::arg("kind"), nb::arg("left"), nb::arg("right"),
                  nb::arg("tails"), nb::arg("heads"), nb::arg("weights").none() = nb::none(),
                  nb::arg("name") = "<graph>",
                  "Of arrays of the edges' ends, numbered from 0. A weight of 0 is no edge.")
      .def_static("from_csr", from_csr, nb::arg("kind"), nb::arg("rows"), nb::arg("columns"),
                  nb::arg("row_start"), nb::arg("column"), nb::arg("weights").none() = nb::none(),
                  nb::arg("name") = "<matrix>", nb::arg("loops") = "reject",
                  "Of a matrix in compressed sparse rows; undirected: a symmetric one, whose diagonal "
                  "`loops` rejects or drops.")
      .def_static("read", read_argument, nb::arg("argument"), nb::kw_only(), nb::arg("format") = nb::none(),
                  nb::arg("kind") = nb::none(), nb::arg("symmetric") = false, nb::arg("weights") = false,
                  nb::arg("multi") = "reject", nb::arg("loops") = "reject",
                  nb::arg("remove") = std::vector<std::string>(), nb::arg("first_line") = nb::none(),
                  nb::arg("ends") = "", nb::arg("weight_column") = "", nb::arg("embedding") = "",
                  "A file, or 'lattice:...'.")
      .def_static("from_bytes", from_bytes, nb::arg("data"), nb::arg("name") = "<memory>", nb::kw_only(),
                  nb::arg("format") = nb::none(), nb::arg("kind") = nb::none(), nb::arg("symmetric") = false,
                  nb::arg("weights") = false, nb::arg("multi") = "reject", nb::arg("loops") = "reject",
                  nb::arg("remove") = std::vector<std::string>(), nb::arg("first_line") = nb::none(),
                  nb::arg("ends") = "", nb::arg("weight_column") = "", nb::arg("embedding") = "",
                  "What a file would hold.")
      .def("repeated", repeated, nb::arg("rows").none(), nb::arg("columns").none(),
           nb::arg("may_differ") = false,
           "A matrix with row i rows[i] times and column j columns[j] times; None: each once.")
      .def("exactly", exactly, "Decimals and complex numbers as the exact numbers that they are.")
      .def_prop_ro("complex", [](const PyGraph& g) { return g.graph().weight_kind == WeightKind::complex; })
      .def_prop_ro("kind", [](const PyGraph& g) { return std::string(name_of(g.graph().kind)); })
      .def_prop_ro("left", [](const PyGraph& g) { return g.graph().left_labels.size(); })
      .def_prop_ro("right", [](const PyGraph& g) { return g.graph().right_labels.size(); })
      .def_prop_ro("edges", [](const PyGraph& g) { return g.graph().edges.size(); })
      .def_prop_ro("zeros_dropped", [](const PyGraph& g) { return g.read().info.zeros_dropped; })
      .def_prop_ro("weighted", [](const PyGraph& g) { return g.graph().weight_kind != WeightKind::none; })
      .def(
          "left_labels", [](const PyGraph& g) { return labels(g.graph().left_labels); },
          nb::sig("def left_labels(self) -> list[str]"))
      .def(
          "right_labels", [](const PyGraph& g) { return labels(g.graph().right_labels); },
          nb::sig("def right_labels(self) -> list[str]"))
      .def("edge_arrays", edge_arrays, nb::sig("def edge_arrays(self) -> tuple[bytes, bytes]"),
           "The ends of all edges, as uint32.")
      .def("weights_list", weights_list,
           nb::sig(
               "def weights_list(self) -> list[int | float | complex | tuple[int, int]] | list[str] | None"),
           "Beside the edges; None where every edge counts 1.");
}

}  // namespace countpm::python
