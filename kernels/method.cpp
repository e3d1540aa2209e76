#include "kernels/method.hpp"

namespace countpm {

void StopSignal::check() const {
  if (requested()) throw Stopped();
}

}  // namespace countpm
