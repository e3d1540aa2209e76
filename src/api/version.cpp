#include "src/api/version.hpp"

namespace countpm {

const char* version() {
  return COUNTPM_VERSION;
}

}  // namespace countpm
