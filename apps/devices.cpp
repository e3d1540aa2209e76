#include "apps/devices.hpp"

#include <fmt/format.h>

namespace countpm::app {

void refuse_missing_devices(const Request& request) {
  if (request.count.device == "gpu" || request.gpus > 0) {
    throw UnableError(fmt::format("{}: no method of this release has a GPU kernel",
                                  request.gpus > 0 ? fmt::format("--gpus {}", request.gpus) : "--device gpu"),
                      "--device cpu (or auto) without --gpus counts on the CPU");
  }
}

}  // namespace countpm::app
