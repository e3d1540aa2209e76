#include "apps/ln_weights.hpp"

#include <fmt/format.h>

namespace countpm::app {

LogWeights::LogWeights(const std::string& path, bool overwrite) : file_(path, overwrite) {
  file_.write("replicate,block,sample,ln_weight\r\n");
}

void LogWeights::take(const SampleWeights& weights) {
  std::string lines;
  std::uint64_t sample = weights.first;
  for (const double ln : weights.ln)
    lines += fmt::format("{},{},{},{:.17g}\r\n", weights.replicate + 1, weights.block + 1, sample++, ln);
  file_.write(lines);
}

void LogWeights::close() {
  file_.close();
}

}  // namespace countpm::app
