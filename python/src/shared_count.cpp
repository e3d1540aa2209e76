#include "python/src/shared_count.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <utility>

#include "python/src/graph_state.hpp"
#include "python/src/long_call.hpp"
#include "python/src/options.hpp"
#include "python/src/questions.hpp"
#include "src/count/count_on_board.hpp"
#include "src/count/unit_worker.hpp"
#include "src/estimate/estimate_on_board.hpp"
#include "src/estimate/sample_worker.hpp"
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

UnitOrder order_of(std::uint64_t plan, std::size_t task, std::uint64_t first, std::uint64_t last) {
  UnitOrder order;
  order.plan = plan;
  order.task = task;
  order.range = {first, last};
  return order;
}

nb::object take_units(SharedWork& work, double seconds, std::uint64_t workers) {
  const std::optional<UnitOrder> order = work.board().take(seconds, workers);
  if (!order) return nb::none();
  return nb::make_tuple(order->plan, order->task, order->range.first, order->range.last, order->seconds);
}

nb::tuple deliver_records(SharedWork& work, const UnitOrder& order, const nb::bytes& records) {
  const std::string text = string_of(records);
  UnitDelivery delivery;
  {
    const nb::gil_scoped_release released;
    delivery = work.board().deliver(order, text);
  }
  return nb::make_tuple(delivery.units, delivery.repeated, delivery.refused, delivery.seconds);
}

/// A worker's side, and its options.
template <class Runner>
class Worker {
 public:
  template <class Make>
  Worker(const nb::dict& given, const Make& make) : options_(count_options(given)) {
    CountOptions watched = options_;
    LongCall call((nb::none()));
    call.watch(watched);
    runner_ = call.run([&] { return make(watched); });
  }

  nb::bytes run(std::size_t task, std::uint64_t first, std::uint64_t last) const {
    CountOptions watched = options_;
    LongCall call((nb::none()));
    call.watch(watched);
    return bytes_of(call.run([&] { return runner_->run(task, {first, last}, watched); }));
  }

 private:
  CountOptions options_;
  std::unique_ptr<Runner> runner_;
};

class CountWorker : public Worker<UnitWorker> {
 public:
  CountWorker(const nb::bytes& graph, const nb::bytes& plan, const nb::dict& given)
      : Worker(given, [state = string_of(graph), header = string_of(plan)](const CountOptions& options) {
          return std::make_unique<UnitWorker>(graph_of_state(state), header, options);
        }) {}
};

class EstimateWorker : public Worker<SampleWorker> {
 public:
  EstimateWorker(const nb::bytes& graph, const nb::bytes& plan, const nb::dict& given,
                 const nb::dict& sampling, bool ln_weights)
      : Worker(given, [state = string_of(graph), header = string_of(plan), ln_weights,
                       asked = estimate_options(sampling, given)](const CountOptions& options) {
          EstimateOptions own = asked;
          if (ln_weights) own.weights = [](const SampleWeights&) {};  // that there are some
          return std::make_unique<SampleWorker>(graph_of_state(state), header, options, own);
        }) {}
};

/// What both kinds of work are to Python.
template <class Shared>
void bind_board(nb::class_<Shared>& bound) {
  bound
      .def("wait", &Shared::wait, nb::arg("seconds"),
           "Until there are units to be taken, or all is over, which it says.")
      .def(
          "plan",
          [](Shared& work, std::uint64_t number) {
            return bytes_of(work.board().plan_of(order_of(number, 0, 0, 0)));
          },
          nb::arg("number"), nb::sig("def plan(self, number: int) -> bytes"),
          "What fixes the units of an order with this number, for workers; empty where its plan is over.")
      .def(
          "take",
          [](Shared& work, double seconds, std::uint64_t workers) {
            return take_units(work, seconds, workers);
          },
          nb::arg("seconds"), nb::arg("workers"),
          nb::sig("def take(self, seconds: float, workers: int) -> tuple[int, int, int, int, float] | None"),
          "Units that nobody has, worth so many seconds: number of the plan, task, first, last, predicted "
          "seconds.")
      .def(
          "deliver",
          [](Shared& work, std::uint64_t plan, std::size_t task, std::uint64_t first, std::uint64_t last,
             const nb::bytes& records) {
            return deliver_records(work, order_of(plan, task, first, last), records);
          },
          nb::arg("plan"), nb::arg("task"), nb::arg("first"), nb::arg("last"), nb::arg("records"),
          nb::sig("def deliver(self, plan: int, task: int, first: int, last: int, records: bytes) -> "
                  "tuple[int, int, int, float]"),
          "The records of an order. How many units are new, how many records repeated and lines refused, and "
          "the seconds of work on the units.")
      .def(
          "give_back",
          [](Shared& work, std::uint64_t plan, std::size_t task, std::uint64_t first, std::uint64_t last) {
            work.board().give_back(order_of(plan, task, first, last));
          },
          nb::arg("plan"), nb::arg("task"), nb::arg("first"), nb::arg("last"), "Others may have these units.")
      .def("progress", &Shared::progress, nb::sig("def progress(self) -> dict | None"),
           "As the functions that are called with progress have it; None: nothing new.")
      .def("notices", &Shared::notices, nb::sig("def notices(self) -> list[str]"),
           "What has befallen the checkpoint since the last call.")
      .def("stop", &Shared::stop, "Ends it.")
      .def("answer", &Shared::answer, nb::sig("def answer(self) -> dict"), "Once, when it is over.");
}

}  // namespace

