"""Other libraries, a file each: their best public call for each algorithm.

A module has a table `IMPLEMENTATIONS` and imports its library inside functions only.
"""
