// NVRTC without a GPU, where it is installed: generated kernels compile for the architectures that we build
// for, its complaints are told, and the cache on disk gives back what it was given, or nothing.
#include "kernels/gpu/runtime_compiler.hpp"

#include <dlfcn.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "graph/errors.hpp"
#include "kernels/published/codegen/floating_source.hpp"
#include "kernels/published/codegen/source.hpp"
#include "kernels/subsets/gpu/embedded_headers.hpp"
#include "tests/kernels/method_testing.hpp"
#include "tests/kernels/published/codegen_testing.hpp"
#include "tests/repeats.hpp"

namespace countpm {
namespace {

using countpm::testing::Random;
using countpm::testing::ScratchFolder;

std::string read_all(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(KernelCache, GivesBackWhatItWasGiven) {
  const ScratchFolder folder;
  const KernelCache cache{folder.path() + "/not/there/yet"};
  const std::string code(
      "\x7f"
      "ELF\0\n\xff",
      7);
  EXPECT_EQ(cache.find("key"), std::nullopt);
  cache.keep("key", code);
  EXPECT_EQ(cache.find("key"), code);
  EXPECT_EQ(cache.find("another key"), std::nullopt);
  cache.keep("key", "");
  EXPECT_EQ(cache.find("key"), "");
  // Nothing is left aside.
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(cache.folder)) ++files;
  EXPECT_EQ(files, 1U);
}

TEST(KernelCache, NoticesWhatIsNotItsOwn) {
  const ScratchFolder folder;
  const KernelCache cache{folder.path()};
  cache.keep("key", "the code");
  const std::string whole = read_all(cache.file_of("key"));
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    std::ofstream(cache.file_of("key"), std::ios::binary) << damaged;
    EXPECT_EQ(cache.find("key"), std::nullopt) << "byte " << at;
    std::ofstream(cache.file_of("key"), std::ios::binary) << whole.substr(0, at);
    EXPECT_EQ(cache.find("key"), std::nullopt) << at << " bytes";
  }
  // Another key's file under this one's name.
  cache.keep("other", "other code");
  std::filesystem::copy_file(cache.file_of("other"), cache.file_of("key"),
                             std::filesystem::copy_options::overwrite_existing);
  EXPECT_EQ(cache.find("key"), std::nullopt);
  cache.keep("key", "the code");
  EXPECT_EQ(cache.find("key"), "the code");
}

TEST(KernelCache, DoesWithout) {
  const KernelCache none{};
  none.keep("key", "code");
  EXPECT_EQ(none.find("key"), std::nullopt);
  // A file where the folder should be: nobody, root neither, writes below it.
  const ScratchFolder folder;
  std::ofstream(folder.path() + "/file") << "x";
  const KernelCache unwritable{folder.path() + "/file/cache"};
  unwritable.keep("key", "code");
  EXPECT_EQ(unwritable.find("key"), std::nullopt);
}

// Whoever may write to the folder, or put a link or another user's file there, could have code run.
TEST(KernelCache, TrustsNobodyElsesFilesAndFollowsNoLinks) {
  const ScratchFolder folder;
  const KernelCache cache{folder.path() + "/cache"};
  cache.keep("key", "the code");
  ASSERT_EQ(cache.find("key"), "the code");
  EXPECT_EQ(cache.obstacle(), "");
  struct stat status {};
  ASSERT_EQ(stat(cache.folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0700U);
  ASSERT_EQ(stat(cache.file_of("key").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0600U);
  for (const mode_t mode : {0720U, 0702U, 0777U, 01777U}) {
    ASSERT_EQ(chmod(cache.folder.c_str(), mode), 0);
    EXPECT_EQ(cache.find("key"), std::nullopt);
    cache.keep("other", "other code");
    EXPECT_FALSE(std::filesystem::exists(cache.file_of("other")));
    EXPECT_EQ(cache.obstacle(), "others may write to " + cache.folder);
  }
  ASSERT_EQ(chmod(cache.folder.c_str(), 0755), 0);
  EXPECT_EQ(cache.find("key"), "the code");
  ASSERT_EQ(chmod(cache.file_of("key").c_str(), 0620), 0);
  EXPECT_EQ(cache.find("key"), std::nullopt);
  ASSERT_EQ(chmod(cache.file_of("key").c_str(), 0600), 0);

  // A second name, a link, a FIFO, which nobody waits for, and a folder in the file's place.
  const std::string elsewhere = folder.path() + "/elsewhere";
  std::filesystem::create_hard_link(cache.file_of("key"), elsewhere);
  EXPECT_EQ(cache.find("key"), std::nullopt);
  std::filesystem::remove(cache.file_of("key"));
  std::filesystem::create_symlink(elsewhere, cache.file_of("key"));
  EXPECT_EQ(cache.find("key"), std::nullopt);
  const std::string before = read_all(elsewhere);
  cache.keep("key", "new code");
  EXPECT_EQ(cache.find("key"), "new code");
  EXPECT_EQ(read_all(elsewhere), before);
  std::filesystem::remove(cache.file_of("key"));
  ASSERT_EQ(mkfifo(cache.file_of("key").c_str(), 0600), 0);
  EXPECT_EQ(cache.find("key"), std::nullopt);

  std::filesystem::create_directory_symlink(cache.folder, folder.path() + "/link");
  const KernelCache linked{folder.path() + "/link"};
  linked.keep("linked", "code");
  EXPECT_EQ(linked.find("linked"), std::nullopt);
  EXPECT_EQ(linked.obstacle(), linked.folder + " is a link");
  if (geteuid() == 0) {
    ASSERT_EQ(chown(cache.folder.c_str(), 12345, 12345), 0);
    EXPECT_EQ(cache.obstacle(), cache.folder + " is another user's");
    cache.keep("mine", "code");
    EXPECT_EQ(cache.find("mine"), std::nullopt);
  }
}

TEST(KernelCache, RemovesWhatKilledProgramsLeft) {
  const ScratchFolder folder;
  const KernelCache cache{folder.path()};
  const auto put = [&](const std::string& name, bool old) {
    const std::string path = folder.path() + "/" + name;
    std::ofstream(path) << "half";
    if (old) {
      const timeval long_ago[2] = {{1'000'000'000, 0}, {1'000'000'000, 0}};
      ASSERT_EQ(utimes(path.c_str(), long_ago), 0);
    }
  };
  put("a.kernel.0123456789abcdef.new", true);
  put("b.kernel.0123456789abcdef.new", false);
  put("c.kernel.new", true);
  cache.keep("key", "code");
  EXPECT_FALSE(std::filesystem::exists(folder.path() + "/a.kernel.0123456789abcdef.new"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/b.kernel.0123456789abcdef.new"));
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/c.kernel.new"));
}

class RuntimeCompiler : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto obstacle = runtime_compiler_obstacle()) GTEST_SKIP() << *obstacle;
  }
};

constexpr const char* small_kernel = "extern \"C\" __global__ void f(int* x) { x[threadIdx.x] += 1; }\n";

/// The first compute capability that countpm counts on, as far back as this NVRTC goes: 7.0 in CUDA 12, 7.5
/// in CUDA 13; and the one that all was measured on.
std::vector<std::pair<int, int>> first_and_measured_capability() {
  try {
    compile_kernel(small_kernel, 7, 0, {});
    return {{7, 0}, {9, 0}};
  } catch (const UnableError&) {
    return {{7, 5}, {9, 0}};
  }
}

TEST_F(RuntimeCompiler, CompilesAndKeeps) {
  const ScratchFolder folder;
  const KernelCache cache{folder.path()};
  const CompiledKernel first = compile_kernel(small_kernel, 9, 0, cache);
  EXPECT_FALSE(first.from_cache);
  EXPECT_EQ(first.cubin.substr(1, 3), "ELF");
  const CompiledKernel second = compile_kernel(small_kernel, 9, 0, cache);
  EXPECT_TRUE(second.from_cache);
  EXPECT_EQ(second.cubin, first.cubin);
  EXPECT_FALSE(compile_kernel(small_kernel, 8, 0, cache).from_cache);
  // A damaged file is compiled anew, and mended.
  for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
    std::ofstream(entry.path(), std::ios::binary | std::ios::in | std::ios::out) << "damaged";
  const CompiledKernel third = compile_kernel(small_kernel, 9, 0, cache);
  EXPECT_FALSE(third.from_cache);
  EXPECT_EQ(third.cubin, first.cubin);
  EXPECT_TRUE(compile_kernel(small_kernel, 9, 0, cache).from_cache);
  EXPECT_FALSE(compile_kernel(small_kernel, 9, 0, {}).from_cache);
}

/// Where the loader finds NVRTC; empty if nowhere.
std::string nvrtc_as_the_loader_finds_it() {
  for (const char* const name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) {
    void* const library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    Dl_info found;
    if (dladdr(dlsym(library, "nvrtcVersion"), &found) != 0) return found.dli_fname;
  }
  return {};
}

// NVRTC opens libnvrtc-builtins by name alone. Another process, whose loader looks in its own folders only,
// is told where NVRTC is, and no more.
TEST_F(RuntimeCompiler, FindsItsOtherHalfBesideIt) {
  const std::string loader = "/lib64/ld-linux-x86-64.so.2";
  if (!std::filesystem::exists(loader)) GTEST_SKIP() << "no " << loader;
  if (std::getenv("LD_LIBRARY_PATH") != nullptr) GTEST_SKIP() << "LD_LIBRARY_PATH may be needed to start";
  const std::string nvrtc = nvrtc_as_the_loader_finds_it();
  if (nvrtc.empty()) GTEST_SKIP() << "the loader finds no NVRTC";
  const ScratchFolder folder;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
  const std::string output = folder.path() + "/output";
  const std::string command = "COUNTPM_NVRTC='" + nvrtc + "' " + loader + " --inhibit-cache '" + program +
                              "' --gtest_filter=RuntimeCompiler.CompilesAndKeeps > '" + output + "' 2>&1";
  EXPECT_EQ(std::system(command.c_str()), 0);
  EXPECT_NE(read_all(output).find("[  PASSED  ] 1 test."), std::string::npos) << read_all(output);
}

TEST(HowCompiled, SaysWhenAndForWhat) {
  EXPECT_EQ(how_compiled("41 rows", {"", false, 0.234}), "compiled for 41 rows in 0.23 s");
  EXPECT_EQ(how_compiled("this matrix", {"", true, 0.001}),
            "compiled for this matrix before, from the cache");
  EXPECT_EQ(how_compiled("41 rows", {"", false, 0.234, "others may write to X"}),
            "compiled for 41 rows in 0.23 s, and not kept: others may write to X");
}

TEST_F(RuntimeCompiler, TellsWhatItComplainsOf) {
  try {
    compile_kernel("extern \"C\" __global__ void f() { undeclared = 1; }\n", 9, 0, {});
    FAIL() << "it compiled";
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("undeclared"), std::string::npos) << error.what();
  }
  try {
    compile_kernel(small_kernel, 1, 3, {});
    FAIL() << "there is an sm_13";
  } catch (const UnableError& error) {
    EXPECT_NE(std::string(error.what()).find("sm_13"), std::string::npos) << error.what();
  }
}

TEST_F(RuntimeCompiler, CompilesGeneratedKernels) {
  using codegen::Form;
  Random random(51);
  const auto compile = [](const Block<std::int64_t>& block, const codegen::Overrides& wishes) {
    const auto columns = std::get<IntegerColumns<std::int64_t>>(integer_columns(block));
    const SubsetPlan plan =
        plan_subsets(codegen::permanent_order(columns), columns.multiplicity, RyserForm::halved, 40, 23);
    const codegen::Program program = codegen::make_program(columns, plan, 0, wishes);
    for (const auto& [major, minor] : first_and_measured_capability()) {
      const CompiledKernel compiled = compile_kernel(codegen::cuda_source(program, "walk"), major, minor, {});
      EXPECT_EQ(compiled.cubin.substr(1, 3), "ELF") << program.describe();
      EXPECT_NE(compiled.cubin.find("walk"), std::string::npos);
    }
  };
  compile(testing::random_pattern(random, 40, 0.3), {});
  compile(testing::random_pattern(random, 24, 0.5), {{Form::pure_registers}, 0, {}});
  compile(testing::random_pattern(random, 30, 0.2), {{Form::hybrid}, {}, 3});
  // As many limbs as there may be.
  compile(testing::random_block<std::int64_t>(random, 16, 1, true, [] { return std::int64_t{1} << 25; }),
          {{Form::hybrid}, {}, {}});
}

/// A thread's bytes of local memory, where what finds no register goes: the frame sizes (attribute 0x11) of
/// all functions in the ELF file's section .nv.info.
std::uint64_t stack_bytes(const std::string& cubin) {
  const auto number = [&](std::size_t at, unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned k = 0; k < bytes; ++k)
      value |= std::uint64_t{static_cast<unsigned char>(cubin.at(at + k))} << 8 * k;
    return value;
  };
  const auto header = [&](std::uint64_t section) { return number(40, 8) + section * number(58, 2); };
  const std::uint64_t names = number(header(number(62, 2)) + 24, 8);
  std::uint64_t bytes = 0;
  bool found = false;
  for (std::uint64_t section = 0; section < number(60, 2); ++section) {
    if (std::string(cubin.c_str() + names + number(header(section), 4)) != ".nv.info") continue;
    const std::uint64_t begin = number(header(section) + 24, 8);
    const std::uint64_t end = begin + number(header(section) + 32, 8);
    // Format, attribute, and two bytes: a value, or in format 4 the length of what follows.
    for (std::uint64_t at = begin; at < end; at += 4 + (number(at, 1) == 4 ? number(at + 2, 2) : 0)) {
      if (number(at + 1, 1) != 0x11) continue;
      bytes += number(at + 8, 4);
      found = true;
    }
  }
  EXPECT_TRUE(found);
  return bytes;
}

