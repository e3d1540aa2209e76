#include "python/src/errors.hpp"

#include <exception>
#include <initializer_list>
#include <string>

#include "graph/errors.hpp"
#include "src/chemistry/kekule.hpp"
#include "src/report/json_text.hpp"

namespace countpm::python {

namespace nb = nanobind;

namespace {

/// The classes live as long as the process: errors may come whenever.
struct Classes {
  PyObject* error = nullptr;
  PyObject* usage = nullptr;
  PyObject* input = nullptr;
  PyObject* unable = nullptr;
  PyObject* check = nullptr;
};
Classes classes;

/// Named after the package, where users and pickle look for it.
PyObject* make_class(nb::module_& module, const char* name, std::initializer_list<PyObject*> bases,
                     const char* text) {
  const nb::object parents = nb::steal(PyTuple_New(static_cast<Py_ssize_t>(bases.size())));
  Py_ssize_t k = 0;
  for (PyObject* base : bases) PyTuple_SetItem(parents.ptr(), k++, nb::borrow(base).release().ptr());
  const std::string full = std::string("countpm.") + name;
  PyObject* made = PyErr_NewExceptionWithDoc(full.c_str(), text, parents.ptr(), nullptr);
  if (made == nullptr) throw nb::python_error();
  module.attr(name) = nb::borrow(made);
  return made;
}

/// Messages may quote bytes that are no UTF-8.
nb::object text_of(const std::string& bytes) {
  return nb::steal(PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), "replace"));
}

/// In Python's words: keyword arguments for the command's options. The text as it is where that fails, as it
/// may while Python ends.
nb::object python_text_of(const std::string& bytes) {
  nb::object text = text_of(bytes);
  if (!text.is_valid()) return text;
  const nb::object words = nb::steal(PyImport_ImportModule("countpm.errors"));
  if (words.is_valid()) {
    nb::object said = nb::steal(PyObject_CallMethod(words.ptr(), "in_python", "O", text.ptr()));
    if (said.is_valid()) return said;
  }
  PyErr_Clear();
  return text;
}

void raise(PyObject* type, const std::exception& error, const InputError* input, const std::string* remedy) {
  const nb::object message = python_text_of(error.what());
  if (!message.is_valid()) return;
  const nb::object made = nb::steal(PyObject_CallFunctionObjArgs(type, message.ptr(), nullptr));
  if (!made.is_valid()) return;
  if (input != nullptr) {
    made.attr("file") = text_of(input->file());
    made.attr("line") = input->line() == 0 ? nb::object(nb::none()) : nb::object(nb::int_(input->line()));
    made.attr("expected") = python_text_of(input->expected());
    made.attr("found") = python_text_of(input->found());
    // countpm.kekule() makes its answer of it.
    if (const auto* const none = dynamic_cast<const NoPiSystem*>(input))
      made.attr("_kekule") = text_of(json_text(without_pi_system(*none)));
  }
  if (remedy != nullptr) made.attr("remedy") = python_text_of(*remedy);
  PyErr_SetObject(type, made.ptr());
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const InputError& error) {
    raise(classes.input, error, &error, nullptr);
  } catch (const UnableError& error) {
    raise(classes.unable, error, nullptr, &error.remedy());
  } catch (const UsageError& error) {
    raise(classes.usage, error, nullptr, nullptr);
  } catch (const CheckError& error) {
    raise(classes.check, error, nullptr, nullptr);
  } catch (const Error& error) {
    raise(classes.error, error, nullptr, nullptr);
  }
}

}  // namespace

void warn(const std::vector<std::string>& warnings) {
  if (warnings.empty()) return;
  // At the line of the first caller outside of the package.
  const nb::object say = nb::module_::import_("countpm.errors").attr("warn");
  for (const std::string& text : warnings) {
    const nb::object message = python_text_of(text);
    if (!message.is_valid()) throw nb::python_error();
    say(message);
  }
}

nb::object to_exception(const std::exception_ptr& thrown) {
  translate(thrown, nullptr);
  return nb::steal(nb::python_error().value().inc_ref());
}

void make_errors(nb::module_& module) {
  classes.error = make_class(module, "Error", {PyExc_Exception}, "What countpm raises on purpose.");
  classes.usage = make_class(module, "UsageError", {classes.error, PyExc_ValueError},
                             "An option, method or rule that does not exist or does not fit.");
  classes.input = make_class(module, "InputError", {classes.error, PyExc_ValueError},
                             "Input that is not what it claims to be: file, line, expected, found.");
  classes.unable = make_class(module, "UnableError", {classes.error, PyExc_RuntimeError},
                              "Beyond the limits, or what no method can do; remedy says what would help.");
  classes.check = make_class(module, "CheckError", {classes.error, PyExc_RuntimeError},
                             "A check on a result failed; nothing was counted.");
  make_class(module, "CountpmWarning", {PyExc_UserWarning},
             "A file was read in one way, and another would make the number another one.");
  for (const char* name : {"file", "expected", "found"}) nb::handle(classes.input).attr(name) = "";
  nb::handle(classes.input).attr("line") = nb::none();
  nb::handle(classes.input).attr("_kekule") = nb::none();
  nb::handle(classes.unable).attr("remedy") = "";
  nb::register_exception_translator(translate, nullptr);
}

}  // namespace countpm::python
