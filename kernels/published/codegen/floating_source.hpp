#pragma once
// A floating codegen program as CUDA source text. It includes published/codegen/product.hpp, so that NVRTC
// needs gray::exact_headers(), and says the same to a C++ compiler that is told what CUDA's words mean and
// where the project's headers are.
//
// Entries are hexadecimal literals: they are not rounded. Sums are not contracted with products into fused
// multiply-adds, as long as the compiler is told so (compile_kernel() says --fmad=false): compensated sums
// and the equality with the interpreter stand on that.
#include <string>

#include "kernels/published/codegen/floating_program.hpp"

namespace countpm::codegen {

/// extern "C" __global__ void NAME(const Value* starts, const unsigned char* minuses, Value* globals,
///     unsigned long long first, unsigned long long last, const Numbers numbers, Numbers::Total* totals)
///
/// with Numbers gray::Doubles<0>, gray::Pairs<0> or their complex kin, starts [prefix][place], minuses
/// [prefix], globals [block][place - registers][thread of the block, of launch_shape().threads] and totals
/// [thread of the grid], to which each thread's own total of this launch is joined. Thread t of T takes the
/// items first + t, first + t + T, ... before last; an item is prefix << chosen | choice. O(entries + rows)
/// text.
std::string cuda_source(const FloatingProgram& program, const std::string& name);

}  // namespace countpm::codegen
