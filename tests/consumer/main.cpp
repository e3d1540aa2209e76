// Somebody else's program: one include, one library. It counts the 3 perfect matchings of the 2 x 3 grid. The
// emulated GPU of the tests is not in what is installed.
#include <countpm/countpm.hpp>
#include <iostream>

int main() {
  const auto source = countpm::Source::from_bytes("a b\nb c\nd e\ne f\na d\nb e\nc f\n");
  const countpm::CountResult result = countpm::count(source, {}, {});
  countpm::CountOptions options;
  options.emulated_gpus = 1;
  try {
    countpm::count(source, {}, options);
    return 1;
  } catch (const countpm::UsageError&) {
  }
  std::cout << countpm::version() << ' ' << result.count << '\n';
}
