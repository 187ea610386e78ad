"""The device, the compilation of kernels, and their launch."""
