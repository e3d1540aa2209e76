#include "kernels/method.hpp"

namespace countpm {

void StopSignal::check() const {
  if (requested()) throw Stopped();
}

std::optional<std::string> Method::idle(const AnyBlock&, const RuleSet&) const {
  return std::nullopt;
}

}  // namespace countpm
