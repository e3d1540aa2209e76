# A recipe for Spack, to be put into a repository of your own as packages/countpm/package.py. Not tried where it was written, which has no Spack.
# It builds from a checkout:
#
#   spack repo create my-repo && spack repo add my-repo && mkdir my-repo/packages/countpm && cp packaging/spack/package.py my-repo/packages/countpm
#   spack dev-build -d PATH/TO/CHECKOUT countpm@0.2.0
from spack.package import *


class Countpm(CMakePackage, CudaPackage):
    """Exact counts of perfect matchings of graphs, and of cycle covers of directed graphs."""

    license('MIT')

    version('0.2.0')

    variant('mpi', default=True, description='One count on many machines, by Open MPI')

    generator('ninja')
    depends_on('cxx', type='build')
    depends_on('cmake@3.25:', type='build')
    depends_on('pkgconfig', type='build')
    depends_on('boost+graph+regex cxxstd=17')
    depends_on('cxxopts', type='build')
    depends_on('fmt')
    depends_on('gmp+cxx')
    depends_on('metis@5:')
    depends_on('mpfr')
    depends_on('nettle@3')
    depends_on('nlohmann-json')
    depends_on('random123', type='build')
    depends_on('zlib-api')
    depends_on('openmpi', when='+mpi')
    depends_on('cuda@12:', when='+cuda')

    conflicts('%gcc@:11', msg='countpm is C++20: g++ 12 or clang 14')

    def cmake_args(self):
        arguments = [
            self.define('COUNTPM_BUILD_TESTS', False),
            self.define('COUNTPM_MPI', 'ON' if self.spec.satisfies('+mpi') else 'OFF'),
            self.define_from_variant('COUNTPM_CUDA', 'cuda'),
            # Spack's Boost is shared unless asked otherwise.
            self.define('Boost_USE_STATIC_LIBS', False),
        ]
        if self.spec.satisfies('+cuda') and not self.spec.satisfies('cuda_arch=none'):
            arguments.append(self.define('CMAKE_CUDA_ARCHITECTURES', ';'.join(self.spec.variants['cuda_arch'].value)))
        return arguments
