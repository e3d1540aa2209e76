#pragma once
// codegen in floating point: what a job of it takes from a program (published/codegen/floating_program.hpp).
// The job is subsets/floating_sums.cpp's, which makes the walk's numbers and the units' error balls.
//
// The kernel adds 2^(n-1) products as ryser's does, in compensated doubles or double-doubles with the same
// bound on their errors, but touches only entries that are not 0, and keeps products that a flip leaves
// alone.
#include <memory>

#include "kernels/published/codegen/floating_program.hpp"
#include "kernels/subsets/gpu/job.hpp"

namespace countpm::codegen {

/// The plan's units on this GPU; codegen_report() (codegen.hpp) tells of its kernel. Value: double,
/// DoubleDouble, Complex<double> or Complex<DoubleDouble>.
template <class Value>
std::unique_ptr<DeviceJob> make_floating_device_job(const GpuInfo& gpu, FloatingDevicePlan<Value> plan,
                                                    const Arithmetic& arithmetic,
                                                    const FloatingOverrides& wishes);

/// Subsets a second of 2^log2_terms, the time to compile included; 0 where there is no NVRTC.
double nominal_device_rate(const GpuInfo& gpu, const FloatingProgram& program, double log2_terms);
/// Interpreted, on one core of the CPU.
double nominal_rate(const FloatingProgram& program);

}  // namespace countpm::codegen
