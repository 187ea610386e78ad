"""Native kernels of the CPU engine, compiled by Numba: one file for each algorithm."""
