// countpm schema: what is in the JSON that commands write.
#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/json_objects.hpp"
#include "apps/output.hpp"
#include "graph/errors.hpp"
#include "graph/text.hpp"

namespace countpm::app {
namespace {

const ObjectInfo& object_named(const std::string& name) {
  std::string names;
  for (const ObjectInfo& one : json_objects()) {
    if (one.name == name) return one;
    names += (names.empty() ? "" : ", ") + one.name;
  }
  throw UsageError("schema: there is no object " + quoted(name, 100) + "; valid: " + names);
}

}  // namespace

int run_schema(const Request& request) {
  if (request.markdown && !request.arguments.empty())
    throw UsageError("schema: --markdown writes the page of all objects");
  write_output(request.markdown ? json_page()
               : request.arguments.empty()
                   ? indented(schema_of_all())
                   : indented(schema_of_one(object_named(request.arguments.front()))));
  flush_output();
  return 0;
}

}  // namespace countpm::app
