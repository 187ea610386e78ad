"""Kernels of published papers, reproduced as variants."""
