#pragma once
// The refusal of a count that is predicted to be beyond its limits.
#include "graph/errors.hpp"

namespace countpm {

/// With its reason by itself, so that who knows more of what would do can add it.
class BeyondLimits : public UnableError {
 public:
  BeyondLimits(std::string reason, std::string remedy)
      : UnableError(reason, std::move(remedy)), reason_(std::move(reason)) {}
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

}  // namespace countpm
