"""Helpers of Numba kernels: atomics, bits, blocks of rows, prefetch, notice of compilation."""
