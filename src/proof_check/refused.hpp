#pragma once
// Why a proof is not accepted.
#include <stdexcept>
#include <string>

namespace countpm::proof_check {

class Refused : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Refused unless it holds.
inline void need(bool holds, const char* reason) {
  if (!holds) throw Refused(reason);
}
inline void need(bool holds, const std::string& reason) {
  if (!holds) throw Refused(reason);
}

}  // namespace countpm::proof_check
