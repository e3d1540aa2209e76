"""Rows of scripts/reproduce that copy memory, beside which the effective bandwidth of condensation stands: bytes read and written a second.

The GPU's by its driver (libcuda) through ctypes, so that nothing but the driver is needed.
"""

import ctypes
import time

TURNS = 5


def result(size, seconds):
    return {'answer': f'{2 * size / seconds / 1e9:.3g} GB/s read and written', 'whole': None, 'kernel': seconds, 'cpu': None, 'error': None}


def copy_on_cpu(size, tool=None, module_python=None):
    """The best of a few copies by one thread."""
    source, target = bytearray(size), bytearray(size)
    view = memoryview(target)
    best = None
    for _ in range(TURNS):
        started = time.perf_counter()
        view[:] = source
        seconds = time.perf_counter() - started
        best = seconds if best is None else min(best, seconds)
    return result(size, best)


def copy_on_gpu(size, tool=None, module_python=None):
    """The best of a few copies within the memory of the first GPU."""
    try:
        cuda = ctypes.CDLL('libcuda.so.1')
    except OSError as error:
        return {'status': 'failed', 'reason': str(error)}

    def check(name, *arguments):
        code = getattr(cuda, name)(*arguments)
        if code:
            raise RuntimeError(f'{name}: error {code}')
    context, places = ctypes.c_void_p(), (ctypes.c_uint64(), ctypes.c_uint64())
    try:
        check('cuInit', 0)
        device = ctypes.c_int()
        check('cuDeviceGet', ctypes.byref(device), 0)
        check('cuDevicePrimaryCtxRetain', ctypes.byref(context), device)
        check('cuCtxSetCurrent', context)
        for place in places:
            check('cuMemAlloc_v2', ctypes.byref(place), ctypes.c_size_t(size))
        best = None
        for _ in range(TURNS + 1):
            check('cuCtxSynchronize')
            started = time.perf_counter()
            check('cuMemcpyDtoD_v2', places[1], places[0], ctypes.c_size_t(size))
            check('cuCtxSynchronize')
            seconds = time.perf_counter() - started
            best = seconds if best is None else min(best, seconds)
    except (RuntimeError, AttributeError) as error:
        return {'status': 'failed', 'reason': str(error)}
    finally:
        for place in places:
            if place.value:
                cuda.cuMemFree_v2(place)
    return result(size, best)


CALLS = {'copy-cpu': copy_on_cpu, 'copy-gpu': copy_on_gpu}