TEST_F(RuntimeCompiler, StackBytesAreSeen) {
  const CompiledKernel compiled = compile_kernel(
      "extern \"C\" __global__ void f(int* a) {\n"
      "  volatile int b[40];\n"
      "  for (int i = 0; i < 40; ++i) b[i * a[0] % 40] = a[i];\n"
      "  a[0] = b[a[1]];\n"
      "}\n",
      9, 0, {});
  EXPECT_EQ(stack_bytes(compiled.cubin), 160U);
}

TEST_F(RuntimeCompiler, CompilesGeneratedFloatingKernelsWithoutSpilling) {
  using codegen::Form;
  Random random(52);
  const auto capabilities = first_and_measured_capability();
  std::size_t kernels = 0;  // each for one of them, in turn; for both where all is tested
  const auto compile = [&]<class Value>(Value one, unsigned rows, double density,
                                        const codegen::FloatingOverrides& wishes) {
    gray::Walk<Value> walk{rows, std::min(rows, 23U), {}, static_cast<double>(rows)};
    for (unsigned k = 0; k < walk.rows * walk.columns; ++k) {
      const bool there = static_cast<double>(random() >> 11) * 0x1p-53 < density;
      walk.deltas.push_back(there ? one : Value{});
    }
    walk.exact_sums = rows == 31;
    const codegen::FloatingProgram program = codegen::make_floating_program(walk, wishes);
    ++kernels;
    for (std::size_t k = 0; k < capabilities.size(); ++k) {
      if (testing::multiplier() < 3 && k != kernels % 2) continue;
      const auto [major, minor] = capabilities[k];
      const CompiledKernel compiled =
          compile_kernel(codegen::cuda_source(program, "walk"), major, minor, {}, gray::exact_headers());
      EXPECT_EQ(compiled.cubin.substr(1, 3), "ELF") << program.describe();
      EXPECT_NE(compiled.cubin.find("walk"), std::string::npos);
      EXPECT_EQ(stack_bytes(compiled.cubin), 0U) << program.describe() << " on " << major << "." << minor;
    }
  };
  compile(0.1, 40, 0.3, {});
  compile(0.1, 24, 0.5, {{Form::pure_registers}, 0, {}, true});
  compile(0.1, 36, 0.2, {{Form::hybrid}, {}, {}, false});
  compile(0.1, 1, 1, {});
  compile(0.125, 31, 0.3, {});
  compile(Complex<double>{0.1, 0.3}, 40, 0.3, {});
  compile(Complex<double>{0.1, 0.3}, 36, 0.2, {{Form::hybrid}, {}, {}, true});
  compile(Complex<double>{0.125, 0.25}, 31, 0.3, {});
  compile(Complex<DoubleDouble>{{0.1, 0x1p-60}, {0.3, 0}}, 16, 0.3, {});
  compile(Complex<DoubleDouble>{{0.1, 0x1p-60}, {0.3, 0}}, 24, 0.2, {{Form::hybrid}, {}, {}, false});
  compile(DoubleDouble{0.1, 0x1p-60}, 20, 0.3, {});
  compile(DoubleDouble{0.1, 0x1p-60}, 24, 0.2, {{Form::hybrid}, {}, {}, true});
}

}  // namespace
}  // namespace countpm
