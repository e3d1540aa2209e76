#include <cstdio>

#include "src/countpm.hpp"

int main() { std::puts(countpm::version()); }
