#pragma once
// A result, kept for the page that Jupyter shows of it.
#include <nanobind/nanobind.h>

#include <utility>
#include <variant>

#include "src/api/estimate_result.hpp"
#include "src/api/options.hpp"
#include "src/api/results.hpp"

namespace countpm::python {

class PyReport {
 public:
  using Result = std::variant<CountResult, Explanation, EstimateResult>;
  PyReport(Result result, const Options& options)
      : result_(std::move(result)), time_limit_seconds_(options.time_limit_seconds), order_(options.order) {}
  const Result& result() const { return result_; }
  // Of a plan.
  double time_limit_seconds() const { return time_limit_seconds_; }
  OrderKind order() const { return order_; }

 private:
  Result result_;
  double time_limit_seconds_;
  OrderKind order_;
};

void bind_report(nanobind::module_& module);

}  // namespace countpm::python
