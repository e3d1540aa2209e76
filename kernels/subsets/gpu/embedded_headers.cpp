#include "kernels/subsets/gpu/embedded_headers.hpp"

namespace countpm::gray {
namespace {

// What of the standard library the headers name; NVRTC has none of it, but the functions themselves.
std::vector<KernelHeader> standard_headers() {
  return {
      {"cstddef", "#pragma once\nnamespace std { using size_t = decltype(sizeof(0)); }\n"},
      {"cstdint",
       "#pragma once\n"
       "namespace std {\n"
       "using int8_t = signed char; using uint8_t = unsigned char;\n"
       "using int32_t = int; using uint32_t = unsigned;\n"
       "using int64_t = long long; using uint64_t = unsigned long long;\n"
       "}\n"},
      {"cstring", "#pragma once\n"},
      {"cmath", "#pragma once\nnamespace std { using ::fabs; using ::fma; using ::fmax; using ::sqrt; }\n"},
      {"limits",
       "#pragma once\n"
       "namespace std {\n"
       "template <class T> struct numeric_limits;\n"
       "template <> struct numeric_limits<float> {\n"
       "  static float infinity() { return __int_as_float(0x7f800000); }\n"
       "};\n"
       "}\n"},
      {"type_traits",
       "#pragma once\n"
       "namespace std {\n"
       "template <class T> inline constexpr bool is_trivially_copyable_v = __is_trivially_copyable(T);\n"
       "template <class T> inline constexpr bool is_arithmetic_v = T(1) / 2 * 0 == 0;\n"
       "}\n"}};
}

}  // namespace

const std::vector<KernelHeader>& exact_headers() {
  static const std::vector<KernelHeader> headers = [] {
    std::vector<KernelHeader> all = standard_headers();
    all.insert(all.end(), embedded_headers().begin(), embedded_headers().end());
    return all;
  }();
  return headers;
}

}  // namespace countpm::gray
