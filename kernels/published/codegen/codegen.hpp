#pragma once
// codegen: the Gray-code walk of ryser in code that is generated for the matrix
// (published/codegen/program.hpp). On a GPU it is compiled by NVRTC and kept on disk; on the CPU, and on an
// emulated GPU, the same program is interpreted, slowly: there it is for tests and for finishing what a GPU
// has begun.
//
// In floating point published/codegen/floating.hpp. Exact, for 0/1 and integer weights whose magnitudes
// add up to less than 2^30 a row: sums in as many limbs of 32 bits as their bound needs, reduced modulo all
// moduli when a unit ends. O(2^(n-1) d) additions for columns of about d entries, O(2^(n-1) n)
// multiplications of machine words or fewer; O(n^2) memory, text included. D. Elbek, K. Kaya,
// arXiv:2501.15126 (2025); D. Elbek, F. Tasyaran, B. Ucar, K. Kaya, SUperman, arXiv:2502.16577 (2025).
#include "kernels/gpu/device_job.hpp"
#include "kernels/method.hpp"
#include "kernels/published/codegen/program.hpp"

namespace countpm {

const Method& codegen_method();

/// The method's own make_job has no wishes; tests and benchmarks force forms.
std::unique_ptr<Job> make_codegen_job(const AnyBlock& block, const Arithmetic& arithmetic,
                                      const codegen::Overrides& wishes);

/// What a benchmark says of the job's kernel on this GPU. Preconditions: made by make_codegen_job, or a
/// floating one; on_device(gpu) is not empty.
struct CodegenReport {
  std::string program;  // describe() of the program
  double compile_seconds = 0;
  bool from_cache = false;
  unsigned registers = 0;
  unsigned spilled_bytes = 0;
};
CodegenReport codegen_report(DeviceJob& job);

}  // namespace countpm
