// ryser on the emulated GPU.
#include "kernels/gpu/cpu_executor.hpp"
#include "kernels/gpu/launch.hpp"
#include "kernels/ryser/gpu/job.hpp"

namespace countpm::gray {

template struct IntegerWalkForm<CpuDevice>;
template struct PrimeWalkForm<CpuDevice>;
template struct FloatingWalks<double>::Form<CpuDevice>;
template struct FloatingWalks<DoubleDouble>::Form<CpuDevice>;
template struct FloatingWalks<TripleDouble>::Form<CpuDevice>;
template struct FloatingWalks<Complex<double>>::Form<CpuDevice>;
template struct FloatingWalks<Complex<DoubleDouble>>::Form<CpuDevice>;
template struct FloatingWalks<Complex<TripleDouble>>::Form<CpuDevice>;

namespace {
const EmulatedForm<IntegerWalkForm> integers;
const EmulatedForm<PrimeWalkForm> primes;
const EmulatedForm<FloatingWalks<double>::Form> doubles;
const EmulatedForm<FloatingWalks<DoubleDouble>::Form> pairs;
const EmulatedForm<FloatingWalks<TripleDouble>::Form> triples;
const EmulatedForm<FloatingWalks<Complex<double>>::Form> complex_doubles;
const EmulatedForm<FloatingWalks<Complex<DoubleDouble>>::Form> complex_pairs;
const EmulatedForm<FloatingWalks<Complex<TripleDouble>>::Form> complex_triples;
}  // namespace

}  // namespace countpm::gray