SharedWork::SharedWork(const PyGraph& graph, const nb::dict& given, const std::string& checkpoint)
    : graph_(graph), options_(count_options(given)), read_(graph_.read()) {
  options_.interrupted = [this] {
    const std::lock_guard lock(mutex_);
    return stopping_;
  };
  options_.progress = [this](const Progress& progress) {
    const std::lock_guard lock(mutex_);
    latest_ = progress;
  };
  options_.checkpoint = checkpoint_at(checkpoint, notices_);
  if (!checkpoint.empty()) read_.info.sha256 = graph_digest(read_);
}

void SharedWork::begin(std::function<void(ReadResult)> work) {
  thread_ = start_thread([this, work = std::move(work)] {
    std::exception_ptr failure;
    try {
      work(std::move(read_));
    } catch (...) {
      failure = std::current_exception();
    }
    {
      const std::lock_guard lock(mutex_);
      failure_ = failure;
      over_ = true;
    }
    board().close();
  });
}

bool SharedWork::wait(double seconds) {
  const nb::gil_scoped_release released;
  board().wait(seconds);
  const std::lock_guard lock(mutex_);
  return over_;
}

nb::object SharedWork::progress() {
  std::optional<Progress> report;
  {
    const std::lock_guard lock(mutex_);
    report.swap(latest_);
  }
  return report ? nb::object(progress_dict(*report)) : nb::object(nb::none());
}

void SharedWork::stop() {
  const nb::gil_scoped_release released;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  if (thread_.joinable()) thread_.join();
}

void SharedWork::end() {
  stop();
  if (failure_) std::rethrow_exception(failure_);
}

SharedCount::SharedCount(const PyGraph& graph, const nb::dict& given, const std::string& checkpoint,
                         double least_seconds)
    : SharedWork(graph, given, checkpoint), board_(least_seconds) {
  begin([this](ReadResult read) { result_ = count_on_board(board_, std::move(read), options_); });
}

nb::dict SharedCount::answer() {
  end();
  if (!result_) throw UsageError("the answer was taken before");
  CountResult result = *std::exchange(result_, std::nullopt);
  const nb::list coefficients = coefficients_of(result);
  nb::dict answer = answer_of(std::move(result), graph_, options_, true);
  answer["coefficients"] = coefficients;
  return answer;
}

SharedEstimate::SharedEstimate(const PyGraph& graph, const nb::dict& given, const nb::dict& sampling,
                               const std::string& checkpoint, double least_seconds, bool ln_weights)
    : SharedWork(graph, given, checkpoint), asked_(estimate_options(sampling, given)), board_(least_seconds) {
  if (ln_weights) asked_.weights = [this](const SampleWeights& some) { keep_weights(weights_, some); };
  begin([this](ReadResult read) { result_ = estimate_on_board(board_, std::move(read), options_, asked_); });
}

nb::dict SharedEstimate::answer() {
  end();
  if (!result_) throw UsageError("the answer was taken before");
  nb::dict answer = answer_of(*std::exchange(result_, std::nullopt), options_);
  if (asked_.weights) answer["ln_weights"] = to_lists(weights_);
  return answer;
}

void bind_shared_count(nb::module_& module) {
  nb::class_<SharedCount> count(module, "SharedCount", "A count whose units others run: the caller's side.");
  count.def(nb::init<const PyGraph&, const nb::dict&, const std::string&, double>(), nb::arg("graph"),
            nb::arg("options"), nb::arg("checkpoint") = "",
            nb::arg("least_seconds") = UnitBoard::default_least_seconds);
  bind_board(count);
  nb::class_<SharedEstimate> estimate(module, "SharedEstimate",
                                      "An estimate whose samples others draw: the caller's side.");
  estimate.def(nb::init<const PyGraph&, const nb::dict&, const nb::dict&, const std::string&, double, bool>(),
               nb::arg("graph"), nb::arg("options"), nb::arg("estimate_options"), nb::arg("checkpoint") = "",
               nb::arg("least_seconds") = UnitBoard::default_least_seconds, nb::arg("ln_weights") = false);
  bind_board(estimate);
  nb::class_<CountWorker>(module, "UnitWorker", "Runs units of a count that is led elsewhere.")
      .def(nb::init<const nb::bytes&, const nb::bytes&, const nb::dict&>(), nb::arg("graph"), nb::arg("plan"),
           nb::arg("options"))
      .def("run", &CountWorker::run, nb::arg("task"), nb::arg("first"), nb::arg("last"),
           nb::sig("def run(self, task: int, first: int, last: int) -> bytes"),
           "The records of these units.");
  nb::class_<EstimateWorker>(module, "SampleWorker", "Draws samples of an estimate that is led elsewhere.")
      .def(nb::init<const nb::bytes&, const nb::bytes&, const nb::dict&, const nb::dict&, bool>(),
           nb::arg("graph"), nb::arg("plan"), nb::arg("options"), nb::arg("estimate_options"),
           nb::arg("ln_weights") = false)
      .def("run", &EstimateWorker::run, nb::arg("task"), nb::arg("first"), nb::arg("last"),
           nb::sig("def run(self, task: int, first: int, last: int) -> bytes"),
           "The record of these samples.");
  module.def(
      "graph_state", [](const PyGraph& graph) { return bytes_of(graph_state(graph.read())); },
      nb::arg("graph"), nb::sig("def graph_state(graph: Graph) -> bytes"), "The graph, for a worker.");
}

}  // namespace countpm::python
