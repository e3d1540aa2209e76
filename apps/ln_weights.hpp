#pragma once
// --ln-weights: what every sample of an estimate is worth, as a table.
#include <string>

#include "apps/output_file.hpp"
#include "src/api/estimate_result.hpp"

namespace countpm::app {

/// CSV: replicate and block from 1, sample from 0, and ln of its weight with 17 digits; "-inf" for 0. Throws
/// as OutputFile.
class LogWeights {
 public:
  LogWeights(const std::string& path, bool overwrite);
  void take(const SampleWeights& weights);
  void close();

 private:
  OutputFile file_;
};

}  // namespace countpm::app
