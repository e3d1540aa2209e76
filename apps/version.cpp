// countpm version
#include <string>

#include "apps/commands.hpp"
#include "apps/output.hpp"
#include "apps/ranks.hpp"
#include "kernels/gpu/device_info.hpp"

namespace countpm::app {

int run_version(const Request&) {
  write_output(std::string("countpm ") + version() + "\nbuilt " + (cuda_built() ? "with" : "without") +
               " CUDA, " + mpi_status() + "\n");
  flush_output();
  return 0;
}

}  // namespace countpm::app
