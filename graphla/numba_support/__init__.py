"""Tools for Numba kernels: atomics, bits, prefetch, work blocks, threads, a parallel sort."""
