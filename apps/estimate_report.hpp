#pragma once
// An estimate as people read it: never without its error.
#include <string>

#include "src/estimate/estimate.hpp"

namespace countpm::app {

/// The line on standard output: "1.2989e+07 +- 0.84% (95% confidence, seed 1)"; where that cannot be trusted
/// "about 3e+40, from 1.6e+39 to 4e+44 (95% confidence, seed 1)"; "12988816 exactly" where nothing had to be
/// sampled; "no estimate, from ..." where all samples are 0.
std::string estimate_line(const EstimateResult& result);
/// The report, some lines long; `all_checks`: every check with what it compared.
std::string estimate_report(const EstimateResult& result, bool all_checks);

enum class Rounding { nearest, down, up };
/// 10^log10 with that many significant digits, whatever its size: "1.25e+07", "3e+100000"; "0" for -infinity.
/// Down and up: for the ends of intervals, which are not to lose what they hold.
std::string format_log10(double log10, int digits, Rounding rounding = Rounding::nearest);

}  // namespace countpm::app
