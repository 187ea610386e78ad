"""Buffers that are reused, and the limit of device memory."""
