// Somebody else's program: one include, one library.
#include <countpm/countpm.hpp>
#include <iostream>

int main() { std::cout << countpm::version() << '\n'; }
