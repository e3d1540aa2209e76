#pragma once
// A codegen program as CUDA source text. It includes nothing, so that NVRTC needs no headers, and says the
// same to a C++ compiler that is told what __global__ and threadIdx are.
#include <string>

#include "kernels/published/codegen/program.hpp"

namespace countpm::codegen {

/// extern "C" __global__ void NAME(const int* starts, const unsigned char* minuses, int* globals,
///     unsigned long long first, unsigned long long last, unsigned int* totals)
///
/// with starts [prefix][place], minuses [prefix], globals [block][place - registers][thread of the block, of
/// launch_shape().threads] and totals [limb][thread of the grid], which are added to. Thread t of T takes the
/// items first + t, first + t + T, ... before last; an item is prefix << chosen | choice. O(entries +
/// limbs^2) text.
std::string cuda_source(const Program& program, const std::string& name);

}  // namespace countpm::codegen
