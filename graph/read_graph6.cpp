#include "graph/errors.hpp"
#include "graph/reader.hpp"

namespace countpm {

Graph read_graph6(std::string_view /*bytes*/, const std::string& name, const ReadOptions& /*options*/,
                  InputInfo& /*info*/) {
  throw InputError(name, 0, "a format that is built", "graph6, which is not built yet");
}

Graph read_digraph6(std::string_view /*bytes*/, const std::string& name, const ReadOptions& /*options*/,
                    InputInfo& /*info*/) {
  throw InputError(name, 0, "a format that is built", "digraph6, which is not built yet");
}

Graph read_sparse6(std::string_view /*bytes*/, const std::string& name, const ReadOptions& /*options*/,
                   InputInfo& /*info*/) {
  throw InputError(name, 0, "a format that is built", "sparse6, which is not built yet");
}

}  // namespace countpm
