// Somebody else's program: what only some need. The emulated GPU of the tests is not in what is installed.
#include <countpm/advanced.hpp>
#include <iostream>

int main() {
  const auto source = countpm::Source::from_bytes("a b\nb c\nd e\ne f\na d\nb e\nc f\n");
  const countpm::CountResult result = countpm::count(source, {}, countpm::CountOptions());
  countpm::CountOptions options;
  options.emulated_gpus = 1;
  try {
    countpm::count(source, {}, options);
    return 1;
  } catch (const countpm::UsageError&) {
  }
  std::cout << countpm::version() << ' ' << result.count << '\n';
}
