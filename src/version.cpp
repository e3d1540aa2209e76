#include "src/countpm.hpp"

namespace countpm {

const char* version() {
  return COUNTPM_VERSION;
}

}  // namespace countpm
