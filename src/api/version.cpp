#include "src/api/countpm.hpp"

namespace countpm {

const char* version() {
  return COUNTPM_VERSION;
}

}  // namespace countpm
