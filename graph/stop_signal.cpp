#include "graph/stop_signal.hpp"

#include <utility>

namespace countpm {
namespace {

thread_local const StopSignal* current = nullptr;

}  // namespace

void StopSignal::check() const {
  if (requested()) throw Stopped();
}

StopScope::StopScope(const StopSignal* signal) : before_(std::exchange(current, signal)) {}

StopScope::~StopScope() {
  current = before_;
}

const StopSignal* current_stop_signal() {
  return current;
}

void check_stop() {
  if (current != nullptr) current->check();
}

}  // namespace countpm
