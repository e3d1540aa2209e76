// Somebody else's program: one include, one library. It counts the 3 perfect matchings of the 2 x 3 grid.
#include <countpm/countpm.hpp>
#include <iostream>

int main() {
  const auto source = countpm::Source::from_bytes("a b\nb c\nd e\ne f\na d\nb e\nc f\n");
  const countpm::CountResult result = countpm::count(source, {}, {});
  std::cout << countpm::version() << ' ' << result.count << '\n';
}
