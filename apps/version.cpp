// countpm version
#include <string>

#include "apps/commands.hpp"
#include "apps/output.hpp"

namespace countpm::app {

int run_version(const Request&) {
  write_output(std::string("countpm ") + version() + "\n");
  flush_output();
  return 0;
}

}  // namespace countpm::app
