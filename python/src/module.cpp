// countpm._core: what there is in it.
#include <nanobind/nanobind.h>

#include "python/src/command.hpp"
#include "python/src/errors.hpp"
#include "python/src/graph.hpp"
#include "python/src/iterator.hpp"
#include "python/src/many.hpp"
#include "python/src/picture.hpp"
#include "python/src/questions.hpp"
#include "python/src/report.hpp"
#include "python/src/sampling.hpp"
#include "python/src/shared_count.hpp"
#include "python/src/small_matrix.hpp"
#include "src/api/entries.hpp"
#include "src/machine/gpu_start.hpp"

NB_MODULE(_core, module) {
  // What is still held when Python ends (pytest's parameters are) would be called leaked. Nothing of ours is
  // in a circle: none of these classes holds an object of Python's.
  nanobind::set_leak_warnings(false);
  module.doc() = "The library countpm, for the package of that name.";
  module.def("version", &countpm::version, "The version of countpm.");
  countpm::python::make_errors(module);
  countpm::python::bind_graph(module);
  countpm::python::bind_iterator(module);
  countpm::python::bind_report(module);
  countpm::python::bind_questions(module);
  countpm::python::bind_sampling(module);
  countpm::python::bind_many(module);
  countpm::python::bind_small_matrix(module);
  countpm::python::bind_shared_count(module);
  countpm::python::bind_picture(module);
  countpm::python::bind_command(module);
  nanobind::module_::import_("atexit").attr("register")(nanobind::cpp_function([] {
    const nanobind::gil_scoped_release released;
    countpm::await_gpu_start();
  }));
}
