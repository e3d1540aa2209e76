#pragma once
// Device jobs of codegen that can tell of their kernel.
#include <string>

#include "kernels/published/codegen/codegen.hpp"
#include "kernels/published/codegen/gpu/walker.hpp"

namespace countpm::codegen {

class ReportingJob : public DeviceJob {
 public:
  virtual CodegenReport report() const = 0;

 protected:
  static CodegenReport report_of(const std::string& program, const Compiled& compiled) {
    return {program, compiled.compile_seconds(), compiled.from_cache(), compiled.registers(),
            compiled.spilled_bytes()};
  }
};

/// Compiling takes 0.2 s at n = 40, and is spread over the work, so that a planner sees it.
inline double rate_with_compilation(double rate, double work) {
  constexpr double compile_seconds = 1;
  return work / (work / rate + compile_seconds);
}

}  // namespace countpm::codegen
