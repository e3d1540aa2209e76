#pragma once
// What the command line prints as JSON: results as the library writes them (src/report/json.hpp), and errors.
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "src/report/json.hpp"

namespace countpm::app {

using countpm::finite_or_null;
using countpm::indented;
using countpm::marginals_json;
using countpm::one_line;
using countpm::to_json;

/// {"version": ..., "error": {"kind": ..., "message": ..., "exit_code": ...}}; for bad input also file, line,
/// expected and found.
nlohmann::ordered_json error_json(const std::string& kind, const std::string& message, int exit_code,
                                  const InputError* input = nullptr);
/// The same as text: a line of its own where other objects are one, else indented.
std::string error_text(const std::string& kind, const std::string& message, int exit_code,
                       const InputError* input, bool on_one_line);

}  // namespace countpm::app
