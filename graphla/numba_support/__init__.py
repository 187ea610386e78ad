"""Tools for Numba kernels: atomics, bits, prefetch, work blocks, shared lists, threads."""
