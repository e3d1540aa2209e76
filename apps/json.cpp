#include "apps/json.hpp"

#include <nlohmann/json.hpp>

namespace countpm::app {

using Json = nlohmann::ordered_json;

Json error_json(const std::string& kind, const std::string& message, int exit_code, const InputError* input) {
  Json error{{"kind", kind}, {"message", message}, {"exit_code", exit_code}};
  if (input != nullptr) {
    error["file"] = input->file();
    error["line"] = input->line() == 0 ? Json(nullptr) : Json(input->line());
    error["expected"] = input->expected();
    error["found"] = input->found();
  }
  return {{"version", version()}, {"error", error}};
}

std::string error_text(const std::string& kind, const std::string& message, int exit_code,
                       const InputError* input, bool on_one_line) {
  const Json error = error_json(kind, message, exit_code, input);
  return on_one_line ? one_line(error) + "\n" : indented(error);
}

}  // namespace countpm::app
