#pragma once
// What CUDA's runtime complained of. Compiles without nvcc.
#include <string>

#include "graph/errors.hpp"

namespace countpm {

/// A call of the CUDA runtime that failed: "FILE:LINE: CALL: what CUDA said". A fault of ours, or of the
/// machine. Too little memory and GPUs that do not answer are UnableErrors.
class CudaError : public Error {
 public:
  using Error::Error;
};

}  // namespace countpm
