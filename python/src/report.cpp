#include "python/src/report.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "graph/errors.hpp"
#include "python/src/graph.hpp"
#include "python/src/long_call.hpp"
#include "src/draw/structure.hpp"
#include "src/html/pages.hpp"
#include "src/watch/monitor.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

/// What the caller calls the vertices of a violator, its neighbours and its odd components.
using ViolatorNames =
    std::tuple<std::vector<std::string>, std::vector<std::string>, std::vector<std::vector<std::string>>>;

html::Fragment fragment_of(const CountResult& result, const PyReport&, const html::Beside& beside) {
  return html::count_fragment(result, beside);
}
html::Fragment fragment_of(const Explanation& result, const PyReport& report, const html::Beside& beside) {
  return html::explain_fragment(result, report.time_limit_seconds(), beside);
}
html::Fragment fragment_of(const EstimateResult& result, const PyReport&, const html::Beside& beside) {
  return html::estimate_fragment(result, beside);
}

draw::Picture drawn(const PyReport& report, const ReadResult& read) {
  if (std::holds_alternative<Explanation>(report.result()))
    return draw::draw_structure_matrix(read.graph, report.order(), read.info.path);
  return draw::draw_structure(read.graph, lattice_of(read), read.info.path);
}

/// Nothing where the graph has none.
std::optional<draw::Picture> picture_of(const PyReport& report, const PyGraph& graph) {
  if (graph.graph().edges.empty()) return std::nullopt;
  CountOptions options;
  LongCall call((nb::none()));
  call.watch(options);
  return call.run([&]() -> std::optional<draw::Picture> {
    Monitor monitor(options);
    return monitor.explained([&]() -> std::optional<draw::Picture> {
      monitor.enter("drawing the graph");
      try {
        return drawn(report, graph.read());
      } catch (const UnableError&) {
        return std::nullopt;
      }
    });
  });
}

std::string page(const PyReport& report, const PyGraph* graph, const std::optional<ViolatorNames>& names,
                 const std::vector<std::string>& notes) {
  const std::optional<draw::Picture> picture = graph == nullptr ? std::nullopt : picture_of(report, *graph);
  html::Beside beside;
  beside.picture = picture ? &*picture : nullptr;
  return std::visit(
      [&](auto result) {
        if (result.violator && names) {
          ViolatorReport& violator = *result.violator;
          std::tie(violator.vertices, violator.neighbours, violator.odd_components) = *names;
        }
        result.notes.insert(result.notes.begin(), notes.begin(), notes.end());
        return fragment_of(result, report, beside).body;
      },
      report.result());
}

}  // namespace

void bind_report(nb::module_& module) {
  nb::class_<PyReport>(module, "Report", "A result, kept for its page.")
      .def("page", page, nb::arg("graph").none(), nb::arg("violator") = nb::none(),
           nb::arg("notes") = std::vector<std::string>(),
           "HTML as --html writes it, without what is around the <article>; with a picture of `graph`, and "
           "`notes` before the result's own.");
}

}  // namespace countpm::python
