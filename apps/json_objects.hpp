#pragma once
// All objects that commands write with --json, by their names.
#include <functional>
#include <string>
#include <vector>

#include "src/report/fields.hpp"

namespace countpm::app {

struct ObjectInfo {
  std::string name;     // what its key `object` says
  std::string command;  // that writes it
  std::string text;     // more on it, in Markdown; may be empty
  std::function<Json()> schema;
};

const std::vector<ObjectInfo>& json_objects();

/// JSON Schema (draft 2020-12) of one of them, by itself.
Json schema_of_one(const ObjectInfo& object);
/// And of all of them.
Json schema_of_all();
/// docs/json.md.
std::string json_page();

}  // namespace countpm::app
