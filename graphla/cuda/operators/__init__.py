"""Operators of python-graphblas, and users' own, as CUDA C++ text."""
