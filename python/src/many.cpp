#include "python/src/many.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "graph/formats/graph_entries.hpp"
#include "python/src/errors.hpp"
#include "python/src/graph.hpp"
#include "python/src/long_call.hpp"
#include "python/src/options.hpp"
#include "python/src/report.hpp"
#include "python/src/values.hpp"
#include "src/count/small_value.hpp"
#include "src/input/report.hpp"
#include "src/library/countpm.hpp"
#include "src/report/json_text.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

/// A source that may hold many graphs, some of them at a time.
class GraphReader {
 public:
  GraphReader(Source source, const Reading& reading)
      : options_(read_options(reading)),
        entries_(std::make_unique<GraphEntries>(std::move(source), options_.format)) {}

  /// The next graphs, `most` at most, and exceptions in place of those that are none; empty at the end.
  nb::list take(std::size_t most) {
    using Graphs = std::vector<std::variant<ReadResult, std::exception_ptr>>;
    LongCall call((nb::none()));
    Options limits;
    call.watch(limits);
    Graphs graphs = call.run([&] {
      Graphs some;
      while (some.size() < most && !limits.interrupted()) {
        try {
          const std::optional<GraphEntry> entry = entries_->next();
          if (!entry) break;
          some.emplace_back(read_entry(*entry, options_));
        } catch (const Error&) {
          some.emplace_back(std::current_exception());
        }
      }
      return some;
    });
    nb::list list;
    for (auto& graph : graphs) {
      if (auto* const read = std::get_if<ReadResult>(&graph)) {
        warn(read->info.warnings);
        list.append(nb::cast(PyGraph(std::move(*read))));
      } else {
        list.append(to_exception(std::get<std::exception_ptr>(graph)));
      }
    }
    return list;
  }

 private:
  ReadOptions options_;
  std::unique_ptr<GraphEntries> entries_;
};

/// Few vertices: others are for all threads together, or many at a time.
std::optional<Value> value_at_once(const PyGraph& graph, const CountOptions& options) {
  constexpr std::size_t few_lines = 16;
  const Graph& given = graph.graph();
  if (given.left_labels.size() > few_lines || given.right_labels.size() > few_lines) return std::nullopt;
  if (graph.read().info.ground_states || graph.read().info.degrees) return std::nullopt;
  const nb::gil_scoped_release released;
  return small_value(given, options);
}

nb::list count_many_of(const nb::list& graphs, const nb::dict& given, int jobs, bool report) {
  const CountOptions options = count_options(given);
  check_options(options);
  // Small ones at once, as for a single count: what nobody asks more of than the number.
  nb::list list;
  std::vector<const PyGraph*> known;
  std::vector<std::size_t> place;
  known.reserve(nb::len(graphs));
  for (const nb::handle graph : graphs) {
    const auto* const one = nb::cast<const PyGraph*>(graph);
    std::optional<Value> value;
    try {
      if (!report) value = value_at_once(*one, options);
    } catch (const Error&) {
      list.append(to_exception(std::current_exception()));
      continue;
    }
    if (value) {
      list.append(to_python(*value));
    } else {
      known.push_back(one);
      place.push_back(nb::len(list));
      list.append(nb::none());
    }
  }
  if (known.empty()) return list;
  LongCall call((nb::none()));
  CountOptions watched = options;
  call.watch(watched);
  struct Found {
    EachResult result;
    std::string json;
  };
  std::vector<Found> found = call.run([&] {
    std::vector<Found> all;
    all.reserve(known.size());
    std::size_t next = 0;
    count_many(
        [&]() -> std::optional<Input> {
          return next == known.size() ? std::nullopt : std::optional<Input>(known[next++]->read());
        },
        [&](std::uint64_t, EachResult result) {
          const auto* const count = std::get_if<CountResult>(&result);
          std::string json = report && count != nullptr ? json_text(*count) : "";
          all.push_back({std::move(result), std::move(json)});
          return true;
        },
        watched, jobs);
    return all;
  });
  for (std::size_t k = 0; k < found.size(); ++k) {
    Found& one = found[k];
    if (const auto* const failure = std::get_if<std::exception_ptr>(&one.result)) {
      list[place[k]] = to_exception(*failure);
      continue;
    }
    auto& result = std::get<CountResult>(one.result);
    nb::object value = to_python(result.value);
    if (!report) {
      list[place[k]] = value;
      continue;
    }
    nb::dict answer;
    answer["value"] = value;
    answer["json"] = one.json;
    answer["report"] = PyReport(std::move(result), options);
    list[place[k]] = answer;
  }
  return list;
}

}  // namespace

void bind_many(nb::module_& module) {
  nb::class_<GraphReader>(module, "GraphReader", "The graphs of a source that may hold many.")
      .def(
          "__init__",
          [](GraphReader* self, const std::string& argument, std::optional<nb::bytes> data,
             std::optional<std::string> format, std::optional<std::string> kind, bool symmetric, bool weights,
             std::string multi, std::string loops, std::vector<std::string> remove,
             std::optional<std::string> first_line, std::string ends, std::string weight_column) {
            Source source = data ? Source::from_bytes(std::string(data->c_str(), data->size()), argument)
                                 : Source::from_argument(argument);
            new (self) GraphReader(
                std::move(source),
                {std::move(format), std::move(kind), symmetric, weights, std::move(multi), std::move(loops),
                 std::move(remove), std::move(first_line), std::move(ends), std::move(weight_column)});
          },
          nb::arg("argument"), nb::arg("data") = nb::none(), nb::kw_only(), nb::arg("format") = nb::none(),
          nb::arg("kind") = nb::none(), nb::arg("symmetric") = false, nb::arg("weights") = false,
          nb::arg("multi") = "reject", nb::arg("loops") = "reject",
          nb::arg("remove") = std::vector<std::string>(), nb::arg("first_line") = nb::none(),
          nb::arg("ends") = "", nb::arg("weight_column") = "")
      .def("take", &GraphReader::take, nb::arg("most"), nb::sig("def take(self, most: int) -> list"),
           "The next graphs, `most` at most, and exceptions in place of those that are none; empty at the "
           "end.");
  module.def(
      "count_many", count_many_of, nb::arg("graphs"), nb::arg("options"), nb::arg("jobs") = 0,
      nb::arg("report") = false,
      nb::sig("def count_many(graphs: list[Graph], options: dict, jobs: int = 0, report: bool = False) "
              "-> list"),
      "For each graph its value, or where `report` a dict of value, json and report; or the exception that "
      "it "
      "ends in.");
}

}  // namespace countpm::python
