// countpm version: the version, and what is built in.
#include <fmt/format.h>
#include <gmp.h>
#include <metis.h>
#include <mpfr.h>
#include <nettle/version.h>
#include <zlib.h>
#include <boost/version.hpp>

#include <string>
#include <utility>
#include <vector>

#include "apps/build_info.hpp"
#include "apps/commands.hpp"
#include "apps/json.hpp"
#include "apps/output.hpp"
#include "apps/ranks.hpp"
#include "apps/report_lines.hpp"
#include "kernels/gpu/device_info.hpp"
#include "kernels/support/instruction_sets.hpp"

namespace countpm::app {
namespace {

std::string architecture() {
#if defined(__x86_64__)
  return "x86-64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "unknown";
#endif
}

/// What of this processor the inner loops use.
std::vector<std::string> processor_features() {
  std::vector<std::string> features;
  if (processor_has(InstructionSet::avx2)) features.insert(features.end(), {"AVX2", "FMA", "BMI2"});
  if (processor_has(InstructionSet::avx512)) features.insert(features.end(), {"AVX-512", "AVX-512 IFMA"});
  return features;
}

std::string compiler() {
#if defined(__clang__)
  return fmt::format("clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#elif defined(__GNUC__)
  return fmt::format("g++ {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#else
  return "unknown";
#endif
}

/// Libraries that are loaded say themselves what they are; of the others it is what was compiled in.
std::vector<std::pair<std::string, std::string>> libraries() {
  return {{"GMP", gmp_version},
          {"MPFR", mpfr_get_version()},
          {"METIS", fmt::format("{}.{}.{}", METIS_VER_MAJOR, METIS_VER_MINOR, METIS_VER_SUBMINOR)},
          {"Nettle", fmt::format("{}.{}", nettle_version_major(), nettle_version_minor())},
          {"zlib", zlibVersion()},
          {"Boost",
           fmt::format("{}.{}.{}", BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
          {"fmt", fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)}};
}

VersionObject version_object() {
  return {
      std::string(build_info().commit), std::string(build_info().date), std::string(compiler()), cuda_built(),
      mpi_status() != "without MPI",    std::string(architecture()),    processor_features(),    libraries()};
}

std::string version_text() {
  const std::size_t width = output_width();
  std::string text = fmt::format("countpm {}\n", version());
  if (!build_info().commit.empty())
    text += line("commit", fmt::format("{} of {}", build_info().commit, build_info().date), width);
  text += line("built",
               fmt::format("{} CUDA, {}, by {}", cuda_built() ? "with" : "without", mpi_status(), compiler()),
               width);
  const std::vector<std::string> features = processor_features();
  text +=
      line("processor",
           fmt::format("{}{}{}", architecture(), features.empty() ? "" : " with ", fmt::join(features, ", ")),
           width);
  std::string used;
  for (const auto& [name, number] : libraries())
    used += fmt::format("{}{} {}", used.empty() ? "" : ", ", name, number);
  return text + line("libraries", used, width);
}

}  // namespace

BuildInfo& build_info() {
  static BuildInfo info;
  return info;
}

int run_version(const Request& request) {
  write_output(request.json ? indented(json_of(version_object())) : version_text());
  flush_output();
  return 0;
}

}  // namespace countpm::app
