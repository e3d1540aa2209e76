#include "python/src/shared_count.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "python/src/graph_state.hpp"
#include "python/src/long_call.hpp"
#include "python/src/options.hpp"
#include "python/src/questions.hpp"
#include "src/count/count_on_board.hpp"
#include "src/count/unit_worker.hpp"
#include "src/machine/startable_threads.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

nb::bytes bytes_of(const std::string& text) {
  return nb::bytes(text.data(), text.size());
}
std::string string_of(const nb::bytes& bytes) {
  return {bytes.c_str(), bytes.size()};
}

UnitOrder order_of(std::size_t task, std::uint64_t first, std::uint64_t last) {
  UnitOrder order;
  order.task = task;
  order.range = {first, last};
  return order;
}

nb::object take_units(SharedCount& count, double seconds, std::uint64_t workers) {
  const std::optional<UnitOrder> order = count.board().take(seconds, workers);
  if (!order) return nb::none();
  return nb::make_tuple(order->task, order->range.first, order->range.last, order->seconds);
}

nb::tuple deliver_records(SharedCount& count, std::size_t task, std::uint64_t first, std::uint64_t last,
                          const nb::bytes& records) {
  const std::string text = string_of(records);
  UnitDelivery delivery;
  {
    const nb::gil_scoped_release released;
    delivery = count.board().deliver(order_of(task, first, last), text);
  }
  return nb::make_tuple(delivery.units, delivery.repeated, delivery.refused, delivery.seconds);
}

/// A worker's side, and its options.
class Worker {
 public:
  Worker(const nb::bytes& graph, const nb::bytes& plan, const nb::dict& given)
      : options_(count_options(given)) {
    const std::string state = string_of(graph);
    const std::string header = string_of(plan);
    CountOptions watched = options_;
    LongCall call((nb::none()));
    call.watch(watched);
    worker_ = call.run([&] { return std::make_unique<UnitWorker>(graph_of_state(state), header, watched); });
  }

  nb::bytes run(std::size_t task, std::uint64_t first, std::uint64_t last) const {
    CountOptions watched = options_;
    LongCall call((nb::none()));
    call.watch(watched);
    return bytes_of(call.run([&] { return worker_->run(task, {first, last}, watched); }));
  }

 private:
  CountOptions options_;
  std::unique_ptr<UnitWorker> worker_;
};

}  // namespace

SharedCount::SharedCount(const PyGraph& graph, const nb::dict& given, const std::string& checkpoint,
                         double least_seconds)
    : graph_(graph), options_(count_options(given)), board_(least_seconds) {
  options_.interrupted = [this] {
    const std::lock_guard lock(mutex_);
    return stopping_;
  };
  options_.progress = [this](const Progress& progress) {
    const std::lock_guard lock(mutex_);
    latest_ = progress;
  };
  ReadResult read = graph_.read();
  if (!checkpoint.empty()) {
    std::error_code error;
    options_.checkpoint.file = checkpoint;
    options_.checkpoint.resume = std::filesystem::exists(std::filesystem::symlink_status(checkpoint, error));
    options_.checkpoint.notice = [this](const std::string& notice) {
      const std::lock_guard lock(mutex_);
      notices_.push_back(notice);
    };
    read.info.sha256 = graph_digest(read);
  }
  thread_ = start_thread([this, read = std::move(read)]() mutable { work(std::move(read)); });
}

SharedCount::~SharedCount() {
  stop();
}

void SharedCount::work(ReadResult read) {
  std::optional<CountResult> result;
  std::exception_ptr failure;
  try {
    result = count_on_board(board_, std::move(read), options_);
  } catch (...) {
    failure = std::current_exception();
  }
  {
    const std::lock_guard lock(mutex_);
    result_ = std::move(result);
    failure_ = failure;
    over_ = true;
  }
  board_.close();
}

bool SharedCount::wait(double seconds) {
  const nb::gil_scoped_release released;
  board_.wait(seconds);
  const std::lock_guard lock(mutex_);
  return over_;
}

nb::object SharedCount::progress() {
  std::optional<Progress> report;
  {
    const std::lock_guard lock(mutex_);
    report.swap(latest_);
  }
  return report ? nb::object(progress_dict(*report)) : nb::object(nb::none());
}

std::vector<std::string> SharedCount::notices() {
  const std::lock_guard lock(mutex_);
  return std::exchange(notices_, {});
}

void SharedCount::stop() {
  const nb::gil_scoped_release released;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

nb::dict SharedCount::answer() {
  stop();
  if (failure_) std::rethrow_exception(failure_);
  if (!result_) throw UsageError("the answer was taken before");
  return answer_of(*std::exchange(result_, std::nullopt), graph_, options_, true);
}

void bind_shared_count(nb::module_& module) {
  nb::class_<SharedCount>(module, "SharedCount", "A count whose units others run: the caller's side.")
      .def(nb::init<const PyGraph&, const nb::dict&, const std::string&, double>(), nb::arg("graph"),
           nb::arg("options"), nb::arg("checkpoint") = "",
           nb::arg("least_seconds") = UnitBoard::default_least_seconds)
      .def("wait", &SharedCount::wait, nb::arg("seconds"),
           "Until there are units to be taken, or the count is over, which it says.")
      .def(
          "plan", [](SharedCount& count) { return bytes_of(count.board().plan()); },
          "What fixes the units, for workers; empty until there is a plan.")
      .def("take", take_units, nb::arg("seconds"), nb::arg("workers"),
           nb::sig("def take(self, seconds: float, workers: int) -> tuple[int, int, int, float] | None"),
           "Units that nobody has, worth so many seconds: task, first, last, predicted seconds.")
      .def(
          "deliver", deliver_records, nb::arg("task"), nb::arg("first"), nb::arg("last"), nb::arg("records"),
          nb::sig("def deliver(self, task: int, first: int, last: int, records: bytes) -> "
                  "tuple[int, int, int, float]"),
          "The records of an order. How many units are new, how many records repeated and lines refused, and "
          "the seconds of work on the units.")
      .def(
          "give_back",
          [](SharedCount& count, std::size_t task, std::uint64_t first, std::uint64_t last) {
            count.board().give_back(order_of(task, first, last));
          },
          nb::arg("task"), nb::arg("first"), nb::arg("last"), "Others may have these units.")
      .def("progress", &SharedCount::progress, nb::sig("def progress(self) -> dict | None"),
           "As the functions that are called with progress have it; None: nothing new.")
      .def("notices", &SharedCount::notices, nb::sig("def notices(self) -> list[str]"),
           "What has befallen the checkpoint since the last call.")
      .def("stop", &SharedCount::stop, "Ends it.")
      .def("answer", &SharedCount::answer, nb::sig("def answer(self) -> dict"), "Once, when it is over.");
  nb::class_<Worker>(module, "UnitWorker", "Runs units of a count that is led elsewhere.")
      .def(nb::init<const nb::bytes&, const nb::bytes&, const nb::dict&>(), nb::arg("graph"), nb::arg("plan"),
           nb::arg("options"))
      .def("run", &Worker::run, nb::arg("task"), nb::arg("first"), nb::arg("last"),
           nb::sig("def run(self, task: int, first: int, last: int) -> bytes"),
           "The records of these units.");
  module.def(
      "graph_state", [](const PyGraph& graph) { return bytes_of(graph_state(graph.read())); },
      nb::arg("graph"), nb::sig("def graph_state(graph: Graph) -> bytes"), "The graph, for a UnitWorker.");
}

}  // namespace countpm::python
