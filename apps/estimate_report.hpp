#pragma once
// An estimate as people read it: never without its error.
#include <string>

#include "src/estimate/estimate.hpp"

namespace countpm::app {

/// The line on standard output: "1.2989e+07 +- 0.84% (95% confidence, seed 1)"; where that cannot be trusted
/// "about 3e+40, from 1.6e+39 to 4e+44 (95% confidence, seed 1)"; "12988816 exactly" where nothing had to be
/// sampled; "no estimate, from ..." where all samples are 0. logarithm: ln Z and its error.
std::string estimate_line(const EstimateResult& result, bool logarithm = false);
/// The report, some lines long; `all_checks`: every check with what it compared.
std::string estimate_report(const EstimateResult& result, bool all_checks);

}  // namespace countpm::app
